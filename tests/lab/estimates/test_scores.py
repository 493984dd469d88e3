"""Measures beside scikit-learn's, and intervals beside those of a bootstrap."""

import numpy as np
import pytest
from sklearn import metrics

from miter.lab.estimates.evaluation import count_pairs
from miter.lab.estimates.scores import confusion_scores, probability_scores


def answers(n_rows=400, n_classes=3, seed=0):
    random = np.random.default_rng(seed)
    truth = random.choice(n_classes, n_rows, p=[0.6, 0.3, 0.1][:n_classes])
    shares = random.dirichlet(np.ones(n_classes), n_rows).round(2)
    shares[np.arange(n_rows), truth] += random.random(n_rows)
    shares /= shares.sum(axis=1, keepdims=True)
    return truth, shares


def all_scores(truth, shares):
    confusion = count_pairs(truth, shares.argmax(axis=1), shares.shape[1])
    balanced, f1, by_class = confusion_scores(confusion)
    return {"balanced": balanced, "f1": f1} | probability_scores(truth, shares), by_class


def test_values_are_those_of_scikit_learn():
    truth, shares = answers()
    scores, by_class = all_scores(truth, shares)
    predicted = shares.argmax(axis=1)
    expected = {
        "balanced": metrics.balanced_accuracy_score(truth, predicted),
        "f1": metrics.f1_score(truth, predicted, average="macro"),
        "roc_auc": metrics.roc_auc_score(truth, shares, multi_class="ovr"),
        "log_loss": metrics.log_loss(truth, shares),
        "brier": ((np.eye(3)[truth] - shares) ** 2).sum(axis=1).mean(),
    }
    assert {name: score.value for name, score in scores.items()} == pytest.approx(expected)
    precision, recall, f1, n_rows = metrics.precision_recall_fscore_support(truth, predicted)
    assert [score.precision.value for score in by_class] == pytest.approx(precision)
    assert [score.recall.value for score in by_class] == pytest.approx(recall)
    assert [score.f1.value for score in by_class] == pytest.approx(f1)
    assert [score.n_rows for score in by_class] == n_rows.tolist()


def test_intervals_are_as_wide_as_a_bootstrap_says():
    truth, shares = answers()
    scores, by_class = all_scores(truth, shares)
    random = np.random.default_rng(1)
    drawn = []
    for _ in range(400):
        rows = random.integers(0, len(truth), len(truth))
        one, classes = all_scores(truth[rows], shares[rows])
        drawn.append([*(score.value for score in one.values()), classes[1].f1.value])
    widths = 2 * 1.96 * np.std(drawn, axis=0)
    ours = [score.high - score.low for score in [*scores.values(), by_class[1].f1]]
    # 400 samples know a deviation to about 4 %, and the intervals are those of large samples.
    assert ours == pytest.approx(widths, rel=0.15)


def test_classes_without_rows_and_without_answers():
    balanced, f1, by_class = confusion_scores(np.array([[5, 0, 1], [2, 0, 0], [0, 0, 0]]))
    assert (by_class[1].precision, by_class[2].recall) == (None, None)
    assert by_class[2].precision.value == 0
    assert balanced.value == pytest.approx(5 / 12)
    assert 0 <= f1.low <= f1.value <= f1.high <= 1


def test_one_class_has_no_curve():
    scores = probability_scores(np.zeros(3, int), np.array([[1.0, 0], [0.5, 0.5], [0, 1]]))
    assert scores["roc_auc"] is None
    assert scores["log_loss"].value < np.inf


def test_equal_probabilities_count_half():
    shares = np.full((10, 2), 0.5)
    assert probability_scores(np.arange(10) % 2, shares)["roc_auc"].value == 0.5
