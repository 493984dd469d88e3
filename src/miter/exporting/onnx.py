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
    parts = _Parts(graph, program.trees)
    if program.answer == "tree":
        return parts.blend("probabilities", parts.ends), parts.label(0)
    if program.answer == "votes":
        classes = graph.whole([list(range(program.schema.n_classes))])
        votes = (graph.add("Equal", [parts.label(t), classes]) for t in range(len(program.trees)))
        total = graph.add("Sum", [graph.as_double(vote) for vote in votes])
        shares = graph.add("Div", [total, graph.constant(float(len(program.trees)))])
    else:
        # Not divided afterwards: onnxruntime does that in single precision.
        shares = parts.blend("probabilities", parts.ends, 1 / len(program.trees))
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
    """What part of each row comes to the nodes of all trees, and what follows from it."""

    def __init__(self, graph: _Graph, trees: Sequence[TreeProgram]) -> None:
        self.graph = graph
        self.roots = np.cumsum([0, *(len(tree.nodes) for tree in trees)]).tolist()
        self.nodes = [node for tree in trees for node in tree.nodes]
        first = np.repeat(self.roots[:-1], [len(tree.nodes) for tree in trees]).tolist()
        places = zip(self.nodes, first, strict=True)
        self.children = [[root + child for child in node.children] for node, root in places]
        splits = [n for n, node in enumerate(self.nodes) if node.expression is not None]
        #: Where each split is in the matrix of branches.
        self.place = {number: place for place, number in enumerate(splits)}
        some = [e for node in self.nodes if (e := node.expression) is not None]
        self.branches = _values(graph, some) if some else ""
        self.weights = self._weigh()
        #: The nodes where rows may end, in the order of `end_weights`.
        self.ends, self.end_weights = self._end()

    def _branches_at(self, numbers: Sequence[int]) -> str:
        return self.graph.take(self.branches, [self.place[number] for number in numbers])

    def _weigh(self) -> str:
        """Add what part of every row comes to each node, level by level."""
        graph, level = self.graph, self.roots[:-1]
        weights = [graph.take(graph.same_for_all(1.0), [0] * len(level))]
        numbers = [*level]
        while any(self.children[number] for number in level):
            steps = [(p, n, b) for p, n in enumerate(level) for b in range(len(self.children[n]))]
            taken = self._branches_at([number for _, number, _ in steps])
            branches = [[float(branch) for _, _, branch in steps]]
            part = graph.as_double(graph.equals(taken, branches))
            if any(self.nodes[number].can_share for _, number, _ in steps):
                shares = [[self.nodes[number].shares[branch] for _, number, branch in steps]]
                shared = graph.as_double(graph.equals(taken, float(SHARE)))
                shared = graph.add("Mul", [shared, graph.constant(shares)])
                part = graph.add("Add", [part, shared])
            before = graph.take(weights[-1], [position for position, _, _ in steps])
            weights.append(graph.add("Mul", [before, part]))
            level = [self.children[number][branch] for _, number, branch in steps]
            numbers += level
        order = np.argsort(numbers).tolist()
        return graph.take(graph.add("Concat", weights, axis=1), order)

    def _end(self) -> tuple[list[int], str]:
        graph = self.graph
        leaves = [n for n, children in enumerate(self.children) if not children]
        inner = [n for n in self.place if self.nodes[n].can_end]
        weights = graph.take(self.weights, leaves)
        if inner:
            stays = graph.as_double(graph.equals(self._branches_at(inner), float(STAY)))
            stay = graph.add("Mul", [graph.take(self.weights, inner), stays])
            weights = graph.add("Concat", [weights, stay], axis=1)
        return leaves + inner, weights

    def blend(self, of: str, numbers: Sequence[int], factor: float = 1.0) -> str:
        """Add what some of the nodes where parts of each row end say of the classes."""
        table = np.array([getattr(self.nodes[number], of) for number in numbers])
        return self._product(numbers, factor * table)

    def _product(self, numbers: Sequence[int], table: Any) -> str:
        position = {number: place for place, number in enumerate(self.ends)}
        weights = self.end_weights
        if len(numbers) < len(self.ends):
            weights = self.graph.take(weights, [position[number] for number in numbers])
        return self.graph.add("MatMul", [weights, self.graph.constant(table)])

    def label(self, tree: int) -> str:
        """Add the answer of a tree, rows x 1."""
        graph, own = self.graph, range(*self.roots[tree : tree + 2])
        ends = [number for number in self.ends if number in own]
        labels = self._product(ends, [[float(self.nodes[n].label)] for n in ends])
        label = graph.add("Cast", [graph.add("Round", [labels])], to=7)
        sharing = [n for n in own if self.nodes[n].can_share]
        if not sharing:
            return label
        is_shared = graph.as_double(graph.equals(self._branches_at(sharing), float(SHARE)))
        parts = graph.add("Mul", [graph.take(self.weights, sharing), is_shared])
        most = graph.add("ReduceMax", [parts], axes=[1], keepdims=1)
        is_any = graph.add("Greater", [most, graph.constant([[0.0]])])
        blended = _first_of_largest(graph, self.blend("merit", ends))
        return graph.add("Where", [is_any, blended, label])


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
