"""The tree as a picture that another program draws: Graphviz and LaTeX."""

from __future__ import annotations

from textwrap import wrap

from miter.exporting.program import Node, Program
from miter.splits.words import say_branch

__all__ = ["write_dot", "write_latex"]

#: So many letters stand on a line of a condition.
WIDTH = 40


def write_dot(program: Program) -> str:
    """Return a graph in the language of Graphviz; of many trees, all of them side by side.

    Parameters
    ----------
    program : Program
        What the model computes.
    """
    lines = ["digraph miter {", '  node [shape=box, fontname="sans-serif"];']
    lines.append('  edge [fontname="sans-serif"];')
    for number, tree in enumerate(program.trees):
        for place, node in enumerate(tree.nodes):
            own = f"t{number}n{place}"
            shape = ', style="rounded"' if node.expression is None else ""
            lines.append(f"  {own} [label={_quoted(_answer(program, node))}{shape}];")
            for branch, child in enumerate(node.children):
                words = _quoted(wrap(_condition(program, node, branch), WIDTH))
                lines.append(f"  {own} -> t{number}n{child} [label={words}];")
    return "\n".join([*lines, "}", ""])


def write_latex(program: Program) -> str:
    r"""Return trees for LaTeX's package forest, which the document loads by \usepackage{forest}.

    Parameters
    ----------
    program : Program
        What the model computes.
    """
    head = "% Trees drawn by Miter; load the package forest, and \\input this file.\n"
    return head + "".join(_forest(program, tree.nodes) for tree in program.trees)


def _forest(program: Program, nodes: tuple[Node, ...]) -> str:
    lines = [r"\begin{forest}", "for tree={draw, align=center, l sep=18mm, s sep=6mm}"]
    # A stack, because a tree may be deeper than Python can call; None ends a node.
    stack: list[tuple[int, int, str] | None] = [(0, 0, "")]
    depth = 0
    while stack:
        entry = stack.pop()
        if entry is None:
            depth -= 1
            lines.append(f"{'  ' * depth}]")
            continue
        number, _, words = entry
        node = nodes[number]
        answer = r"\\".join(map(_latex, _answer(program, node)))
        edge = (
            f", edge label={{node[midway, fill=white, align=center]{{{words}}}}}" if words else ""
        )
        lines.append(f"{'  ' * depth}[{{{answer}}}{edge}")
        depth += 1
        stack.append(None)
        for branch, child in reversed(list(enumerate(node.children))):
            said = wrap(_condition(program, node, branch), WIDTH)
            stack.append((child, branch, r"\\".join(map(_latex, said))))
    return "\n".join([*lines, r"\end{forest}", ""])


def _condition(program: Program, node: Node, branch: int) -> str:
    assert node.expression is not None
    return _printable(say_branch(node.expression, program.schema, branch))


def _answer(program: Program, node: Node) -> list[str]:
    """Return the class of rows that end at a node, and how probable it is."""
    words = wrap(_printable(program.labels[node.label]), WIDTH) or [""]
    return [*words, f"{node.probabilities[node.label]:.3g}"]


def _printable(words: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in words)


def _quoted(lines: list[str]) -> str:
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{letter: f"\\{letter}" for letter in "{}$&#_%"},
    # The package forest reads brackets as its own.
    "[": "{[}",
    "]": "{]}",
}


def _latex(words: str) -> str:
    text = "".join(_LATEX.get(letter, letter) for letter in words)
    less, more = r"\textless{}=", r"\textgreater{}="
    return text.replace(less, r"$\leq$").replace(more, r"$\geq$")
