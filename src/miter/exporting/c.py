"""C99 that allocates nothing and needs the standard library alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import assert_never

from miter.exporting.program import Node, Program
from miter.exporting.remark import no_zero_characters, one_line
from miter.splits import SHARE
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

__all__ = ["write_c"]

#: A number, and what it is multiplied with for each of several sums.
Product = tuple[str, Sequence[float]]

HEAD = """/* A decision made by Miter, in C99: cc -O3 -std=c99 -c model.c (and -lm).

   A row is an array of model_n_columns doubles in the order of model_columns: numbers as they are,
   symbols as codes, NAN where a value is missing. model_code() gives the code of a text, NAN for a
   text that training never saw. A class is a position in model_classes; probabilities come in the
   same order. Rows follow each other without gaps.

   int model_predict(const double *row);
   void model_predict_proba(const double *row, double *chances);
   void model_predict_rows(const double *rows, size_t n_rows, int *classes);
   void model_predict_proba_rows(const double *rows, size_t n_rows, double *chances);
   double model_code(int column, const char *text); */

#include <math.h>
#include <stddef.h>
#include <string.h>
"""


def write_c(program: Program, name: str) -> str:
    """Return a C file with `model_predict`, `model_predict_proba` and the same for many rows.

    Parameters
    ----------
    program : Program
        What the model computes.
    name : str
        What all public names begin with.
    """
    no_zero_characters(program, "C")
    if not name.isidentifier() or not name.isascii():
        raise ValueError(f"name is {name!r}; give a word that C's functions may begin with")
    walk = files("miter.exporting").joinpath("walk.c").read_text("utf-8")
    types, functions = walk.split("/* TABLES */\n")
    writer = _Writer()
    nodes = [writer.node(*place) for place in _places(program)]
    tables = [*_tables(program, nodes, name), *_steps(program)]
    start = [_named(HEAD, name), *_defines(program, name), types]
    return "\n".join([*start, *writer.functions, *tables, _named(functions, name)])


def _named(text: str, name: str) -> str:
    return text.replace("model_", f"{name}_").replace("model.c", f"{name}.c")


def _places(program: Program) -> Iterable[tuple[int, Node, int, float]]:
    """Return number, node, number of its tree's root and share of every node of all trees."""
    root = 0
    for tree in program.trees:
        share = {c: s for n in tree.nodes for c, s in zip(n.children, n.shares, strict=True)}
        for number, node in enumerate(tree.nodes):
            yield root + number, node, root, share.get(number, 1.0)
        root += len(tree.nodes)


def _defines(program: Program, name: str) -> list[str]:
    n_codes = sum(len(codes or ()) for _, codes in program.codes)
    n_columns, n_classes = program.schema.n_columns, program.schema.n_classes
    sizes = f"N_COLUMNS = {n_columns}, N_CLASSES = {n_classes}, N_TREES = {len(program.trees)}"
    lines = [
        f"enum {{ {sizes}, N_CODES = {n_codes} }};",
        f"const int {name}_n_columns = N_COLUMNS, {name}_n_classes = N_CLASSES;",
    ]
    wishes = {
        "IS_ONE_TREE": program.answer == "tree",
        "COUNTS_VOTES": program.answer == "votes",
        "HAS_COSTS": program.costs is not None,
        "HAS_STEPS": _has_steps(program),
    }
    return [*lines, *(f"#define {wish}" for wish, is_so in wishes.items() if is_so), ""]


def _tables(program: Program, nodes: Sequence[str], name: str) -> list[str]:
    roots = [place[2] for place in _places(program) if place[0] == place[2]]
    every = [node for _, node, _, _ in _places(program)]
    codes = sorted(
        (column, text.encode(errors="surrogatepass"), code)
        for column, (_, of) in enumerate(program.codes)
        for text, code in (of or {}).items()
    )
    code_rows = [f"{{{column}, {code}, {_text(text)}}}" for column, text, code in codes]
    lines = [
        _table(f"const char *const {name}_columns[]", map(_text, program.schema.names)),
        _table(f"const char *const {name}_classes[]", map(_text, program.labels)),
        _table("static const Code codes[]", code_rows or ['{-1, 0, ""}']),
        _table("static const int roots[]", map(str, roots)),
        _table("static const Node nodes[]", nodes),
    ]
    if program.answer != "votes":
        lines.append(_answers("probabilities", [node.probabilities for node in every]))
    if program.has_merits or program.answer == "votes":
        lines.append(_answers("merit", [node.merit for node in every]))
    elif program.answer == "tree":
        lines.append("#define merit probabilities")
    if program.answer != "mean":
        lines.append(_table("static const int labels[]", (str(node.label) for node in every)))
    if program.costs is not None:
        rows = map(_row, program.costs)
        lines.append(_table("static const double costs[N_CLASSES][N_CLASSES]", rows))
    return lines


def _answers(name: str, rows: Iterable[Sequence[float]]) -> str:
    return _table(f"static const double {name}[][N_CLASSES]", map(_row, rows))


def _has_steps(program: Program) -> bool:
    nodes = (node for tree in program.trees for node in tree.nodes)
    return all(n.expression is None or _single_test(n.expression) is not None for n in nodes)


def _steps(program: Program) -> list[str]:
    """Return the tests once more, without what a walk over known numbers does not need."""
    if not _has_steps(program):
        return []
    rows = []
    for number, node, root, _ in _places(program):
        # A leaf is a step that leads back to itself.
        column, cut, child = 0, "INFINITY", number
        if node.expression is not None:
            test = _single_test(node.expression)
            assert test is not None
            column, cut, child = test[0], _number(test[1]), root + node.children[0]
        rows.append(f"{{{cut}, {column}, {child}}}")
    kind = "static const struct {\n  double cut;\n  int column, first_child;\n} steps[]"
    return [_table(kind, rows)]


def _single_test(expression: Expression) -> tuple[int, float, int] | None:
    """Return column, cut and missing branch of a test of one number; None where it is no such."""
    match expression:
        case IfMissing(column, Constant(missing), Step(Cell(other), (cut,))) if column == other:
            return column, cut, int(missing)
    return None


class _Writer:
    """Writes nodes, and the functions that those need which test more than one number."""

    def __init__(self) -> None:
        self.functions: list[str] = []
        self._n_names = 0

    def node(self, number: int, node: Node, root: int, share: float) -> str:
        """Return a node of the table."""
        branch, column, cut, missing = "0", 0, "0", SHARE
        if node.expression is not None:
            test = _single_test(node.expression)
            if test is None:
                branch = f"branch_{number}"
                self._function(branch, node.expression, node.words)
            else:
                column, cut, missing = test[0], _number(test[1]), test[2]
        first = root + node.children[0] if node.children else number
        children = f"{first}, {len(node.children)}"
        return f"{{{branch}, {cut}, {column}, {missing}, {children}, {_number(share)}}}"

    def _function(self, name: str, expression: Expression, words: str) -> None:
        self._n_names = 0
        head = [f"/* {one_line(words)}? */", f"static int {name}(const double *x) {{"]
        body: list[str] = []
        value = self._value(expression, body)
        lines = (f"  {line}" for line in [*body, f"return (int)({value});"])
        self.functions += [*head, *lines, "}", ""]

    def _value(self, expression: Expression, body: list[str]) -> str:
        """Return a C expression, after lines that it needs."""
        match expression:
            case Constant(value):
                return _number(value)
            case Cell(column):
                return f"x[{column}]"
            case Distance():
                return self._let(_distance(expression), body)
            case Lookup(column, values, otherwise):
                table = self._table([*values, otherwise], body)
                return f"{table}[{_place(column, len(values))}]"
            case IfMissing(column, missing, known):
                name = self._let("0", body)
                for condition, part in ((_is_known(column), known), ("else", missing)):
                    body.append(f"{condition} {{")
                    body.append(f"{name} = {self._value(part, body)};")
                    body.append("}")
                return name
            case Sum(parts) if len(parts) > 1 and all(isinstance(p, Sigmoid) for _, p in parts):
                units = self._sums([p.of for _, p in parts], body)  # type: ignore[union-attr, misc]
                factors = self._table([factor for factor, _ in parts], body)
                total = self._let("0", body)
                unit = f"{factors}[k] * (1 / (1 + exp(-{units}[k])))"
                body.append(f"{_each(len(parts))}{total} += {unit};")
                return total
            case Sum():
                return f"{self._sums([expression], body)}[0]"
            case Step(of, cuts):
                inner = self._let(self._value(of, body), body)
                return f"({' + '.join(f'({inner} > {_number(cut)})' for cut in cuts)})"
            case Sigmoid(of):
                return f"(1 / (1 + exp(-{self._value(of, body)})))"
            case Largest(of):
                sums, best = self._sums(of, body), self._let("0", body, "int")
                larger = f"if ({sums}[k] > {sums}[{best}]) {best} = k;"
                body.append(f"for (int k = 1; k < {len(of)}; ++k) {larger}")
                return best
        assert_never(expression)

    def _sums(self, expressions: Sequence[Expression], body: list[str]) -> str:
        """Return an array of the values of expressions, summed side by side."""
        name, factors = self._name(), [1.0] * len(expressions)
        body.append(f"double {name}[{len(expressions)}] = {{0}};")
        columns = sorted({c for expression in expressions for c in _tested(expression)})
        if len(columns) > 1:
            # Most rows have nothing missing in these, and one look tells.
            total = self._let(_sum_of([f"x[{column}]" for column in columns]), body)
            body.append(f"if ({total} == {total}) {{")
            self._add(name, factors, [_known(expression) for expression in expressions], body)
            body.append("} else {")
        self._add(name, factors, expressions, body)
        if len(columns) > 1:
            body.append("}")
        return name

    def _add(
        self, name: str, factors: Sequence[float], parts: Sequence[Expression], body: list[str]
    ) -> None:
        """Add factors times expressions to an array."""
        products: list[Product] = []
        self._collect(name, factors, parts, body, products)
        self._flush(name, products, body)

    def _collect(
        self,
        name: str,
        factors: Sequence[float],
        parts: Sequence[Expression],
        body: list[str],
        products: list[Product],
    ) -> None:
        """Collect products of numbers and factors, and add what is not such a product."""
        match _alike(parts):
            case Constant():
                values = [f * p.value for f, p in zip(factors, parts, strict=True)]  # type: ignore[union-attr]
                products.append(("1", values))
            case Cell(column):
                products.append((f"x[{column}]", factors))
            case Distance() as distance:
                products.append((f"({_distance(distance)})", factors))
            case Lookup(column, values):
                self._flush(name, products, body)
                rows = [[*p.values, p.otherwise] for p in parts]  # type: ignore[union-attr]
                columns = zip(*rows, strict=True)
                scaled = ([f * v for f, v in zip(factors, row, strict=True)] for row in columns)
                table = self._table([v for row in scaled for v in row], body)
                first = f"{len(parts)} * {_place(column, len(values))}"
                place = self._let(first, body, "int")
                body.append(f"{_each(len(parts))}{name}[k] += {table}[{place} + k];")
            case IfMissing(column):
                self._flush(name, products, body)
                known, missing = [p.known for p in parts], [p.missing for p in parts]  # type: ignore[union-attr]
                for condition, some in ((_is_known(column), known), ("else", missing)):
                    body.append(f"{condition} {{")
                    self._add(name, factors, some, body)
                    body.append("}")
            case Sum(first) if {*factors} == {1.0}:
                for position in range(len(first)):
                    own, inner = zip(*(p.parts[position] for p in parts), strict=True)  # type: ignore[union-attr]
                    self._collect(name, own, inner, body, products)
            case _:
                self._flush(name, products, body)
                for k, (factor, part) in enumerate(zip(factors, parts, strict=True)):
                    body.append(f"{name}[{k}] += {_number(factor)} * {self._value(part, body)};")

    def _flush(self, name: str, products: list[Product], body: list[str]) -> None:
        """Add collected products, in their order."""
        n = len(products[0][1]) if products else 0
        if n == 1:
            for value, (factor,) in products:
                times = "" if value == "1" else f" * {value}"
                body.append(f"{name}[0] += {_number(factor)}{times};")
        elif len(products) == 1:
            table = self._table(products[0][1], body)
            body.append(f"{_each(n)}{name}[k] += {table}[k] * {products[0][0]};")
        elif products:
            self._multiply(name, products, body)
        products.clear()

    def _multiply(self, name: str, products: Sequence[Product], body: list[str]) -> None:
        """Add products for many sums, four at a time."""
        n_sums = len(products[0][1])
        blocks = range(0, n_sums, 4)
        padding = [0.0] * (-n_sums % 4)
        values = self._name()
        body.append(f"const double {values}[] = {{{', '.join(value for value, _ in products)}}};")
        table = self._table([v for _, own in products for v in (*own, *padding)], body)
        fours = [self._name() for _ in blocks]
        pairs = list(zip(fours, blocks, strict=True))
        places = [(four, k, first + k) for four, first in pairs for k in range(4)]
        places = [place for place in places if place[2] < n_sums]
        body.append(f"Four {', '.join(f'{four} = {{0}}' for four in fours)};")
        body += [f"PART({four}, {k}) = {name}[{place}];" for four, k, place in places]
        body.append(f"for (int j = 0; j < {len(products)}; ++j) {{")
        width = n_sums + len(padding)
        for four, first in pairs:
            body.append(f"ADD_PRODUCT({four}, {table} + j * {width} + {first}, {values}[j]);")
        body.append("}")
        body += [f"{name}[{place}] = PART({four}, {k});" for four, k, place in places]

    def _let(self, value: str, body: list[str], kind: str = "double") -> str:
        name = self._name()
        body.append(f"{kind} {name} = {value};")
        return name

    def _table(self, values: Sequence[float], body: list[str]) -> str:
        name = self._name()
        body.append(f"static const double {name}[] = {_row(values)};")
        return name

    def _name(self) -> str:
        self._n_names += 1
        return f"v{self._n_names}"


def _alike(parts: Sequence[Expression]) -> Expression | None:
    """Return the first of expressions of one form and column; None where they differ."""
    return parts[0] if len({_form(part) for part in parts}) == 1 else None


def _form(part: Expression) -> tuple[object, ...]:
    match part:
        case Cell(column) | IfMissing(column):
            return type(part), column
        case Distance():
            return (part,)
        case Lookup(column, values):
            return Lookup, column, len(values)
        case Sum(parts):
            return Sum, len(parts)
        case Constant() | Step() | Sigmoid() | Largest():
            return (type(part),)
    assert_never(part)


def _distance(distance: Distance) -> str:
    ends = [f"x[{distance.column}]", _number(distance.centre)]
    low, high = reversed(ends) if distance.is_above else ends
    return f"{high} > {low} ? {high} - {low} : 0"


def _place(column: int, n_values: int) -> str:
    """Return the place of a symbol in its table; the last is for what is no symbol."""
    return f"(x[{column}] >= 0 && x[{column}] < {n_values} ? (int)x[{column}] : {n_values})"


def _is_known(column: int) -> str:
    return f"if (x[{column}] == x[{column}])"


def _each(n: int) -> str:
    return f"for (int k = 0; k < {n}; ++k) "


def _sum_of(values: Sequence[str]) -> str:
    """Write a sum by halves, of which the processor adds several at a time."""
    if len(values) == 1:
        return values[0]
    middle = len(values) // 2
    return f"({_sum_of(values[:middle])} + {_sum_of(values[middle:])})"


def _tested(expression: Expression) -> set[int]:
    """Return the columns whose missing values decide how terms are added."""
    match expression:
        case IfMissing(column, missing, known):
            return {column} | _tested(missing) | _tested(known)
        case Sum(parts):
            return {column for _, part in parts for column in _tested(part)}
    return set()


def _known(expression: Expression) -> Expression:
    """Return what an expression is where nothing is missing."""
    match expression:
        case IfMissing(_, _, known):
            return _known(known)
        case Sum(parts):
            return Sum(tuple((factor, _known(part)) for factor, part in parts))
    return expression


def _table(name: str, rows: Iterable[str]) -> str:
    return f"{name} = {{\n" + "".join(f"  {row},\n" for row in rows) + "};\n"


def _row(numbers: Iterable[float]) -> str:
    return f"{{{', '.join(map(_number, numbers))}}}"


def _number(value: float) -> str:
    return f"({float(value)!r})" if value < 0 else repr(float(value))


def _text(text: str | bytes) -> str:
    """Return a string literal; octal escapes end after three digits, whatever follows."""
    content = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    plain = {byte: chr(byte) for byte in range(32, 127) if byte not in b'"\\?'}
    return '"' + "".join(plain.get(byte, f"\\{byte:03o}") for byte in content) + '"'
