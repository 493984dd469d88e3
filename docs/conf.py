"""How Sphinx makes the guide: `make docs`."""

import sys
from pathlib import Path

import miter

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "Miter"
author = "The Miter developers"
copyright = "2026, the Miter developers"
version = release = miter.__version__

extensions = [
    "from_the_code",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
exclude_patterns = ["_build"]

html_theme = "pydata_sphinx_theme"
html_title = "Miter"
html_static_path = ["_static"]
html_css_files = ["guide.css"]
html_theme_options = {
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
# The sources are in the repository; a page needs no second copy of them.
html_copy_source = False
html_show_sourcelink = False

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc sections say what they are
numpydoc_show_class_members = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "ignore_pattern": r"demo\.py",
    "download_all_examples": False,
    "show_signature": False,
    "abort_on_example_error": True,
}
