import re

import pytest

from miter.lab.comparisons.tables import Entry, Table, to_latex, to_markdown, to_text

TABLE = Table(
    "Accuracy in %, mean ± deviation",
    ("set", "c45", "RandomForestClassifier", "a|b_c:max_depth=3,criterion=gain"),
    (
        ("iris", (Entry("94.1", "1.2"), Entry("100.0", "12.3", "+", True), Entry("."))),
        ("vote_84", (Entry("9.1", "0.2", "", True), Entry("8.0", "1.0", "-"), Entry("5.0", "1.0"))),
    ),
    (("mean rank", (Entry("1.50"), Entry("1.25"), Entry("."))),),
    ("Marks: + better than c45.", "50% & more."),
)


def test_text():
    assert to_text(TABLE).splitlines() == [
        "Accuracy in %, mean ± deviation",
        "",
        "set        c45         RandomForest    a|b_c:max_",
        "                       Classifier      depth=3,",
        "                                       criterion=gain",
        "---------  ----------  --------------  --------------",
        "iris       94.1 ± 1.2  100.0 ± 12.3 +    .",
        "vote_84     9.1 ± 0.2    8.0 ±  1.0 -  5.0 ± 1.0",
        "---------  ----------  --------------  --------------",
        "mean rank  1.50         1.25             .",
        "",
        "Marks: + better than c45.",
        "50% & more.",
    ]


def test_a_narrow_terminal_gets_several_parts():
    text = to_text(TABLE, width=40)
    assert max(map(len, text.splitlines())) <= 40
    parts = text.split("\n\n")
    assert [part.split()[1] for part in parts[1:3]] == ["c45", "a|b_c:max_"]
    assert all(part.splitlines()[-1].startswith("mean rank") for part in parts[1:3])
    # However narrow it is, every part has a column.
    assert len(to_text(TABLE, width=5).split("\n\n")) == 5


def test_markdown():
    lines = [line for line in to_markdown(TABLE).splitlines() if line.startswith("|")]
    cells = [re.split(r"(?<!\\)\|", line) for line in lines]
    assert {len(row) for row in cells} == {6}
    assert lines[1] == "| --- | ---: | ---: | ---: |"
    assert "| **100.0** ± 12.3 + |" in lines[2]
    assert to_markdown(TABLE).endswith("\n\n- Marks: + better than c45\n- 50% & more")


def test_latex():
    text = to_latex(TABLE)
    lines = text.splitlines()
    rows = [line for line in lines if line.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {3}
    assert r"\begin{tabular}{lrrr}" in lines
    assert r"vote\_84 & \textbf{9.1} $\pm$ 0.2 & 8.0 $\pm$ 1.0$^{-}$ & 5.0 $\pm$ 1.0 \\" in lines
    assert r"Accuracy in \%" in text
    assert_balanced(text)


def assert_balanced(text):
    """Braces and environments close, dollars come in pairs, nothing special is left bare."""
    plain = text.replace(r"\{", "").replace(r"\}", "").replace(r"\$", "")
    assert plain.count("{") == plain.count("}")
    assert plain.count("$") % 2 == 0
    assert re.findall(r"\\begin{(\w+)}", text) == re.findall(r"\\end{(\w+)}", text)[::-1]
    without_math = re.sub(r"\$[^$]*\$", "", plain)
    assert not re.search(r"(?<!\\)[%#_^~]", without_math)


@pytest.mark.parametrize("name", ["a_b", "50%", "x^2", "{a}", "~", "a\\b", "$", "#1", "a & b"])
def test_any_name_survives_latex(name):
    assert_balanced(to_latex(Table(name, ("set", name), ((name, (Entry("1.0"),)),), (), (name,))))


def test_no_rows_of_summary_and_no_notes():
    table = Table("T", ("set", "a"), (("iris", (Entry("1.0"),)),))
    assert to_text(table) == "T\n\nset   a\n----  ---\niris  1.0"
    assert to_latex(table).count(r"\hline") == 3
