import numpy as np
import pytest

from miter.lab.estimates.evaluation import count_pairs
from miter.reporting import endings
from miter.reporting.endings import ending_contents

from .conftest import fitted, table


def pairs(numbers):
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def matrix_of(tree, contents):
    """Count answers by groups alone."""
    matrix = np.zeros((3, 3), np.int64)
    for node, counts in contents["whole"]:
        for truth, count in pairs(counts):
            matrix[truth, tree.labels[node]] += count
    for _, parts, counts in contents["shared"]:
        merit = sum(share * tree.merit[node] for node, share in pairs(parts))
        for truth, count in pairs(counts):
            matrix[truth, int(np.argmax(merit))] += count
    return matrix


@pytest.mark.parametrize("name", ["univariate", "id3", "costs", "linear machine", "a leaf"])
def test_groups_tell_all_answers(name):
    tree, data = fitted(name).tree_, table(500, seed=4)
    contents = ending_contents(tree, data)
    wanted = count_pairs(data.labels, tree.predict(data.X), 3)
    assert contents["left_out"] == 0
    assert (matrix_of(tree, contents) == wanted).all()


def test_shares_of_a_group_are_those_of_the_router():
    tree, data = fitted("univariate").tree_, table(500, seed=4)
    contents = ending_contents(tree, data)
    assert contents["shared"]
    for begin, parts, _ in contents["shared"]:
        assert sum(share for _, share in pairs(parts)) == pytest.approx(1)
        assert 0 <= begin < tree.n_nodes


def test_what_has_no_place_is_counted(monkeypatch):
    monkeypatch.setattr(endings, "MOST_SHARED", 2)
    tree, data = fitted("univariate").tree_, table(500, seed=4)
    contents = ending_contents(tree, data)
    kept = sum(sum(counts[1::2]) for _, _, counts in contents["shared"])
    whole = sum(sum(counts[1::2]) for _, counts in contents["whole"])
    assert len(contents["shared"]) == 2
    assert kept + whole + contents["left_out"] == 500
