import pytest

from miter.cli.wording import in_words_of_the_command_line


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Name it with target=; the columns", "Name it with --target; the columns"),
        ("leave it out with kinds={'a b': 'ignored'}", "leave it out with --kind 'a b=ignored'"),
        ("kinds mentions 'a'", "--kind mentions 'a'"),
        ("target is 'a', but", "--target is 'a', but"),
        ("the target is near", "the target is near"),
    ],
)
def test_arguments_become_options(sentence, words):
    assert in_words_of_the_command_line(sentence) == words
