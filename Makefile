# Every target makes what it needs under this folder; a second run is quick.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Installed anew only when the sources of the native core or the packaging change.
NATIVE := pyproject.toml CMakeLists.txt $(wildcard src/core/*.?pp src/core/bind/*)

.PHONY: demo test lint bench docs fuzz page clean

demo: $(VENV)/installed
	$(BIN)/python examples/demo.py

test: $(VENV)/tested
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(VENV)/linted
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror src/core/*.?pp src/core/bind/*.?pp

bench: $(VENV)/installed
	$(BIN)/python benchmarks/univariate.py
	$(BIN)/python benchmarks/linear_machines.py

# Damaged files for every reader, or one; the same seed feeds the same.
N ?= 2000
SEED ?= 1
READER ?=
fuzz: $(VENV)/installed
	$(BIN)/python experiments/trust_parts/feed.py --inputs $(N) --seed $(SEED) $(READER)

# Every warning is an error. What it makes is build/docs/index.html.
docs: $(VENV)/documented
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs

# What the pages of reports run: small modules and D3's layouts in one file, which is committed.
page: node_modules/.package-lock.json
	npm run --silent build

clean:
	rm -rf $(VENV) build node_modules

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

# Editable: Python sources are read where they are.
$(VENV)/installed: $(VENV)/bin/python $(NATIVE)
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

# Tests of the pages' script want node; where it is not, they are skipped with a reason.
$(VENV)/tested: $(VENV)/installed package-lock.json
	$(BIN)/python -m pip install --quiet --group test
	@if command -v npm > /dev/null; then \
		$(MAKE) --no-print-directory node_modules/.package-lock.json || \
		echo "npm could not install what tests of pages need; they are skipped"; \
	fi
	@touch $@

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --silent --ignore-scripts --no-audit --no-fund
	@touch $@

$(VENV)/linted: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --group lint
	@touch $@

$(VENV)/documented: $(VENV)/tested
	$(BIN)/python -m pip install --quiet --group docs
	@touch $@
