"""Trees as pictures: what they say, that it fits, and that words stay words."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_wine

import miter
from miter import c45, id3, plot_tree
from miter.data import Column, Schema, play_tennis
from miter.show import save_picture
from miter.splits import Category, Linear, Machine, Network, PackedSplits, Term, Threshold
from miter.tree import Tree

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
from matplotlib import pyplot
from matplotlib.colors import to_hex
from matplotlib.patches import FancyBboxPatch, Rectangle

from miter.show.colours import class_style

LENGTH, COLOUR = Column("length", "numeric"), Column("colour", "symbolic", ("red", "green", "blue"))
SCHEMA = Schema((LENGTH, COLOUR, Column("width", "numeric")), ("no", "yes"))


def make_tree(splits, counts, schema=SCHEMA):
    return Tree(schema, PackedSplits.of(splits), np.array(counts, float))


def words(ax):
    return [text.get_text() for text in ax.texts]


def grown(n_leaves):
    """Return a tree of two branches a node and at most so many leaves."""
    random = np.random.default_rng(3)
    X = random.normal(size=(400, 4))
    y = (X[:, 0] * X[:, 1] + random.normal(size=400) > 0).astype(int)
    pruning = miter.CutToSize(n_leaves)
    return c45(pruning=pruning, min_samples_leaf=1).fit(X, y)


def test_it_says_the_tests_their_answers_the_classes_and_the_rows():
    ax = plot_tree(id3().fit(play_tennis()), node_ids=True)
    said = words(ax)
    for word in ("Outlook", "Sunny", "Overcast", "Rain", "High", "Yes", "No", "#0  14 rows"):
        assert word in said
    assert said.count("Humidity") == 2


def test_every_kind_of_test_is_drawn():
    terms = Term.number(0, 2.0), Term.symbol(1, (0.0, -1.0, 3.0))
    three = Schema(SCHEMA.columns, ("no", "yes", "perhaps"))
    machine = Machine(
        (0.5, 0.0, 0.0),
        (Term.number(0, 1.0, -1.0, 0.5), Term.number(2, 0.25, -4.0, 1.0)),
        (0, 1, 2),
    )
    network = Network(
        (9.0, 9.0), (Term.number(0, 9.0, -9.0), Term.number(2, 1.0, 2.0)), (1.0, 1.0), 1.5
    )
    splits = [
        Category(1, (0, 1, 2)),
        Linear(terms, 0.5),
        machine,
        network,
        None,
        None,
        None,
        None,
        None,
        None,
        None,
    ]
    ax = plot_tree(make_tree(splits, np.ones((11, 3)), three))
    said = words(ax)
    assert {"colour", "red", "green", "blue", "largest of 3 sums of"} <= {*said}
    assert "length, width" in said
    assert any(word.startswith("s(9 length + width") for word in said)
    assert "\N{LESS-THAN OR EQUAL TO} 0.5" in said
    assert "2 length" in said
    assert "\N{MINUS SIGN} [colour = green]" in said


def test_a_number_cut_more_than_once_has_a_branch_for_each_part():
    tree = make_tree([Threshold(0, (1.0, 2.5)), None, None, None], np.ones((4, 2)))
    assert {"\N{LESS-THAN OR EQUAL TO} 1", "> 1 and \N{LESS-THAN OR EQUAL TO} 2.5", "> 2.5"} <= {
        *words(plot_tree(tree))
    }


def test_the_way_of_missing_values_is_shown():
    rest = "A row whose value is missing goes down all branches, in parts."
    shared = make_tree([Threshold(0, (1.0,)), None, None], [[5, 5], [5, 0], [0, 5]])
    assert rest in words(plot_tree(shared))
    one_way = make_tree([Threshold(0, (1.0,), missing=1), None, None], [[5, 5], [5, 0], [0, 5]])
    ax = plot_tree(one_way)
    assert words(ax).count("or missing") == 1
    [mark] = [text for text in ax.texts if text.get_text() == "or missing"]
    [answer] = [text for text in ax.texts if text.get_text() == "> 1"]
    assert mark.get_position()[0] == answer.get_position()[0]
    assert rest not in words(ax)
    both = make_tree(
        [Threshold(0, (1.0,), missing=1), Threshold(2, (1.0,)), None, None, None],
        [[5, 5], [5, 1], [0, 4], [5, 0], [0, 1]],
    )
    said = " ".join(words(plot_tree(both)))
    assert "Else a row whose value is missing goes down all branches, in parts." in said
    known = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    assert not any("missing" in word for word in words(plot_tree(one_way, known)))
    known[0, 0] = np.nan
    assert "or missing" in words(plot_tree(one_way, known))


def test_bars_show_the_classes_of_the_rows():
    ax = plot_tree(make_tree([Threshold(0, (1.0,)), None, None], [[6, 2], [6, 0], [0, 2]]))
    bars = [p for p in ax.patches if isinstance(p, Rectangle)]
    own = {}
    for bar in bars:
        own.setdefault(bar.get_y(), []).append(bar)
    [root, *_] = (own[y] for y in sorted(own))
    first, second = sorted(root, key=lambda bar: bar.get_x())
    assert first.get_width() == pytest.approx(3 * second.get_width())
    assert to_hex(first.get_facecolor()).upper() == class_style(0).colour
    assert to_hex(second.get_facecolor()).upper() == class_style(1).colour


def test_lines_are_as_thick_as_rows_took_them():
    ax = plot_tree(make_tree([Threshold(0, (1.0,)), None, None], [[75, 25], [75, 0], [0, 25]]))
    thick, thin = (p.get_linewidth() for p in ax.patches if type(p).__name__ == "PathPatch")
    assert thick > 2 * thin


@pytest.mark.parametrize("n_leaves", [3, 10, 30])
def test_nothing_is_cut_off_or_overlaps(n_leaves, looks_well):
    tree = grown(n_leaves)
    assert tree.tree_.n_nodes in range(2 * n_leaves - 5, 2 * n_leaves)
    looks_well(plot_tree(tree, node_ids=True))


@pytest.mark.parametrize("tests", ["words", "points"])
def test_sums_keep_apart_where_there_are_few_dots(tests, looks_well):
    X, y = load_wine(return_X_y=True, as_frame=True)
    machine = miter.LinearMachineTreeClassifier(terms="linear", whole_tree=False, random_state=0)
    looks_well(plot_tree(machine.fit(X, y), X, tests=tests, max_terms=3), dots=72)


def test_words_are_inside_their_frames(make_rows):
    X, y = make_rows(["a", "a name that is rather long", "b" * 80], ["x", "y and more words", "z"])
    ax = plot_tree(c45(max_depth=3).fit(X, y), X)
    ax.figure.canvas.draw()
    frames = [p.get_window_extent() for p in ax.patches if isinstance(p, FancyBboxPatch)]
    n_inside = 0
    for text in ax.texts:
        box = text.get_window_extent()
        middle = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
        for frame in frames:
            if frame.contains(*middle):
                n_inside += 1
                assert frame.x0 <= box.x0
                assert box.x1 <= frame.x1
                assert frame.y0 <= box.y0 + 1
                assert box.y1 <= frame.y1 + 1
    assert n_inside >= 2 * len(frames)


def test_frames_do_not_overlap_and_children_are_below():
    ax = plot_tree(grown(30))
    frames = [p.get_window_extent() for p in ax.patches if isinstance(p, FancyBboxPatch)]
    for number, a in enumerate(frames):
        for b in frames[:number]:
            assert not a.overlaps(b)


def test_nineteen_classes_with_names_of_sixty_letters(make_rows, looks_well):
    classes = [
        f"class {k:2d} {'of a rather long name that is made up of many words'}"[:60]
        for k in range(19)
    ]
    assert {len(name) for name in classes} == {60}
    columns = [
        f"column {k} {'whose name is rather long, with sixty letters in it'}"[:60] for k in range(6)
    ]
    X, y = make_rows(columns, classes, n=600)
    tree = c45(min_samples_leaf=10).fit(X, y)
    ax = plot_tree(tree)
    looks_well(ax)
    joined = " ".join(words(ax))
    for name in {*y}:
        # Over several lines, but whole.
        assert name.split(" of ")[0] in joined
    assert "\N{HORIZONTAL ELLIPSIS}" not in joined


@pytest.mark.parametrize(
    "learner", ["LinearMachineTreeClassifier", "UnivariateTreeClassifier", "ReadableTreeClassifier"]
)
def test_hostile_names_are_text(learner, hostile, make_rows, looks_well, tmp_path):
    classes = [name for name in hostile if name]
    X, y = make_rows([name or "empty" for name in hostile], classes[:5], values=classes)
    tree = getattr(miter, learner)(random_state=0, max_depth=2).fit(X, y)
    ax = plot_tree(tree, X)
    looks_well(ax)
    assert all(not text.get_parse_math() for text in ax.texts)
    for suffix in ("png", "svg", "pdf"):
        save_picture(ax, tmp_path / f"tree.{suffix}")
    drawn = (tmp_path / "tree.svg").read_text("utf-8")
    assert "<script" not in drawn
    assert "$x$ and $" in drawn


def test_text_is_text_in_svg(tmp_path):
    save_picture(plot_tree(id3().fit(play_tennis())), tmp_path / "tree.svg")
    drawn = (tmp_path / "tree.svg").read_text("utf-8")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", drawn)
    assert {"Outlook", "Humidity", "Sunny", "14 rows", "Yes"} <= {text.strip() for text in texts}


def test_text_is_text_in_pdf(tmp_path):
    save_picture(plot_tree(id3().fit(play_tennis())), tmp_path / "tree.pdf")
    content = (tmp_path / "tree.pdf").read_bytes()
    assert b"/FontFile2" in content or b"/TrueType" in content
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not here")
    said = subprocess.run(
        ["pdftotext", tmp_path / "tree.pdf", "-"], capture_output=True, text=True, check=True
    ).stdout
    assert "Outlook" in said


def test_the_same_picture_gives_the_same_file(tmp_path):
    for suffix in ("svg", "pdf", "png"):
        tree = id3().fit(play_tennis())
        for name in ("one", "other"):
            save_picture(plot_tree(tree), tmp_path / f"{name}.{suffix}")
        assert (tmp_path / f"one.{suffix}").read_bytes() == (
            tmp_path / f"other.{suffix}"
        ).read_bytes()


def test_large_trees_are_shown_as_far_as_they_can_be_read():
    random = np.random.default_rng(0)
    X = random.normal(size=(500, 3))
    tree = c45(pruning=None, min_samples_leaf=1).fit(X, random.integers(0, 2, 500))
    n_nodes = tree.tree_.n_nodes
    assert n_nodes > 200
    said = words(plot_tree(tree))
    [line] = [word for word in said if "left out" in word]
    n_hidden, n_all = map(int, re.findall(r"\d+", line.replace(",", "")))
    assert n_all == n_nodes
    assert n_all - n_hidden <= 100
    assert sum(int(w.split()[0]) for w in said if w.endswith("nodes below")) == n_hidden
    assert not any("left out" in w for w in words(plot_tree(tree, max_depth=tree.get_depth())))


def test_of_many_branches_the_largest_are_shown():
    values = tuple(f"v{k}" for k in range(200))
    schema = Schema((Column("code", "symbolic", values),), ("no", "yes"))
    counts = [[2000.0, 200.0], *([float(k + 1), 1.0] for k in range(200))]
    tree = make_tree([Category(0, tuple(range(200))), *[None] * 200], counts, schema)
    said = words(plot_tree(tree))
    assert "171 more branches" in said
    assert "v199" in said
    assert "v0" not in said
    assert "v171" in said
    assert "171 of 201 nodes are left out." in said


def test_branches_without_rows_are_gathered():
    machine = Machine(
        (0.0,) * 4,
        (Term.number(0, 1.0, 2.0, 3.0, 4.0), Term.number(2, 1.0, 2.0, 3.0, 0.0)),
        (0, 1, 2, 3),
    )
    schema = Schema(SCHEMA.columns, ("a", "b", "c", "d"))
    tree = make_tree(
        [machine, *[None] * 4], [[5, 4, 0, 0], [5, 0, 0, 0], [0, 4, 0, 0], [0] * 4, [0] * 4], schema
    )
    said = words(plot_tree(tree))
    assert "2 more branches" in said
    assert "no training rows" in said


def test_a_leaf_alone():
    said = words(plot_tree(make_tree([None], [[3, 1]])))
    assert said[:2] == ["no", "3 of 4 rows"]


def test_points_tables(make_rows, looks_well):
    X, y = make_rows(["a", "b", "c"], ["x", "y", "z"])
    tree = miter.LinearMachineTreeClassifier(random_state=0).fit(X, y)
    ax = plot_tree(tree, X, tests="points")
    looks_well(ax)
    said = words(ax)
    table = miter.points(tree, X, max_rows=5)
    assert "start" in said
    for row in table.rows:
        assert row.say(table.schema).replace("-", "\N{MINUS SIGN}") in " ".join(said)
    numbers = [text.replace("\N{MINUS SIGN}", "-") for text in said]
    assert all(str(n) in numbers for n in table.points.ravel().tolist())
    with pytest.raises(miter.DataError, match="points tables are found by rows; give X"):
        plot_tree(tree, tests="points")


def test_axes_that_are_given_are_filled(looks_well):
    _, (left, right) = pyplot.subplots(1, 2, figsize=(12, 6))
    tree = id3().fit(play_tennis())
    assert plot_tree(tree, ax=left) is left
    plot_tree(grown(20), ax=right)
    looks_well(left)
    bounds = right.get_window_extent()
    for text in right.texts:
        box = text.get_window_extent()
        assert bounds.x0 - 1 <= box.x0
        assert box.x1 <= bounds.x1 + 1


def test_letters_get_no_larger_than_wanted():
    _, ax = pyplot.subplots(figsize=(30, 30))
    plot_tree(id3().fit(play_tennis()), fontsize=12, ax=ax)
    assert max(text.get_fontsize() for text in ax.texts) == 12


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"tests": "word"}, "tests is 'word'; did you mean 'words'"),
        ({"max_depth": -1}, "max_depth is -1; give a whole number from 0 on, or None"),
        ({"fontsize": 0}, "fontsize is 0; give a number above 0"),
        ({"max_terms": 0}, "max_terms is 0; give a whole number from 1 on"),
        ({"node_ids": "yes"}, "node_ids is 'yes'; give True or False"),
    ],
)
def test_wrong_wishes_are_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        plot_tree(id3().fit(play_tennis()), **wrong)


def test_what_is_no_axes_is_refused():
    with pytest.raises(TypeError, match="ax is a list; give axes of matplotlib"):
        plot_tree(id3().fit(play_tennis()), ax=[1])


def test_a_forest_is_refused_with_the_cure():
    forest = miter.BaggedTreesClassifier(id3(), n_estimators=3).fit(play_tennis())
    with pytest.raises(ValueError, match=r"has 3 trees; give one of them, as model.trees_\[0\]"):
        plot_tree(forest)
    assert "Yes" in words(plot_tree(forest.trees_[0]))


def test_without_matplotlib_the_extra_is_named(without_matplotlib):
    tree = id3().fit(play_tennis())
    with without_matplotlib():
        plot_tree(tree)


@pytest.mark.parametrize("name", ["tree.docx", "tree"])
def test_other_suffixes_are_refused(name, tmp_path):
    with pytest.raises(miter.DataError, match=r"but pictures are \.png, \.svg or \.pdf"):
        save_picture(plot_tree(id3().fit(play_tennis())), tmp_path / name)
    assert not (tmp_path / name).exists()


def test_what_is_no_picture_is_not_saved(tmp_path):
    with pytest.raises(TypeError, match="a list is no picture"):
        save_picture([], tmp_path / "tree.png")
