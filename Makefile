# Everything a contributor types. `make` alone explains; CONTRIBUTING has the longer story.

PYTHON ?= python3
PORT ?= 8000
DATA_DIR ?= .data
ROUNDS ?= 30

BIN := .venv/bin
UV := uv==0.13.9

.DEFAULT_GOAL := help
.PHONY: help serve test format bench faults openapi pictures lock clean

help: ## this list
	@echo 'Potluck needs Python 3.11 or newer, make and git. Two commands are enough to begin:'
	@echo
	@echo '  make serve      a table server on http://127.0.0.1:$(PORT), its data in $(DATA_DIR)'
	@echo '  make test       everything that proves it, with a summary at the end'
	@echo
	@echo 'All of them:'
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  make %-10s %s\n' "$$name" "$$text"; done
	@echo
	@echo 'Variables: PYTHON=python3.12 (what .venv is made of), and for serve'
	@echo '           PORT=8000  DATA_DIR=.data  REDIS_URL=redis://… (instead of the embedded server)'

serve: export PORT := $(PORT)
serve: export DATA_DIR := $(DATA_DIR)
serve: .venv-serve ## run the service (PORT, DATA_DIR, REDIS_URL)
	@exec $(BIN)/potluck serve

test: .venv-dev ## run every suite, or some: make test SUITES="lint domain"
	@exec $(BIN)/python tests/run.py $(SUITES)

format: .venv-dev ## rewrite the code as the format and lint suites want it
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

bench: .venv-dev ## measure; results in build/bench.json
	@mkdir -p build
	$(BIN)/python -m tests.benchmarks

faults: .venv-dev ## kill worker, store and parent under load (ROUNDS=30), and see that all holds
	$(BIN)/python -m tests.faults --rounds $(ROUNDS)

openapi: .venv-dev ## write the contract the service really has, with examples from real play
	@mkdir -p build openapi
	$(BIN)/python -m tests.contract.examples
	$(BIN)/potluck openapi > build/potluck.json
	mv build/potluck.json openapi/potluck.json

pictures: .venv-dev ## take the docs' pictures of the pages anew; needs Chromium
	$(BIN)/python -m tests.pages.pictures

# Locked versions stay as they are unless UPGRADE is given. uv is needed here only, so it gets an
# environment of its own and no place in the locks.
LOCK := build/uv/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-header $(if $(UPGRADE),--upgrade)
lock: ## recompute both lock files (UPGRADE=1: with newest versions)
	@$(PYTHON) scripts/environment.py check
	$(PYTHON) -m venv build/uv
	build/uv/bin/python -m pip install --quiet --disable-pip-version-check '$(UV)'
	$(LOCK) --group build -o requirements.lock
	$(LOCK) --group dev -o requirements-dev.lock

clean: ## remove what make made: .venv, build, caches (never .data)
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# One environment for both: what `test` installs contains what `serve` needs. The script decides by
# content whether anything is to be done, so these are asked every time.
.PHONY: .venv-serve .venv-dev
.venv-serve .venv-dev:
	@command -v $(PYTHON) >/dev/null || { \
		echo "$(PYTHON) not found: install Python 3.11 or newer, or name it: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) scripts/environment.py $(@:.venv-%=%)
