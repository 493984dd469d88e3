"""Ctrl-C is answered in the middle of a native call, also within one large node.

Every call here would take minutes. One process makes them all, each with a signal sent soon after
it has begun, and says which of them gave up.
"""

import re
import subprocess
import sys

import pytest

SCRIPT = '''
import os, signal, threading, time
import numpy as np
from miter.data import Column, Data, Schema
from miter.level import Level, Sample
from miter import core
from miter.splits import Category, Linear, Machine, Network, PackedSplits, Term
from miter.splitters import *
from miter.tree import Tree

random = np.random.default_rng(0)
signal.signal(signal.SIGINT, signal.default_int_handler)


def table(n_rows, n_columns, n_classes):
    """Numbers that say nothing of the classes."""
    columns = tuple(Column(f"x{i}", "numeric") for i in range(n_columns))
    X = random.normal(size=(n_rows, n_columns)).astype(np.float32)
    y = random.integers(0, n_classes, n_rows).astype(np.int32)
    return Data(Schema(columns, tuple(range(n_classes))), X, y)


def search(splitter, data):
    level = Level.roots(data, [Sample.whole(data)], seed=0, n_threads=2)
    find = splitter.begin(data, 1, 2)
    return lambda: find(level)


def bushy_tree():
    """A row without a value goes to every node of this tree."""
    schema = Schema((Column("x", "symbolic", ("a", "b")),), (0, 1))
    n_inner = 2**15 - 1
    splits = PackedSplits.of([Category(0, (0, 1))] * n_inner + [None] * (n_inner + 1))
    return Tree(schema, splits, np.ones((len(splits), 2)))


def predict():
    tree, X = bushy_tree(), np.full((500_000, 1), np.nan)
    return lambda: tree.predict_proba(X, 2)


def count():
    tree, n = bushy_tree(), 500_000
    data = Data(tree.schema, np.full((n, 1), np.nan), np.zeros(n, np.int32))
    return lambda: tree.count(data)


def wide_network(data):
    """A tree of one network that takes long to answer for a row."""
    hidden = 3_000
    n_columns = data.schema.n_columns
    terms = tuple(Term.number(c, *random.normal(size=hidden).tolist()) for c in range(n_columns))
    network = Network((0.0,) * hidden, terms, tuple(random.normal(size=hidden).tolist()), 0.0)
    splits = PackedSplits.of([network, None, None])
    return Tree(data.schema, splits, np.ones((3, data.schema.n_classes)))


def apply():
    tree = wide_network(many)
    return lambda: tree.apply(many.X, 2)


def paths():
    tree = wide_network(many)
    return lambda: tree.rows_of_nodes(many.X)


def influences():
    tree = wide_network(many)
    start = np.array([0, len(many.X), len(many.X), len(many.X)], np.int64)
    rows = np.arange(len(many.X), dtype=np.int32)
    return lambda: tree.native_splits.influences(many.X, rows, start, 2)


def route():
    level = Level.roots(many, [Sample.whole(many)], seed=0, n_threads=2)
    tree = wide_network(many)
    splits = tree.splits.take(np.arange(1))
    splits = core.Splits(*splits.arrays, splits.n_branches, tree.schema.n_values)
    return lambda: core.route_level(level.table, level.native, splits, None)


def attribute(cells, max_states):
    """Every mixture of two rows that differ in many columns."""
    schema = table(1, 40, 2).schema
    terms = tuple(Term.number(c, 1.0 + c / 100) for c in range(40))
    tree = Tree(schema, PackedSplits.of([Linear(terms, 0.0), None, None]), np.ones((3, 2)))
    X = np.full((1, 40), cells)
    return lambda: core.attribute(
        tree.router, X, -X, tree.probabilities, max_states, 10**9, 0, 2
    )


def whole_tree():
    """A few passes through many rows; growing took no time."""
    data = table(300_000, 40, 20)
    terms = tuple(Term.number(c, *[0.0] * 20) for c in range(40))
    machine = Machine((0.0,) * 20, terms, tuple(range(20)))
    splits = PackedSplits.of([machine] + [None] * 20)
    tree = Tree(data.schema, splits, np.ones((21, 20)))
    return lambda: WholeTreeSplitter().finish(tree, data, 2)


few, many = table(10_000, 60, 40), table(150_000, 40, 20)
CALLS = {
    "univariate": lambda: search(
        UnivariateSplitter("gain", thresholds="exact"), table(300_000, 1, 60_000)
    ),
    "linear combination": lambda: search(LinearCombinationSplitter(n_init=10_000), few),
    "annealed": lambda: search(
        AnnealedMachineSplitter(anneal=True, max_rows=10**6, tolerance=1e-12), many
    ),
    "eliminating": lambda: search(AnnealedMachineSplitter(eliminate=True), table(2_000, 1_500, 10)),
    "thermal": lambda: search(ThermalMachineSplitter(a=0.99999, b=0.0), few),
    "perceptron": lambda: search(PerceptronSplitter("gradient", epochs=10**6), few),
    "network": lambda: search(NetworkSplitter(n_init=10**6), few),
    "network by gradient": lambda: search(NetworkSplitter("gradient", epochs=10**6), few),
    "ica": lambda: search(ICASplitter("em", stop=None, max_rows=10**6, n_init=40), many),
    "labelled ica": lambda: search(LabelledICASplitter(stop=None, max_rows=10**6), many),
    "sparse": lambda: search(SparseSplitter(), table(30_000, 300, 20)),
    "random cuts": lambda: search(RandomCutSplitter(), table(2_000, 20_000, 2_000)),
    "hybrid": lambda: search(HybridSplitter(choice="t_test", hidden=20), many),
    "whole tree": whole_tree,
    "routing": route,
    "apply": apply,
    "paths": paths,
    "influences": influences,
    "predict": predict,
    "count": count,
    "attribute": lambda: attribute(1.0, 10**12),
    "attribute by draws": lambda: attribute(1.0, 1),
}


def interrupt():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)
    global sent
    sent = time.process_time()


for name, prepare in CALLS.items():
    call = prepare()
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        call()
        print(f"{name}: ended")
    except KeyboardInterrupt:
        print(f"{name}: interrupted after {time.process_time() - sent:.3f} s")
    time.sleep(0.1)
'''
CALLS = (
    "univariate",
    "linear combination",
    "annealed",
    "eliminating",
    "thermal",
    "perceptron",
    "network",
    "network by gradient",
    "ica",
    "labelled ica",
    "sparse",
    "random cuts",
    "hybrid",
    "whole tree",
    "routing",
    "apply",
    "paths",
    "influences",
    "predict",
    "count",
    "attribute",
    "attribute by draws",
)


@pytest.fixture(scope="module")
def said():
    """What became of every call; one that does not answer ends the process, and those after it."""
    command = [sys.executable, "-c", SCRIPT]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        return done.stdout + done.stderr
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode()


@pytest.mark.parametrize("call", CALLS)
def test_every_native_call_answers(said, call):
    answer = re.search(rf"^{call}: interrupted after ([0-9.]+) s$", said, re.MULTILINE)
    assert answer, said
    # Of work by two threads: a second of the clock when nothing else runs.
    assert float(answer[1]) < 2
