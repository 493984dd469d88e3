"""Words in pictures: what they become, how wide they are, where they are folded."""

import warnings

import pytest

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import rc_context
from matplotlib.figure import Figure

from miter.show.lettering import as_printed, drawable, fold, plain, show_legend, width_of, write

LESS, MINUS = "\N{LESS-THAN OR EQUAL TO}", "\N{MINUS SIGN}"


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("x <= 2", f"x {LESS} 2"),
        ("2 a - 3 b >= -1", f"2 a {MINUS} 3 b \N{GREATER-THAN OR EQUAL TO} {MINUS}1"),
        ("-0.5 a", f"{MINUS}0.5 a"),
        ("fee-freeze = n", "fee-freeze = n"),
        ("'petal length (cm)' <= 2", f"petal length (cm) {LESS} 2"),
        ("'a <= b' = x", "'a <= b' = x"),
        ("'a - b'", "a - b"),
        ("'2 a'", "'2 a'"),
        ("'this or that'", "'this or that'"),
        ("' blank'", "' blank'"),
        (r"'it\'s \"x\" <= 2' <= 2", rf"'it\'s \"x\" <= 2' {LESS} 2"),
        (r"'a\nb'", r"'a\nb'"),
    ],
)
def test_signs_of_print_and_quotes_only_where_needed(said, printed):
    assert as_printed(said) == printed


def test_letters_that_fonts_lack_become_codes():
    assert drawable("a\u6f22\u5b57b") == "a[6F22 5B57]b"
    assert drawable("tab\tnew\nline") == "tab\\tnew\\nline"
    assert drawable("\u202eabc") == "\\u202eabc"
    assert plain(12) == "12"


def test_fonts_that_the_user_has_set_are_asked():
    with rc_context({"font.family": ["cmsy10"]}):
        assert drawable("A") == "A"
        assert drawable("\u05d0") == "[5D0]"
    assert drawable("\u05d0") == "\u05d0"
    with rc_context({"font.family": ["no such font"]}):
        assert drawable("A") == "A"


@given(st.text(max_size=40))
def test_whatever_it_is_it_can_be_drawn(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        words = drawable(text)
        assert words.isprintable()
        assert width_of(words, 9) >= 0
        assert width_of(words, 9, bold=True) >= 0


@given(st.text(max_size=200), st.floats(20, 300), st.booleans())
def test_lines_are_no_wider_than_wanted_and_nothing_is_lost(text, width, bold):
    words = drawable(text)
    lines = fold(words, width, 9, bold=bold)
    assert "".join("".join(lines).split()) == "".join(words.split())
    # A letter alone may be wider than the line.
    assert all(width_of(line, 9, bold=bold) <= width or len(line) == 1 for line in lines)


def test_lines_end_between_words_rather_than_in_them():
    assert fold("one two three", 55, 9) == ["one two", "three"]
    assert fold("a-very-long-hyphenated-name", 60, 9)[0].endswith("-")


def test_of_many_lines_the_last_ends_in_dots():
    lines = fold("word " * 50, 60, 9, most=3)
    assert len(lines) == 3
    assert lines[-1].endswith("\N{HORIZONTAL ELLIPSIS}")
    assert width_of(lines[-1], 9) <= 60


def test_widths_are_those_of_the_renderer():
    figure = Figure(figsize=(10, 2), dpi=300)
    ax = figure.add_subplot()
    for words in ("sepal length (cm)", "WWWW iiii", "x"):
        for weight in ("normal", "bold"):
            text = write(ax, 0.1, 0.5, words, fontsize=10, weight=weight)
            drawn = text.get_window_extent().width * 72 / 300
            own = width_of(words, 10, bold=weight == "bold")
            assert own == pytest.approx(drawn, rel=0.03, abs=0.5)  # letters stand on whole dots


def test_legends_show_names_that_matplotlib_would_hide():
    ax = Figure().add_subplot()
    [line] = ax.plot([0, 1], [0, 1])
    legend = show_legend(ax, [line, line], ["_hidden", "$x$"])
    ax.figure.draw_without_rendering()
    assert [text.get_text() for text in legend.get_texts()] == ["_hidden", "$x$"]
    assert not any(text.get_parse_math() for text in legend.get_texts())
