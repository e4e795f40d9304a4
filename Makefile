# Everything one does here, from a fresh machine with Python ≥ 3.11, Rust ≥ 1.88 and make. `make help` lists it.
#
# .venv is Python's own; uv is installed into it and fills it from uv.lock. The extension is built in release and again
# only when its sources changed. Every tool runs in the one environment: none of them pulls protobuf or grpcio down.

PYTHON ?= python3
# What `make run` starts: everything embedded, and tokens of `majlis token`.
RUN_FLAGS ?= --dev-identity
# How long each part of `make soak` lasts that lasts as long as one likes.
MINUTES ?= 5
# More for pytest: make test-python PYTEST="tests/store -k append"
PYTEST ?=

VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
MADE := $(VENV)/.made
SYNCED := $(VENV)/.synced
CORE := server/majlis/_core.abi3.so
BASELINE := proto/baseline.binpb

PROTOS := $(shell find proto -name '*.proto')
CORE_SOURCES := Cargo.toml Cargo.lock $(PROTOS) $(shell find core_rs -name '*.rs' -o -name '*.toml')
PYTHON_SOURCES := $(wildcard server tests tools demo bench soak)

export UV_PYTHON_DOWNLOADS := never
export UV_PROJECT_ENVIRONMENT := $(CURDIR)/$(VENV)
export PYO3_PYTHON := $(CURDIR)/$(VENV)/bin/python
unexport VIRTUAL_ENV CONDA_PREFIX PYTHONPATH PYTHONHOME

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# --- Build and run

.PHONY: setup
setup: $(SYNCED) ## make .venv with everything that uv.lock pins

.PHONY: build
build: $(CORE) ## build the Rust core into server/majlis

.PHONY: run
run: build ## start a server here: embedded store, tokens of `majlis token`
	$(BIN)/majlis serve $(RUN_FLAGS)

# --- Checks

.PHONY: test
test: test-rust test-python ## run every test

.PHONY: test-rust
test-rust: $(SYNCED) ## run the tests of the Rust crates
	cargo test --workspace --locked --quiet

.PHONY: test-python
test-python: build ## run the tests of the server
	$(BIN)/python -m pytest $(PYTEST)

.PHONY: check
check: check-tools check-format check-lint check-types check-imports check-protos ## everything that CI runs, tests included
	@$(MAKE) --no-print-directory test

.PHONY: check-services
check-services: build ## the stores' and the runtime's tests over PostgreSQL, which it installs if it is missing
	@tools/postgresql
	MAJLIS_TEST_POSTGRES=1 $(BIN)/python -m pytest tests/services tests/store tests/runtime tests/api/test_two_servers.py $(PYTEST)

.PHONY: check-tools
check-tools: ## whether this machine has what the checks need
	@PYTHON=$(PYTHON) tools/prerequisites check

.PHONY: check-format
check-format: $(SYNCED) ## formatting, Python, Rust and proto
	$(BIN)/ruff format --quiet --diff $(PYTHON_SOURCES)
	cargo fmt --all --check
	$(BIN)/buf format --diff --exit-code

.PHONY: check-lint
check-lint: $(SYNCED) ## ruff and clippy
	$(BIN)/ruff check --quiet $(PYTHON_SOURCES)
	cargo clippy --workspace --all-targets --locked --quiet -- -D warnings

.PHONY: check-types
check-types: build ## mypy, and the core's stub against the core
	$(BIN)/mypy --no-error-summary $(PYTHON_SOURCES)
	$(BIN)/python -m mypy.stubtest --concise --mypy-config-file pyproject.toml majlis._core

.PHONY: check-imports
check-imports: build ## the layers' contracts
	$(BIN)/lint-imports --no-logo

.PHONY: check-protos
check-protos: $(SYNCED) ## the contract: style, comments, compatibility, and the code generated from it
	$(BIN)/buf lint
	$(BIN)/buf breaking --against $(BASELINE)
	$(BIN)/python -m tools.check_generated

# --- Play and measure

.PHONY: demo
demo: build ## each game and the lobby over gRPC, played and verified in this terminal
	$(BIN)/python -m demo

.PHONY: perft
perft: ## count the action trees of seeds/perft and compare
	@echo "building perft in release"
	cargo build --release --locked --quiet -p majlis-rules --bin perft
	cargo run --release --locked --quiet -p majlis-rules --bin perft -- seeds/perft/*.txt

.PHONY: bench
bench: build ## measure against the targets of bench/README.md
	$(BIN)/python -m bench

.PHONY: soak
soak: build ## what shows only under load or after hours: make soak MINUTES=60
	$(BIN)/python -m soak --minutes $(MINUTES)
	$(BIN)/python -m tests.crash --minutes $(MINUTES)

# --- Change

.PHONY: fmt
fmt: $(SYNCED) ## format Python, Rust and proto, and mend what ruff can
	$(BIN)/ruff check --quiet --fix-only $(PYTHON_SOURCES)
	$(BIN)/ruff format --quiet $(PYTHON_SOURCES)
	cargo fmt --all
	$(BIN)/buf format --write

.PHONY: protos
protos: $(SYNCED) ## generate server/majlis/v1 from proto/
	$(BIN)/python -m tools.protos

.PHONY: refusals
refusals: build ## write docs/refusals.md from the catalogue
	$(BIN)/python -m tools.refusals

.PHONY: baseline
baseline: $(SYNCED) ## at a release: make proto/ the contract that later changes are held to
	$(BIN)/buf build --output $(BASELINE)

.PHONY: lock
lock: $(SYNCED) ## bring uv.lock and Cargo.lock in line with pyproject.toml and Cargo.toml
	$(UV) lock
	cargo update --workspace

.PHONY: clean
clean: ## remove all that was built or installed here
	rm -rf $(VENV) target dist $(CORE) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find $(PYTHON_SOURCES) -name __pycache__ -prune -exec rm -rf {} +

# --- Files

# uv's pin stands once, in pyproject.toml.
$(MADE): pyproject.toml
	@PYTHON=$(PYTHON) tools/prerequisites
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $$(sed -n 's/.*"\(uv==[0-9.]*\)".*/\1/p' pyproject.toml)
	@touch $@

$(SYNCED): $(MADE) uv.lock
	$(UV) sync --frozen --no-install-project --inexact --quiet
	@touch $@

$(CORE): $(SYNCED) $(CORE_SOURCES)
	@echo "building the Rust core in release"
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation \
		--reinstall-package majlis --editable .
	@touch $@
