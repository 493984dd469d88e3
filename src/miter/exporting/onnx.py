"""ONNX, for onnxruntime and what else runs it.

All splits of all trees are computed for all rows at once: expressions of one form become one
operation on a matrix of rows x expressions. What part of a row comes to each node is then a
product of shares, level by level, and the answer a product of matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from miter.data.costs import ROUNDING
from miter.exporting.program import Program, TreeProgram
from miter.splits import SHARE, STAY
from miter.splits.expression import (
    Cell,
    Constant,
    Distance,
    Expression,
    IfMissing,
    Largest,
    Lookup,
    Sigmoid,
    Step,
    Sum,
)

__all__ = ["write_onnx"]

#: The matrix of numbers and codes; what is computed is called alike, and no column is.
OWN = "miter\n"
X = f"{OWN}x"
OPSETS = {"": 17, "ai.onnx.ml": 3}


def write_onnx(program: Program) -> bytes:
    """Return a model whose inputs are the columns, each of shape (rows, 1), by their names.

    Numbers are doubles, NaN where missing; symbols are strings, where any unknown one is missing.
    Outputs are `label` and `probabilities`.

    Parameters
    ----------
    program : Program
        What the model computes.
    """
    try:
        import onnx
    except ImportError:
        raise ValueError("ONNX needs the package onnx; pip install 'miter[onnx]'") from None
    taken = {"label", "probabilities", ""}
    wrong = next((n for n in program.schema.names if n in taken or n.startswith(OWN)), None)
    if wrong is not None:
        raise ValueError(f"ONNX needs the name {wrong!r} of a column for itself; rename the column")
    graph = _Graph()
    inputs = _read_columns(graph, program)
    shares, merits = _answer(graph, program)
    graph.add("Identity", [shares], output="probabilities")
    _name_classes(graph, program, graph.add("Squeeze", [merits, graph.whole([1])]))
    labels, doubles = onnx.TensorProto.STRING, onnx.TensorProto.DOUBLE
    kind = {str: labels, bool: onnx.TensorProto.BOOL, int: onnx.TensorProto.INT64}
    value = onnx.helper.make_tensor_value_info
    outputs = [
        value("label", kind.get(type(program.schema.classes[0]), doubles), [None]),
        value("probabilities", doubles, [None, program.schema.n_classes]),
    ]
    made = onnx.helper.make_graph(graph.nodes, "miter", inputs, outputs, graph.tensors)
    opsets = [onnx.helper.make_opsetid(name, version) for name, version in OPSETS.items()]
    model = onnx.helper.make_model(made, opset_imports=opsets, ir_version=8, producer_name="miter")
    written: bytes = model.SerializeToString()
    return written


class _Graph:
    """Operations and constants, each with a name that no column has."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []

    def add(
        self, kind: str, inputs: Sequence[str], output: str = "", domain: str = "", **options: Any
    ) -> str:
        """Add an operation and return the name of its result."""
        from onnx import helper

        name = output or f"{OWN}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], domain=domain, **options))
        return name

    def constant(self, values: Any, dtype: Any = np.float64) -> str:
        """Add a constant and return its name."""
        from onnx import numpy_helper

        name = f"{OWN}constant {len(self.tensors)}"
        self.tensors.append(numpy_helper.from_array(np.array(values, dtype), name))
        return name

    def whole(self, values: Any) -> str:
        """Add whole numbers, such as positions."""
        return self.constant(values, np.int64)

    def take(self, matrix: str, columns: Sequence[int]) -> str:
        """Add the choice of some columns of a matrix."""
        return self.add("Gather", [matrix, self.whole(columns)], axis=1)

    def equals(self, matrix: str, numbers: Any) -> str:
        """Add the comparison of a matrix of whole numbers."""
        return self.add("Equal", [matrix, self.constant(numbers)])

    def same_for_all(self, number: float) -> str:
        """Add a column that holds the same number for every row."""
        is_any = self.add("IsNaN", [self.take(X, [0])])
        number_of_all = self.constant([[number]])
        return self.add("Where", [is_any, number_of_all, number_of_all])

    def as_double(self, value: str) -> str:
        """Add a conversion."""
        return self.add("Cast", [value], to=11)


def _read_columns(graph: _Graph, program: Program) -> list[Any]:
    """Add the inputs, and the matrix x of numbers and codes; return the inputs."""
    from onnx import TensorProto, helper

    inputs, columns = [], []
    for column, codes in program.codes:
        kind = TensorProto.DOUBLE if codes is None else TensorProto.STRING
        inputs.append(helper.make_tensor_value_info(column.name, kind, [None, 1]))
        if codes is None:
            columns.append(column.name)
            continue
        keys = [text.encode(errors="surrogatepass") for text in codes]
        code = graph.add(
            "LabelEncoder",
            [column.name],
            domain="ai.onnx.ml",
            keys_strings=keys,
            values_floats=[float(code) for code in codes.values()],
            default_float=float("nan"),
        )
        columns.append(graph.as_double(code))
    graph.add("Concat", columns, output=X, axis=1)
    return inputs


def _values(graph: _Graph, some: Sequence[Expression]) -> str:
    """Add the values of expressions: a matrix of rows x expressions, or one row for all."""
    forms: dict[Any, list[int]] = {}
    for position, expression in enumerate(some):
        forms.setdefault(_form(expression), []).append(position)
    if len(forms) == 1:
        return _alike(graph, some)
    blocks = [_alike(graph, [some[p] for p in own]) for own in forms.values()]
    zero = graph.same_for_all(0.0)
    # A row of constants is repeated for every row.
    blocks = [graph.add("Add", [block, zero]) for block in blocks]
    order = np.argsort([p for own in forms.values() for p in own])
    return graph.take(graph.add("Concat", blocks, axis=1), order.tolist())


def _form(expression: Expression) -> Any:
    return (Largest, len(expression.of)) if isinstance(expression, Largest) else type(expression)


def _alike(graph: _Graph, some: Sequence[Any]) -> str:
    """Add the values of expressions of one form."""
    first: Expression = some[0]
    match first:
        case Constant():
            return graph.constant([[e.value for e in some]])
        case Cell():
            return graph.take(X, [e.column for e in some])
        case Distance():
            sign = graph.constant([[1.0 if e.is_above else -1.0 for e in some]])
            beyond = graph.add(
                "Sub", [_cells(graph, some), graph.constant([[e.centre for e in some]])]
            )
            return graph.add("Max", [graph.add("Mul", [beyond, sign]), graph.constant([[0.0]])])
        case Lookup():
            return _look_up(graph, some)
        case IfMissing():
            missing = graph.add("IsNaN", [_cells(graph, some)])
            parts = [_values(graph, [getattr(e, n) for e in some]) for n in ("missing", "known")]
            return graph.add("Where", [missing, *parts])
        case Sum():
            return _add(graph, [e.parts for e in some])
        case Step():
            return _steps(graph, some)
        case Sigmoid():
            return graph.add("Sigmoid", [_values(graph, [e.of for e in some])])
        case Largest(of):
            values = _values(graph, [part for e in some for part in e.of])
            shape = graph.whole([-1, len(some), len(of)])
            cube = graph.add("Reshape", [values, shape])
            return graph.as_double(graph.add("ArgMax", [cube], axis=2, keepdims=0))
    assert_never(first)


def _cells(graph: _Graph, some: Sequence[Any]) -> str:
    return graph.take(X, [e.column for e in some])


def _look_up(graph: _Graph, some: Sequence[Lookup]) -> str:
    """Add a choice among tables that are laid end to end; the last of each is for the missing."""
    sizes = [len(e.values) + 1 for e in some]
    starts = np.cumsum([0, *sizes[:-1]])
    table = graph.constant([v for e in some for v in (*e.values, e.otherwise)])
    code = _cells(graph, some)
    last = graph.constant([[size - 1.0 for size in sizes]])
    code = graph.add("Where", [graph.add("IsNaN", [code]), last, code])
    place = graph.add("Add", [code, graph.constant([starts])])
    return graph.add("Gather", [table, graph.add("Cast", [place], to=7)])


def _add(graph: _Graph, sums: Sequence[Sequence[tuple[float, Expression]]]) -> str:
    """Add sums term by term, from left to right; short ones have zeros at their end."""
    nothing = (0.0, Constant(0.0))
    total = ""
    for position in range(max(map(len, sums))):
        parts = [own[position] if position < len(own) else nothing for own in sums]
        product = _values(graph, [part for _, part in parts])
        if any(factor != 1 for factor, _ in parts):
            factors = graph.constant([[factor for factor, _ in parts]])
            product = graph.add("Mul", [product, factors])
        total = graph.add("Add", [total, product]) if total else product
    return total


def _steps(graph: _Graph, some: Sequence[Step]) -> str:
    value, total = _values(graph, [e.of for e in some]), ""
    for position in range(max(len(e.cuts) for e in some)):
        cuts = [e.cuts[position] if position < len(e.cuts) else np.inf for e in some]
        above = graph.as_double(graph.add("Greater", [value, graph.constant([cuts])]))
        total = graph.add("Add", [total, above]) if total else above
    return total


def _answer(graph: _Graph, program: Program) -> tuple[str, str]:
    """Add the probabilities, and the position of the answer among the classes (rows x 1)."""
    if program.answer == "tree":
        tree = _Parts(graph, program.trees[0])
        return tree.blend("probabilities"), tree.label(program)
    parts = [_Parts(graph, tree) for tree in program.trees]
    if program.answer == "votes":
        classes = graph.whole([list(range(program.schema.n_classes))])
        votes = (graph.add("Equal", [tree.label(program), classes]) for tree in parts)
        said = [graph.as_double(vote) for vote in votes]
    else:
        said = [tree.blend("probabilities") for tree in parts]
    total = said[0]
    for one in said[1:]:
        total = graph.add("Add", [total, one])
    shares = graph.add("Div", [total, graph.constant(float(len(parts)))])
    merit = shares
    if program.costs is not None:
        merit = graph.add("MatMul", [shares, graph.constant(-np.array(program.costs).T)])
    return shares, _first_of_largest(graph, merit)


def _first_of_largest(graph: _Graph, merit: str) -> str:
    highest = graph.add("ReduceMax", [merit], axes=[1], keepdims=1)
    size = graph.add("Max", [graph.add("Abs", [highest]), graph.constant([[1.0]])])
    slack = graph.add("Mul", [size, graph.constant([[ROUNDING]])])
    is_best = graph.add("GreaterOrEqual", [merit, graph.add("Sub", [highest, slack])])
    return graph.add("ArgMax", [graph.as_double(is_best)], axis=1, keepdims=1)


class _Parts:
    """What part of each row comes to the nodes of a tree, and what follows from it."""

    def __init__(self, graph: _Graph, tree: TreeProgram) -> None:
        self.graph, self.tree = graph, tree
        self.splits = [n for n, node in enumerate(tree.nodes) if node.expression is not None]
        whole = graph.same_for_all(1.0)
        if not self.splits:
            self.weights = whole
            return
        some = [tree.nodes[n].expression for n in self.splits]
        self.branches = _values(graph, some)  # type: ignore[arg-type]
        self.weights = self._weigh(whole)

    def _weigh(self, whole: str) -> str:
        """Add what part of every row comes to each node, in the order of the nodes."""
        graph, nodes = self.graph, self.tree.nodes
        levels, weights = [[0]], [whole]
        while True:
            steps = [
                (position, number, branch)
                for position, number in enumerate(levels[-1])
                for branch in range(len(nodes[number].children))
            ]
            if not steps:
                break
            splits = [self.splits.index(number) for _, number, _ in steps]
            share = [nodes[number].shares[branch] for _, number, branch in steps]
            taken = graph.take(self.branches, splits)
            is_taken = graph.as_double(graph.equals(taken, [[float(b) for _, _, b in steps]]))
            part = is_taken
            if any(nodes[number].can_share for _, number, _ in steps):
                shared = graph.as_double(graph.equals(taken, float(SHARE)))
                own = graph.add("Mul", [shared, graph.constant([share])])
                part = graph.add("Add", [is_taken, own])
            before = graph.take(weights[-1], [position for position, _, _ in steps])
            weights.append(graph.add("Mul", [before, part]))
            levels.append([nodes[number].children[branch] for _, number, branch in steps])
        order = np.argsort([number for level in levels for number in level])
        return graph.take(graph.add("Concat", weights, axis=1), order.tolist())

    def _ends(self) -> tuple[str, list[int]]:
        """Add the parts of rows that end at nodes where rows may end; return these, too."""
        graph, nodes = self.graph, self.tree.nodes
        numbers = [n for n, node in enumerate(nodes) if node.can_end]
        ends = graph.take(self.weights, numbers)
        inner = [n for n in numbers if nodes[n].children]
        if inner:
            stays = graph.equals(
                graph.take(self.branches, [self.splits.index(n) for n in inner]), float(STAY)
            )
            leaves = [n for n in numbers if not nodes[n].children]
            stay = graph.add("Mul", [graph.take(self.weights, inner), graph.as_double(stays)])
            blocks = [graph.take(self.weights, leaves), stay]
            return graph.add("Concat", blocks, axis=1), leaves + inner
        return ends, numbers

    def blend(self, of: str) -> str:
        """Add what the ends of each row say of the classes."""
        ends, numbers = self._ends()
        table = [getattr(self.tree.nodes[n], of) for n in numbers]
        return self.graph.add("MatMul", [ends, self.graph.constant(table)])

    def label(self, program: Program) -> str:
        """Add the answer of the tree, rows x 1."""
        graph, nodes = self.graph, self.tree.nodes
        ends, numbers = self._ends()
        labels = graph.constant([[float(nodes[n].label)] for n in numbers])
        label = graph.add("Cast", [graph.add("MatMul", [ends, labels])], to=7)
        sharing = [n for n in self.splits if nodes[n].can_share]
        if not sharing:
            return label
        places = [self.splits.index(n) for n in sharing]
        is_shared = graph.as_double(graph.equals(graph.take(self.branches, places), float(SHARE)))
        parts = graph.add("Mul", [graph.take(self.weights, sharing), is_shared])
        most = graph.add("ReduceMax", [parts], axes=[1], keepdims=1)
        blended = _first_of_largest(graph, self.blend("merit"))
        return graph.add(
            "Where", [graph.add("Greater", [most, graph.constant([[0.0]])]), blended, label]
        )


def _name_classes(graph: _Graph, program: Program, answer: str) -> None:
    """Add the classes as the user wrote them."""
    from onnx import numpy_helper

    classes: NDArray[Any] = np.array(program.schema.classes)
    if classes.dtype.kind in "US":
        texts = [label.encode(errors="surrogatepass") for label in program.labels]
        graph.tensors.append(numpy_helper.from_array(np.array(texts, object), f"{OWN}classes"))
        graph.add("Gather", [f"{OWN}classes", answer], output="label")
    else:
        graph.add("Gather", [graph.constant(classes, classes.dtype), answer], output="label")
