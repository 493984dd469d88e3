"""Messy tables as people have them: what is read, what is said, and how good the default tree is.

Each table is made of the same rows as a clean one; the tree that learns from the messy file must be
within one point of the tree that learns from the table cleaned by hand.
"""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from miter import LinearMachineTreeClassifier
from miter.data import from_frame, read
from miter.data.files.blocks import read_blocks
from miter.errors import DataError

N_ROWS = 240


@dataclass
class Table:
    """A messy file, and the same rows cleaned by hand."""

    path: Path
    clean: pd.DataFrame
    remarks: list[str]
    dialect: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    kinds: dict[str, Any] = field(default_factory=dict)


TABLES: dict[str, Callable[[Path], Table]] = {}


def table(make):
    TABLES[make.__name__.replace("_", " ")] = make
    return make


def customers(n_rows=N_ROWS, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "income": np.round(random.normal(3000, 800, n_rows), 2),
            "age": random.integers(18, 80, n_rows).astype(float),
            "colour": random.choice(["red", "green", "blue"], n_rows),
        }
    )
    score = frame["income"] / 800 + frame["age"] / 20 + 1.5 * (frame["colour"] == "red")
    frame["class"] = np.where(score + random.normal(0, 0.3, n_rows) > 6.6, "yes", "no")
    return frame


def write(path, rows, separator=",", encoding="utf-8", end="\n"):
    text = "".join(separator.join(map(str, row)) + end for row in rows)
    path.write_bytes(text.encode(encoding))
    return path


def rows_of(frame, header=True):
    rows = frame.astype(object).where(frame.notna(), "").to_numpy().tolist()
    return [list(frame.columns), *rows] if header else rows


@table
def plain(folder):
    frame = customers()
    return Table(write(folder / "a.csv", rows_of(frame)), frame, [])


@table
def semicolons_and_decimal_commas(folder):
    frame = customers()
    rows = [[str(cell).replace(".", ",") for cell in row] for row in rows_of(frame)]
    path = write(folder / "a.csv", rows, ";")
    return Table(path, frame, [], "separated by semicolons, with decimal commas")


@table
def thousands_between_semicolons(folder):
    frame = customers().assign(age=lambda f: f["age"] * 1000)
    messy = frame.copy()
    for name in ("income", "age"):
        messy[name] = [f"{x:,.2f}".translate(str.maketrans(",.", ".,")) for x in frame[name]]
    path = write(folder / "a.csv", rows_of(messy), ";")
    said = "separated by semicolons, with decimal commas"
    return Table(path, frame, ["spelling", "spelling"], said)


@table
def tabs_in_a_text_file(folder):
    frame = customers()
    return Table(write(folder / "a.txt", rows_of(frame), "\t"), frame, [], "separated by tabs")


@table
def bars(folder):
    frame = customers()
    return Table(write(folder / "a.csv", rows_of(frame), "|"), frame, [], "separated by bars")


@table
def aligned_by_spaces(folder):
    frame = customers()
    rows = [["".join(str(cell).rjust(12) for cell in row)] for row in rows_of(frame)]
    return Table(write(folder / "a.txt", rows), frame, [], "separated by spaces")


@table
def utf_16(folder):
    frame = customers().replace("red", "röd")
    path = write(folder / "a.csv", rows_of(frame), encoding="utf-16")
    return Table(path, frame, [], "in UTF-16")


@table
def windows_1252(folder):
    frame = customers().replace("red", "röd")
    path = write(folder / "a.csv", rows_of(frame), encoding="cp1252")
    return Table(path, frame, [], "in Windows-1252")


@table
def byte_order_mark(folder):
    frame = customers()
    return Table(write(folder / "a.csv", rows_of(frame), encoding="utf-8-sig"), frame, [])


@table
def mixed_line_ends_and_blank_lines(folder):
    frame = customers()
    lines = [",".join(map(str, row)) for row in rows_of(frame)]
    ends = ["\n", "\r\n", "\n\n", "\r\n  \r\n"]
    text = "".join(line + ends[number % 4] for number, line in enumerate(lines))
    (folder / "a.csv").write_bytes(text.encode())
    return Table(folder / "a.csv", frame, [])


@table
def no_header(folder):
    frame = customers()
    frame.columns = [f"column {number}" for number in range(1, 5)]
    path = write(folder / "a.csv", rows_of(frame, header=False))
    said = "without a header, so that the columns are called column 1, column 2, ..."
    return Table(path, frame, [], said, {"target": "column 4"})


@table
def quoted_line_ends(folder):
    frame = customers()
    messy = frame.copy()
    messy["colour"] = ['"the ""red""\none"' if c == "red" else c for c in frame["colour"]]
    clean = frame.replace("red", 'the "red"\none')
    return Table(write(folder / "a.csv", rows_of(messy)), clean, [])


@table
def one_dirty_cell(folder):
    frame = customers()
    messy = frame.astype(object)
    messy.loc[17, "income"] = "not yet known"
    clean = frame.copy()
    clean.loc[17, "income"] = np.nan
    return Table(write(folder / "a.csv", rows_of(messy)), clean, ["odd cells"])


@table
def marks_of_missing_cells(folder):
    frame = customers()
    messy, clean = frame.astype(object), frame.copy()
    marks = ["NA", "n/a", "NULL", "", "?", "None", "-999", "unknown"]
    for number in range(40):
        name = ["income", "age", "colour"][number % 3]
        clean.loc[number * 5, name] = np.nan if name != "colour" else None
        messy.loc[number * 5, name] = marks[number % 8]
    path = write(folder / "a.csv", rows_of(messy))
    return Table(path, clean, [], arguments={"missing": ["-999", "unknown"]})


@table
def passengers(folder):
    random = np.random.default_rng(1)
    n_rows = 400
    clean = pd.DataFrame(
        {
            "Pclass": random.integers(1, 4, n_rows),
            "Sex": random.choice(["male", "female"], n_rows),
            "Age": np.round(random.uniform(1, 70, n_rows)),
            "Fare": np.round(random.lognormal(3, 1, n_rows), 4),
        }
    )
    odds = 2.5 * (clean["Sex"] == "female") - 0.9 * (clean["Pclass"] - 2) - clean["Age"] / 60
    clean["class"] = np.where(odds + random.normal(0, 0.5, n_rows) > 0.7, 1, 0)
    messy = clean.copy()
    surnames = [f"{a}{b}" for a in ("Ander", "Sven", "Cum", "Hart") for b in ("son", "ings", "ley")]
    titles = np.where(clean["Sex"] == "male", "Mr.", "Mrs.")
    messy.insert(0, "PassengerId", range(1, n_rows + 1))
    messy.insert(
        2,
        "Name",
        [
            f'"{random.choice(surnames)}, {t} {uuid.UUID(int=i).hex[-6:]}"'
            for i, t in enumerate(titles)
        ],
    )
    messy["Ticket"] = [f"A/5 {number}" for number in random.integers(1000, 1300, n_rows)]
    messy["Ticket"] = [f"{t}{i % 3}" for i, t in enumerate(messy["Ticket"])]
    messy["Cabin"] = [f"C{i}" if i % 4 == 0 else "" for i in range(n_rows)]
    path = write(folder / "a.csv", rows_of(messy))
    about = ["left out", "candidate", "left out", "left out", "left out"]
    return Table(path, clean, about)


@table
def credit(folder):
    clean = customers().drop(columns="colour")
    clean["rate"] = np.round(np.random.default_rng(2).uniform(1, 9, N_ROWS), 2)
    messy = clean.astype(object)
    messy["income"] = [f'"${x:,.2f}"' for x in clean["income"]]
    messy["rate"] = [f"{x}%" for x in clean["rate"]]
    messy["balance"] = [f'"({x:,.0f})"' for x in clean["age"] * 1000]
    clean["balance"] = -clean["age"] * 1000
    order = [*(name for name in clean if name != "class"), "class"]
    path = write(folder / "a.csv", rows_of(messy[order]))
    return Table(path, clean[order], ["spelling", "spelling", "spelling"])


LIKERT = ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"]


@table
def survey(folder):
    random = np.random.default_rng(3)
    codes = random.integers(0, 5, (N_ROWS, 3))
    words = np.array(LIKERT)[codes]
    names = ["helpful", "quick", "cheap"]
    messy = pd.DataFrame(words, columns=names)
    clean = pd.DataFrame(
        {name: pd.Categorical(messy[name], LIKERT, ordered=True) for name in names}
    )
    messy["class"] = np.where(codes @ [2, 1, 1] + random.normal(0, 1, N_ROWS) > 8, "again", "never")
    clean["class"] = messy["class"]
    messy["helpful"] = [word.capitalize() for word in messy["helpful"]]
    clean["helpful"] = clean["helpful"].cat.rename_categories(str.capitalize)
    return Table(write(folder / "a.csv", rows_of(messy)), clean, ["order"] * 3)


def some_days(seed=4):
    random = np.random.default_rng(seed)
    return [date(2019, 1, 1) + timedelta(days=int(d)) for d in random.integers(0, 700, N_ROWS)]


@table
def dates(folder):
    frame = customers()
    days = some_days()
    frame["class"] = ["late" if d.month > 6 else "early" for d in days]
    messy, clean = frame.copy(), frame.copy()
    messy.insert(0, "joined", [d.isoformat() for d in days])
    clean.insert(0, "joined", pd.to_datetime(days))
    return Table(write(folder / "a.csv", rows_of(messy)), clean, ["dates"])


@table
def days_before_months_and_one_in_no_calendar(folder):
    frame = customers()
    days = some_days()
    frame["class"] = ["new" if d > date(2019, 12, 1) else "old" for d in days]
    messy, clean = frame.copy(), frame.copy()
    texts = [f"{d.day}.{d.month}.{d.year}" for d in days]
    texts[3] = "30.2.2020"
    messy.insert(0, "joined", texts)
    clean.insert(0, "joined", pd.to_datetime([None if i == 3 else d for i, d in enumerate(days)]))
    return Table(write(folder / "a.csv", rows_of(messy)), clean, ["odd cells", "dates"])


@table
def moments_with_zones(folder):
    frame = customers()
    random = np.random.default_rng(5)
    moments = [
        datetime(2020, 1, 1) + timedelta(minutes=int(m)) for m in random.integers(0, 9**6, N_ROWS)
    ]
    frame["class"] = ["night" if m.hour < 7 else "day" for m in moments]
    messy, clean = frame.copy(), frame.copy()
    messy.insert(0, "seen", [f"{m + timedelta(hours=2):%Y-%m-%dT%H:%M}+02:00" for m in moments])
    clean.insert(0, "seen", pd.to_datetime(moments))
    return Table(write(folder / "a.csv", rows_of(messy)), clean, ["dates"])


@table
def durations(folder):
    frame = customers()
    messy, clean = frame.copy(), frame.copy()
    messy["age"] = [f"{int(a) // 60}:{int(a) % 60:02}:30" for a in frame["age"]]
    clean["age"] = pd.to_timedelta(frame["age"] * 60 + 30, unit="s")
    return Table(write(folder / "a.csv", rows_of(messy)), clean, ["durations"])


@table
def identifiers(folder):
    frame = customers()
    random = np.random.default_rng(6)
    messy = frame.copy()
    messy.insert(0, "customer_id", random.permutation(N_ROWS) + 100_000)
    messy["account"] = [uuid.UUID(int=int(x)).hex for x in random.integers(0, 2**62, N_ROWS)]
    order = [name for name in messy if name != "class"] + ["class"]
    path = write(folder / "a.csv", rows_of(messy[order]))
    return Table(path, frame, ["left out", "left out"])


@table
def index_of_pandas(folder):
    frame = customers()
    frame.to_csv(folder / "a.csv")
    return Table(folder / "a.csv", frame, ["header", "left out"])


@table
def free_text(folder):
    frame = customers()
    random = np.random.default_rng(7)
    words = [
        "the",
        "order",
        "came",
        "late",
        "but",
        "was",
        "well",
        "packed",
        "and",
        "I",
        "would",
        "buy",
        "it",
        "again",
    ]
    messy = frame.copy()
    messy.insert(1, "comment", [" ".join(random.choice(words, 9)) for _ in range(N_ROWS)])
    return Table(write(folder / "a.csv", rows_of(messy)), frame, ["left out"])


@table
def yes_and_no_in_many_spellings(folder):
    frame = customers()
    is_red = frame["colour"] == "red"
    spelled = [["No", "no", "N", "FALSE"], ["Yes", "yes", "Y", "TRUE"]]
    messy, clean = frame.copy(), frame.copy()
    messy["colour"] = [spelled[int(r)][i % 4 if i % 2 else 0] for i, r in enumerate(is_red)]
    clean["colour"] = np.where(is_red, "Yes", "No")
    return Table(write(folder / "a.csv", rows_of(messy)), clean, ["booleans"])


@table
def codes_with_leading_zeros(folder):
    frame = customers()
    codes = {"red": "00501", "green": "10001", "blue": "94110"}
    frame["colour"] = frame["colour"].map(codes)
    return Table(
        write(folder / "a.csv", rows_of(frame)), frame, ["codes"], kinds={"colour": "symbolic"}
    )


@table
def an_empty_column(folder):
    frame = customers().assign(nothing=np.nan)
    frame = frame[["income", "nothing", "age", "colour", "class"]]
    return Table(write(folder / "a.csv", rows_of(frame)), frame, ["empty"])


@table
def two_thousand_columns(folder):
    random = np.random.default_rng(8)
    X = np.round(random.normal(size=(60, 2000)), 3)
    frame = pd.DataFrame(X, columns=[f"gene {i}" for i in range(2000)])
    frame["class"] = np.where(X[:, 7] > 0, "ill", "well")
    return Table(write(folder / "a.csv", rows_of(frame)), frame, [])


@table
def sixty_classes(folder):
    random = np.random.default_rng(9)
    labels = np.repeat(np.arange(60), 8)
    frame = pd.DataFrame({"x": np.round(labels + random.normal(0, 0.1, 480), 3)})
    frame["y"] = np.round(labels % 7 + random.normal(0, 0.1, 480), 3)
    frame["class"] = [f"class {label}" for label in labels]
    return Table(write(folder / "a.csv", rows_of(frame), ";"), frame, [], "separated by semicolons")


@table
def six_rows(folder):
    frame = pd.DataFrame({"a": [1, 2, 3, 11, 12, 13.5], "b": list("xyxyxy")})
    frame["class"] = list("uuuvvv")
    return Table(write(folder / "a.csv", rows_of(frame)), frame, [])


@table
def names_that_are_there_twice(folder):
    frame = customers()
    messy = frame.set_axis(["income", "income", "colour", "class"], axis=1)
    clean = frame.rename(columns={"age": "income (2)"})
    return Table(write(folder / "a.csv", rows_of(messy)), clean, ["repeated name"])


@table
def laboratory_values_below_what_can_be_measured(folder):
    frame = customers()
    messy, clean = frame.astype(object), frame.copy()
    least = float(frame["income"].quantile(0.15))
    clean["income"] = frame["income"].clip(lower=least)
    messy["income"] = [f"<{least}" if x <= least else x for x in frame["income"]]
    return Table(write(folder / "a.csv", rows_of(messy)), clean, ["bounds"])


@table
def excel(folder):
    pytest.importorskip("openpyxl")
    frame = customers()
    messy, clean = frame.astype(object), frame.copy()
    messy.loc[9, "age"], clean.loc[9, "age"] = "unknown", np.nan
    messy["since"] = clean["since"] = pd.to_datetime(some_days())
    order = ["income", "age", "colour", "since", "class"]
    messy[order].to_excel(folder / "a.xlsx", index=False)
    return Table(folder / "a.xlsx", clean[order], ["odd cells", "dates"])


@table
def json_lines(folder):
    frame = customers()
    lines = [json.dumps(row) for row in frame.to_dict("records")]
    (folder / "a.jsonl").write_text("\n".join(lines))
    return Table(folder / "a.jsonl", frame, [])


@table
def nested_json_lines(folder):
    frame = customers()
    frame.columns = ["money.income", "person.age", "person.likes.colour", "class"]
    lines = [
        json.dumps(
            {"money": {"income": m}, "person": {"age": a, "likes": {"colour": c}}, "class": y}
        )
        for m, a, c, y in frame.to_numpy().tolist()
    ]
    (folder / "a.jsonl").write_text("\n\n".join(lines))
    return Table(folder / "a.jsonl", frame, [])


@table
def titles_above_the_header(folder):
    frame = customers()
    above = [["Customers of 2024", "", "", ""], ["# written by a program", "", "", ""], [""] * 4]
    return Table(write(folder / "a.csv", [*above, *rows_of(frame)]), frame, ["above the header"])


@table
def titles_above_the_header_of_a_sheet(folder):
    openpyxl = pytest.importorskip("openpyxl")
    frame = customers()
    book = openpyxl.Workbook()
    book.active.append(["Customers of 2024"])
    book.active.merge_cells("A1:D1")
    for row in [[None, "a note"], [], *rows_of(frame)]:
        book.active.append(row)
    book.save(folder / "a.xlsx")
    return Table(folder / "a.xlsx", frame, ["above the header"])


@table
def a_mark_that_is_no_ascii(folder):
    frame = customers()
    path = write(folder / "a.csv", rows_of(frame), "§")
    return Table(path, frame, [], "separated by '§'", {"separator": "§"})


@table
def bands_and_numbered_answers(folder):
    random = np.random.default_rng(11)
    ages, likes = ["under 18", "18-29", "30-64", "65+"], ["1 - not at all", "2", "3", "4 - very"]
    codes = np.column_stack([random.integers(0, 4, N_ROWS), random.integers(0, 4, N_ROWS)])
    messy = pd.DataFrame(
        {"age": np.array(ages)[codes[:, 0]], "likes": np.array(likes)[codes[:, 1]]}
    )
    messy["class"] = np.where(codes.sum(axis=1) + random.normal(0, 0.5, N_ROWS) > 3, "yes", "no")
    clean = messy.copy()
    for name, steps in (("age", ages), ("likes", likes)):
        clean[name] = pd.Categorical(messy[name], steps, ordered=True)
    return Table(write(folder / "a.csv", rows_of(messy)), clean, ["order", "order"])


@table
def compressed_parts(folder):
    frame = customers()
    for number, part in enumerate(np.array_split(np.arange(N_ROWS), 3)):
        frame.iloc[part].to_csv(folder / f"part-{number}.csv.gz", index=False)
    return Table(folder / "part-*.csv.gz", frame, [])


@table
def hospital_values_with_units(folder):
    random = np.random.default_rng(12)
    clean = pd.DataFrame(
        {
            "weight": np.round(random.normal(75, 12, N_ROWS), 1),
            "temperature": np.round(random.normal(37, 0.6, N_ROWS), 1),
            "CRP": np.round(random.lognormal(2, 1, N_ROWS), 1),
        }
    )
    clean["class"] = np.where(clean["CRP"] + random.normal(0, 2, N_ROWS) > 9, "ill", "well")
    messy = clean.astype(object)
    messy["weight"] = [f"{x} kg" for x in clean["weight"]]
    messy["temperature"] = [f"{x}\N{DEGREE SIGN}C" for x in clean["temperature"]]
    messy["CRP"] = [f"{x} mg/l" for x in clean["CRP"]]
    messy.loc[5, "weight"], clean.loc[5, "weight"] = "refused", np.nan
    path = write(folder / "a.csv", rows_of(messy))
    return Table(path, clean, ["odd cells", "spelling", "spelling", "spelling"])


@table
def sensors_that_write_999_with_decimals(folder):
    frame = customers()
    messy, clean = frame.copy(), frame.copy()
    messy.loc[::9, "income"], clean.loc[::9, "income"] = -999, np.nan
    messy["income"] = [f"{x:.2f}" for x in messy["income"]]
    path = write(folder / "a.csv", [["# station 17"], *rows_of(messy)])
    return Table(path, clean, ["above the header"], arguments={"missing": ["-999"]})


@table
def classes_with_spaces_and_umlauts(folder):
    frame = customers().rename(columns={"class": "Für gut befunden", "age": "Größe (cm)"})
    frame["Für gut befunden"] = frame["Für gut befunden"].map(
        {"yes": "sehr gut", "no": "nicht so gut, nö"}
    )
    rows = [[f" {cell} " for cell in row] for row in rows_of(frame)]
    path = write(folder / "a.csv", rows, ";", "utf-8-sig", "\r\n")
    said = "separated by semicolons"
    return Table(path, frame, [], said, {"target": "Für gut befunden"})


@table
def classes_that_are_numbers(folder):
    frame = customers()
    frame["class"] = np.where(frame["class"] == "yes", 10, 9)
    return Table(write(folder / "a.csv", rows_of(frame)), frame, [])


@table
def classes_that_are_booleans(folder):
    frame = customers()
    frame["class"] = frame["class"] == "yes"
    return Table(write(folder / "a.csv", rows_of(frame)), frame, [])


@table
def lines_that_end_as_on_old_computers(folder):
    frame = customers()
    return Table(write(folder / "a.csv", rows_of(frame), end="\r"), frame, [])


@table
def a_separator_after_every_row(folder):
    frame = customers()
    rows = [[*row, ""] for row in rows_of(frame)]
    clean = frame.assign(**{"column 5": np.nan})
    about = ["header", "empty"]
    return Table(write(folder / "a.csv", rows), clean, about)


@table
def a_bank_statement(folder):
    random = np.random.default_rng(13)
    clean = pd.DataFrame({"Buchungstag": pd.to_datetime(some_days())})
    clean["Betrag"] = np.round(random.normal(0, 900, N_ROWS), 2)
    clean["Empfänger"] = random.choice(["Müller", "REWE", "Bäckerei"], N_ROWS)
    clean["Art"] = np.where(clean["Betrag"] + random.normal(0, 90, N_ROWS) > 0, "Haben", "Soll")
    messy = clean.astype(object)
    messy["Buchungstag"] = [f"{d:%d.%m.%Y}" for d in clean["Buchungstag"]]
    euros = [f"{x:,.2f} €".translate(str.maketrans(",.", ".,")) for x in clean["Betrag"]]
    messy["Betrag"] = euros
    rows = [[f'"{cell}"' for cell in row] for row in rows_of(messy)]
    above = [['"Konto 12345"', "", "", ""], ["", "", "", ""]]
    path = write(folder / "a.csv", [*above, *rows], ";", "cp1252")
    said = "separated by semicolons, in Windows-1252"
    about = ["above the header", "dates", "spelling"]
    return Table(path, clean, about, said, {"target": "Art"})


@table
def a_sheet_with_titles_dates_and_an_empty_first_column(folder):
    openpyxl = pytest.importorskip("openpyxl")
    clean = customers()
    clean.insert(0, "Date", pd.to_datetime(some_days()))
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Sales of 2024"])
    sheet.merge_cells("A1:F1")
    sheet.append([])
    sheet.append([None, *clean.columns])
    for row in clean.itertuples(index=False):
        sheet.append([None, row[0].to_pydatetime(), *row[1:]])
    sheet["C7"], clean.loc[3, "income"] = "#N/A", np.nan
    book.create_sheet("Notes").append(["nothing here"])
    book.save(folder / "a.xlsx")
    clean.insert(0, "column 1", np.nan)
    return Table(folder / "a.xlsx", clean, ["above the header", "header", "dates"])


@table
def objects_with_gaps(folder):
    clean = customers()
    clean.loc[::7, "income"] = np.nan
    clean.loc[::11, "colour"] = None
    lines = []
    for number, row in enumerate(clean.to_dict("records")):
        known = {"age": row["age"], "class": row["class"]}
        if row["income"] == row["income"]:
            known["income"] = row["income"]
        if number % 11:
            known["colour"] = row["colour"]
        lines.append(json.dumps(known))
    (folder / "a.ndjson").write_text("\r\n".join(lines))
    clean = clean[["age", "class", "income", "colour"]]
    return Table(folder / "a.ndjson", clean, [])


@table
def tabs_packed_by_zstandard(folder):
    pa = pytest.importorskip("pyarrow")
    frame = customers()
    write(folder / "a.tsv", rows_of(frame), "\t")
    with pa.CompressedOutputStream(pa.OSFile(str(folder / "a.tsv.zst"), "wb"), "zstd") as file:
        file.write((folder / "a.tsv").read_bytes())
    return Table(folder / "a.tsv.zst", frame, [])


@table
def steps_with_a_mark_of_refusal(folder):
    random = np.random.default_rng(14)
    steps = ["never", "rarely", "sometimes", "often", "always"]
    codes = random.integers(0, 5, (N_ROWS, 2))
    messy = pd.DataFrame(np.array(steps)[codes], columns=["smokes", "drinks"])
    messy["class"] = np.where(codes.sum(1) + random.normal(0, 0.7, N_ROWS) > 4, "ill", "well")
    clean = messy.copy()
    messy.loc[::13, "smokes"] = "prefer not to say"
    clean.loc[::13, "smokes"] = None
    for name in ("smokes", "drinks"):
        clean[name] = pd.Categorical(clean[name], steps, ordered=True)
    arguments = {"missing": ["prefer not to say"]}
    return Table(write(folder / "a.csv", rows_of(messy)), clean, ["order"] * 2, "", arguments)


def accuracy(data):
    rows = np.random.default_rng(0).permutation(data.n_rows)
    cut = data.n_rows * 2 // 3 if data.n_rows > 20 else data.n_rows
    train, test = rows[:cut], rows[cut:] if cut < data.n_rows else rows
    model = LinearMachineTreeClassifier(random_state=0).fit(data.take(train))
    held_out = data.take(test)
    return np.mean(model.predict(held_out) == np.array(data.schema.classes)[held_out.labels])


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
def test_messy_tables_are_as_good_as_clean_ones(make, tmp_path):
    messy = make(tmp_path)
    arguments = {"target": "class", **messy.arguments}
    data = read(messy.path, **arguments)
    assert [remark.about for remark in data.reading.remarks] == messy.remarks
    assert data.reading.dialect == messy.dialect
    clean = from_frame(messy.clean, target=arguments["target"], kinds=messy.kinds)
    assert data.schema.names == clean.schema.names
    assert [c.kind for c in data.schema.columns] == [c.kind for c in clean.schema.columns]
    assert data.schema.classes == clean.schema.classes
    np.testing.assert_allclose(data.X, clean.X, rtol=1e-9)
    # The same rows under the schema, as a model meets them.
    how = {name: value for name, value in arguments.items() if name != "target"}
    again = read(messy.path, schema=data.schema, **how)
    np.testing.assert_array_equal(again.X, data.X)
    assert accuracy(data) == pytest.approx(accuracy(clean), abs=0.01)


def test_the_tables_differ_from_guessing():
    frame = customers()
    assert accuracy(from_frame(frame, target="class")) > 0.85


def test_the_gallery_is_large():
    assert len(TABLES) >= 50


def test_one_dirty_cell_in_2_000_is_a_missing_one(tmp_path):
    trees = []
    for number, cell in enumerate(["n/a yet", ""]):
        messy = customers(2000).astype(object)
        messy.loc[1234, "income"] = cell
        data = read(write(tmp_path / f"{number}.csv", rows_of(messy)), target="class")
        trees.append(LinearMachineTreeClassifier(pruning="pessimistic", random_state=0).fit(data))
    dirty, missing = (tree.tree_ for tree in trees)
    assert dirty.n_nodes > 1
    assert dirty.splits.reals.tolist() == missing.splits.reals.tolist()
    assert dirty.counts.tolist() == missing.counts.tolist()


def test_a_class_that_is_there_twice_is_refused(tmp_path):
    path = write(tmp_path / "a.csv", [["a", "class", "class"], [1, 2, "u"], [3, 4, "v"]])
    with pytest.raises(DataError, match="two columns are called 'class'; rename the one that is"):
        read(path, target="class")


def test_groups_that_are_called_by_bounds_are_steps_not_numbers(tmp_path):
    rows = [["pay", "class"], *([["<50", "u"], [">50", "v"], ["50", "v"]] * 10)]
    data = read(write(tmp_path / "a.csv", rows), target="class")
    assert data.schema.columns[0].values == ("<50", "50", ">50")


@pytest.mark.parametrize("above", ["# written by a program\n", "Sales of 2024\n\n", "x;y;z\n\n"])
def test_lines_above_the_header_are_left_out_and_named(tmp_path, above):
    path = tmp_path / "a.csv"
    path.write_text(above + "a,b,class\n1,2,u\n3,4,v\n5,?,u\n")
    data = read(path, target="class")
    assert data.X[:2].tolist() == [[1, 2], [3, 4]]
    title = above.split("\n")[0]
    assert [remark.sentence for remark in data.reading.remarks] == [
        f"1 line above the header, {title!r}, is left out"
    ]
    [block] = read_blocks(path, data.schema, keep=["class"])
    assert block.data.n_rows == 3
    path.write_text(path.read_text() + "6,7,?\n")
    line = path.read_text().count("\n")
    with pytest.raises(DataError, match=f"line {line}: the class 'class' is missing"):
        read(path, target="class")


def test_a_title_is_told_from_a_header_without_a_known_name(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("Sales of 2024\n\na,b,c\n1,2,u\n3,4,v\n")
    assert read(path, labelled=False).schema.names == ("a", "b", "c")
    path.write_text(",x,y\n0,1,2\n1,3,4\n")  # as pandas writes an index
    assert read(path, labelled=False).schema.names == ("column 1", "x", "y")
    path.write_text("a,,\n1,2,u\n3,4,v\n")  # nothing below is a header
    assert read(path, labelled=False).schema.names == ("a", "column 2", "column 3")


@pytest.mark.parametrize("header", [True, False])
def test_what_the_user_says_of_the_header_is_not_questioned(tmp_path, header):
    path = tmp_path / "a.csv"
    path.write_text("t,,\na,b,c\nx,y,z\n")
    names = read(path, labelled=False, header=header).schema.names
    assert names == (
        ("t", "column 2", "column 3") if header else tuple(f"column {i}" for i in (1, 2, 3))
    )


def test_lines_that_fill_as_many_cells_as_the_header_are_no_title(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y,z\na,b,class\n1,2,u\n")
    with pytest.raises(DataError, match="the class 'class' is named in line 2, not in the first"):
        read(path, target="class")
