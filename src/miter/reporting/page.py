"""From contents to one HTML file that asks the network for nothing."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

__all__ = ["render_page"]

#: The routing of a model is a module of its own; this hands it to the script of the page.
HAND_OVER = "\nglobalThis.miterRouting = { read, ends, isShared, columns, tests };\n"


def render_page(contents: Mapping[str, Any]) -> str:
    """Return the page that shows contents.

    Whatever is a name of the user's is escaped in the page and a text in its data. The page may run
    its own scripts and styles, which it names by their hashes, and may ask for nothing else.

    Parameters
    ----------
    contents : mapping
        What `contents_of_model` or `contents_of_results` returned.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.reporting.contents import contents_of_model
    >>> from miter.reporting.page import render_page
    >>> page = render_page(contents_of_model(id3().fit(play_tennis()), play_tennis()))
    >>> page.splitlines()[0]
    '<!doctype html>'
    """
    plain = dict(contents)
    routing = plain.pop("routing", None)
    scripts = [] if routing is None else [routing + HAND_OVER]
    scripts.append(_read("bundle", "page.js"))
    style = _read("style", "page.css")
    template = _environment().get_template(
        "comparison.html" if contents["kind"] == "comparison" else "model.html"
    )
    return template.render(
        contents=contents,
        data=Markup(_json(plain)),
        scripts=[Markup(script) for script in scripts],
        style=Markup(style),
        policy=_policy(scripts, style),
    )


def _policy(scripts: list[str], style: str) -> str:
    """Return what the page may do: run these scripts, use this style, and nothing else."""
    allowed = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = sha256(text.encode("utf-8", "surrogatepass")).digest()
    return f"'sha256-{b64encode(digest).decode()}'"


def _json(value: Any) -> str:
    # Inside a page, `</script>` or `<!--` would end or change the script.
    return json.dumps(value, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


@cache
def _read(folder: str, name: str) -> str:
    text = files("miter.reporting").joinpath(folder, name).read_text("utf-8")
    # The browser reads line ends of all kinds as one, and hashes what it read.
    return text.replace("\r\n", "\n")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("miter.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["count"] = lambda number: f"{number:,}"
    environment.filters["percent"] = lambda share: f"{share:.1%}"
    return environment
