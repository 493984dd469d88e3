# Every target makes what it needs under this folder; a second run is quick.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Installed anew only when the sources of the native core or the packaging change.
NATIVE := pyproject.toml CMakeLists.txt $(wildcard src/core/*.?pp src/core/bind/*)

.PHONY: demo test lint bench clean

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

clean:
	rm -rf $(VENV) build

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

# Editable: Python sources are read where they are.
$(VENV)/installed: $(VENV)/bin/python $(NATIVE)
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/tested: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --group test
	@touch $@

$(VENV)/linted: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --group lint
	@touch $@
