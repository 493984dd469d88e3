import json


def test_table(run, weather):
    result = run("data", weather, "--target", "play", "--kind", "wind=ignored")
    assert (result.code, result.err) == (0, "")
    out = [" ".join(line.split()) for line in result.out.splitlines()]
    assert out[0] == f"{weather}: 14 rows, 2 columns"
    assert "outlook symbolic 3: overcast, rain, sunny" in out
    assert "humidity numeric 65 to 96, mean 80.3077 1 (7.1%)" in out
    assert "Ignored: wind" in out
    assert out[-3:] == ["Class 'play', 2 values:", "no 5 35.7%", "yes 9 64.3%"]


def test_json(run, weather):
    summary = json.loads(run("data", weather, "--target", "play", "--json").out)
    outlook, humidity, _ = summary["columns"]
    assert outlook == {
        "name": "outlook",
        "kind": "symbolic",
        "missing": 0,
        "values": ["overcast", "rain", "sunny"],
    }
    assert (humidity["min"], humidity["max"], humidity["missing"]) == (65, 96, 1)
    assert (summary["rows"], summary["target"], summary["ignored"]) == (14, "play", [])
    assert summary["classes"] == {"no": 5, "yes": 9}


def test_column_without_values(run, tmp_path):
    path = tmp_path / "t.names"
    path.write_text("yes, no.\nheat: continuous.\nwind: weak, strong.\n")
    (tmp_path / "t.data").write_text("?, weak, yes\n?, strong, no\n")
    result = run("data", path)
    assert result.code == 0
    assert "none" in result.out
    assert "2 (100.0%)" in result.out
    heat = json.loads(run("data", path, "--json").out)["columns"][0]
    assert heat == {
        "name": "heat",
        "kind": "numeric",
        "missing": 2,
        "min": None,
        "mean": None,
        "max": None,
    }


def test_ordered_and_many_values(run, tmp_path):
    path = tmp_path / "rows.csv"
    sizes = ["S", "M", "L"]
    rows = "".join(f"{sizes[i % 3]},w{i:02},{i % 2}\n" for i in range(20))
    path.write_text("size,word,y\n" + rows)
    out = run("data", path, "--target", "y", "--kind", 'size=["S", "M", "L"]').out
    assert "3: S < M < L" in out
    assert "20: w00, w01, w02, w03, w04, w05, ..." in out


def test_names_are_printed_as_they_are(run, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("[red]x,y\n1,[b]\n2,c\n")
    out = run("data", path, "--target", "y").out
    assert "[red]x" in out
    assert "[b]" in out


def test_how_a_file_is_written_may_be_said(run, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes("1\t2,5\tü\n-9\t3,5\tv\n".encode("cp1252"))
    said = ["--separator", "tab", "--decimal", ",", "--encoding", "cp1252", "--no-header"]
    result = run("data", path, "--target", "column 3", *said, "--missing", "-9", "--json")
    summary = json.loads(result.out)
    assert list(summary["classes"]) == ["v", "ü"]
    assert [column["max"] for column in summary["columns"]] == [1, 3.5]
    assert [column["missing"] for column in summary["columns"]] == [1, 0]
