# Two commands for a fresh machine with Python 3.11 or newer:
#   make demo   a virtual environment, forge, a small model's weights, then: forge anneal --seed-set D1
#   make test   a virtual environment, forge, the whole test suite
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?=

.PHONY: demo test lint types layers check wheel bench clean

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "forge needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.demo: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet -e '.[local]'
	touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml requirements-test.lock
	$(BIN)/python -m pip install --quiet -c requirements-test.lock -e '.[local,test,dev]'
	touch $@

demo: $(VENV)/.demo
	$(BIN)/forge models pull qwen2.5-coder-1.5b
	$(BIN)/forge anneal --seed-set D1

test: $(VENV)/.dev
	$(BIN)/forge models pull qwen2.5-coder-0.5b
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

layers: $(VENV)/.dev
	$(BIN)/lint-imports

check: lint types layers

wheel: $(VENV)/.dev
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/throughput.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/dedup.py
	PYTHONPATH=. $(BIN)/python benchmarks/pairs.py

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
