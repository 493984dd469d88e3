import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from miter.data import monks
from miter.errors import DataError
from miter.lab import Experiment, run
from miter.reporting import report
from miter.reporting.contents import contents_of_model
from miter.reporting.page import render_page
from miter.reporting.results import contents_of_results

from .conftest import fitted, schema, table


class Found(HTMLParser):
    """The elements of a page, with their attributes and what scripts and styles hold."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts, self._inside = [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self._inside = tag if tag in {"script", "style"} else self._inside
        if self._inside:
            self.texts.append((tag, dict(attributes), ""))

    def handle_endtag(self, tag):
        if tag == self._inside:
            self._inside = None

    def handle_data(self, data):
        if self._inside:
            tag, attributes, text = self.texts.pop()
            self.texts.append((tag, attributes, text + data))


def page_of(name="univariate"):
    return render_page(contents_of_model(fitted(name), table(80)))


def policy_of(found):
    return next(
        attributes["content"]
        for tag, attributes in found.elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )


@pytest.mark.parametrize("name", ["univariate", "votes"])
def test_the_policy_allows_the_scripts_and_the_style_of_the_page_alone(name):
    found = Found(page_of(name))
    policy = policy_of(found)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    ran = [
        text
        for tag, attributes, text in found.texts
        if tag == "style" or attributes.get("type") == "module"
    ]
    assert len(ran) == 3
    for text in ran:
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert policy.count("sha256-") == 3


def test_nothing_is_asked_of_the_network():
    found = Found(page_of())
    for _, attributes in found.elements:
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("#")
        assert not any(name.startswith("on") for name in attributes)
        assert "style" not in attributes
    assert "@import" not in page_of()
    assert not re.search(r"url\((?!#)", page_of())


def test_hostile_names_stay_texts(hostile_names):
    names = hostile_names
    own = schema(names[:4], names[4:7], (names[0], names[2], names[9]))
    data = table(120, own=own)
    from miter import id3

    page = render_page(contents_of_model(id3().fit(data), data, title=names[6], name=names[0]))
    found = Found(page)
    plain = Found(page_of())
    tags = [tag for tag, _ in found.elements]
    assert tags.count("script") == [tag for tag, _ in plain.elements].count("script")
    assert "img" not in tags
    assert "{{ 7*7 }}" in page
    assert "49" not in re.findall(r"<bdi>(.*?)</bdi>", page)


def test_a_page_of_results():
    results = run(
        Experiment({"monks-1": monks(1), "monks-2": monks(2)}, ["id3", "c45", "DummyClassifier"])
    )
    contents = contents_of_results(results)
    found = Found(render_page(contents))
    assert policy_of(found).count("sha256-") == 2
    accuracy = contents["measures"]["accuracy"]
    assert accuracy["means"][0][0] == pytest.approx(
        100 * sum(run.accuracy for run in results.of("monks-1", "id3")) / 10
    )
    assert set(accuracy["tests"]) == {"id3", "c45", "DummyClassifier"}
    assert accuracy["tests"]["id3"]["winners"][0][2] == -1


def test_a_report_is_one_file(tmp_path):
    path = report(fitted("univariate"), table(), path=tmp_path / "page.html")
    assert [one.name for one in tmp_path.iterdir()] == ["page.html"]
    assert path.read_text("utf-8").startswith("<!doctype html>")


def test_what_cannot_be_reported_leaves_nothing(tmp_path):
    with pytest.raises(DataError, match="needs rows"):
        report(fitted("univariate"), path=tmp_path / "page.html")
    results = run(Experiment({"monks-1": monks(1)}, ["id3"], "holdout 0.5"))
    with pytest.raises(DataError, match="leave X and y out"):
        report(results, table(), path=tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_halves_of_characters_are_shown_somehow(tmp_path):
    own = schema(("a\ud800", "b", "c", "d"))
    data = table(60, own=own)
    from miter import id3

    report(id3().fit(data), data, path=tmp_path / "page.html", title="half \udc00")
    (tmp_path / "page.html").read_text("utf-8")
