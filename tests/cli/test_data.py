import json

import pytest


def test_table(run, weather):
    result = run("data", weather, "--target", "play", "--kind", "wind=ignored")
    assert (result.code, result.err) == (0, "")
    out = [" ".join(line.split()) for line in result.out.splitlines()]
    assert out[0] == f"{weather}: 14 rows, 2 columns"
    assert "outlook symbolic 3: rain 36%, sunny 36%, overcast 29%" in out
    assert any(line.endswith("65 to 96, mean 80.3077") for line in out)
    assert any(line.startswith("humidity numeric 1 (7.1%)") for line in out)
    assert "Left out: wind" in out
    start = out.index("Class 'play', 2 values:")
    assert out[start + 1 : start + 3] == ["no 5 35.7%", "yes 9 64.3%"]


def test_json(run, weather):
    summary = json.loads(run("data", weather, "--target", "play", "--json").out)
    outlook, humidity, _ = summary["columns"]
    assert outlook == {
        "name": "outlook",
        "kind": "symbolic",
        "missing": 0,
        "n_values": 3,
        "values": ["overcast", "rain", "sunny"],
        "counts": [4, 5, 5],
    }
    assert (humidity["min"], humidity["max"], humidity["missing"]) == (65, 96, 1)
    assert sum(humidity["distribution"]) == 13
    assert (summary["rows"], summary["target"], summary["ignored"]) == (14, "play", [])
    assert summary["classes"] == {"no": 5, "yes": 9}
    assert [remark["about"] for remark in summary["remarks"]] == ["class is rare"]


def test_column_without_values(run, tmp_path):
    path = tmp_path / "t.names"
    path.write_text("yes, no.\nheat: continuous.\nwind: weak, strong.\n")
    (tmp_path / "t.data").write_text("?, weak, yes\n?, strong, no\n")
    result = run("data", path)
    assert result.code == 0
    assert "nothing" in result.out
    assert "2 (100.0%)" in result.out
    heat = json.loads(run("data", path, "--json").out)["columns"][0]
    assert (heat["missing"], heat["min"], heat["mean"], heat["max"]) == (2, None, None, None)


def test_ordered_and_many_values(run, tmp_path):
    path = tmp_path / "rows.csv"
    sizes = ["S", "M", "L"]
    rows = "".join(f"{sizes[i % 3]},w{i:02},{i % 2}\n" for i in range(20))
    path.write_text("size,word,y\n" + rows)
    out = run("data", path, "--target", "y", "--kind", 'size=["S", "M", "L"]').out
    assert "3: S 35% < M 35% < L 30%" in out
    assert "20: w00 5%, w01 5%, w02 5%, w03 5%, w04 5%, w05 5%, ..." in out


def test_names_are_printed_as_they_are(run, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("[red]x,y\n1,[b]\n2,c\n")
    out = run("data", path, "--target", "y").out
    assert "[red]x" in out
    assert "[b]" in out


def test_line_ends_in_names_and_values(run, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('"long\nname",y\n"a\nb","yes\nsir"\nc,no\n' * 1)
    out = run("data", path, "--target", "y").out
    assert "long name" in out
    assert "yes sir" in out


def test_cures_are_options(run, tmp_path):
    path = tmp_path / "people.csv"
    rows = "".join(f"person {i},{'$1,000' if i % 2 else '$2'},x,{i % 3}\n" for i in range(60))
    path.write_text("name,pay,same,y\n" + rows.replace("$1,000", '"$1,000"'))
    out = " ".join(run("data", path, "--target", "y").out.split())
    assert "--kind name=symbolic keeps it" in out
    assert "--kind same=ignored leaves it out" in out
    assert "kinds=" not in out


def test_how_a_file_is_written(run, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a;y\n1,5;u\n2,5;v\n")
    assert "separated by semicolons" in run("data", path, "--target", "y").out
    told = run("data", path, "--target", "y", "--separator", ";", "--decimal", ",")
    assert told.code == 0
    bare = tmp_path / "bare.csv"
    bare.write_text("1,u\n2,v\n3,u\n")
    result = run("data", bare, "--no-header", "--target", "column 2", "--missing", "3")
    assert "3 rows, 1 column" in result.out
    assert "1 (33.3%)" in result.out


@pytest.mark.parametrize("verb", ["fit", "bootstrap", "compare", "data"])
def test_every_verb_takes_reading_options(run, verb):
    text = run(verb, "--help").out
    for option in ("--kind", "--target", "--separator", "--decimal", "--encoding", "--no-header"):
        assert option in text
    assert "--missing" in text
    assert "--sheet" in text


def test_a_table_needs_no_class(run, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,b,b\n" + "".join(f"{i % 7},x{i % 3},{i / 4}\n" for i in range(40)))
    result = run("data", path)
    assert result.code == 0
    assert "40 rows, 3 columns" in result.out
    assert "an earlier column is called 'b' too; called 'b (2)'" in " ".join(result.out.split())
    lines = tmp_path / "rows.jsonl"
    lines.write_text('{"a": 1, "day": "2020-01-05"}\n{"a": 2.5, "day": "2020-02-07"}\n')
    assert "they become day, day.month" in run("data", lines).out
    assert run("fit", path, "-o", tmp_path / "m.miter").code != 0
