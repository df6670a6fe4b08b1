# Highwater: everything there is to do here is a target of this file; `make help` lists them.
# Needs Python >= 3.11 (with its venv module) and make. A C compiler with Python's headers makes the engine fast, but is optional.

SHELL := /bin/sh
.DEFAULT_GOAL := help
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
PORT ?= 8000
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.installed
LOCK ?= requirements.lock

.PHONY: run test check conform record swarm fuzz soak faults strangers mutants bench reset help setup engine lock format audit

run: setup $(if $(filter compiled,$(HIGHWATER_ENGINE)),engine)  ## Start Highwater and print the address to open (PORT=8000); Ctrl-C ends all of it
	@exec $(PY) manage.py play --port "$(PORT)"

test: setup engine  ## Run the whole suite: engine, documents, rooms, Spark, a real browser, pages (LONG=1: more random runs)
	@HIGHWATER_LONG=$(LONG) $(PY) tools/run_tests.py

check: setup  ## Check format, lint and types (Python, JavaScript, CSS), import contracts, pages' modules, container files
	@$(PY) tools/check.py

conform: setup engine  ## Hold the engine against recordings of real clusters (long: 200 runs a recording); rewrites the page's table
	@$(PY) -m tests.conformance tests/conformance/recordings tests/conformance/recordings/mm \
		--table playground/library/conformance.json

KAFKA ?= 4.2.1
FAMILY ?= random
record: setup  ## Record a real Kafka under faults (SCRIPT=file OUT=file, or BATCH=20 SEED=1 OUT=folder; root, JDK, Maven: tests/lab)
	@test -n "$(OUT)" && test -n "$(SCRIPT)$(BATCH)" || { \
		echo "make record SCRIPT=script.json OUT=recording.json, or make record BATCH=20 SEED=1 FAMILY=random OUT=folder"; exit 2; }
	@$(if $(BATCH),$(PY) -m tests.lab random "$(OUT)/scripts" --family "$(FAMILY)" --seed "$(SEED)" --count "$(BATCH)")
	@$(PY) -m tests.lab record "$(or $(SCRIPT),$(OUT)/scripts)" "$(OUT)" --kafka "$(KAFKA)"

RUNS ?= 1000
SEED ?= 1
JOBS ?= 2
swarm: setup engine  ## Random clusters under random faults, all invariants checked, then healed (RUNS=1000 SEED=1 JOBS=2)
	@$(PY) -m tests.swarm --runs $(RUNS) --seed $(SEED) --jobs $(JOBS)

CASES ?= 20000
fuzz: setup engine  ## Hostile requests, frames and documents against a real web process (long: CASES=20000 SEED=1)
	@$(PY) -m tests.faults --cases $(CASES) --seed $(SEED)

faults: setup engine  ## Kill, freeze, and take the disk from each part of a used instance; strangers with heavy runs; writes docs/faults.md (35 min)
	@$(PY) -m tests.faults.matrix

strangers: setup engine  ## What one stranger does and another visitor sees: 31 attacks; writes docs/strangers.md (6 min)
	@$(PY) -m tests.faults.strangers

MINUTES ?= 30
soak: setup engine  ## Does a process grow? 20 rooms, 200 viewers, 10 experiments (MINUTES=30); rewrites docs/soak.md
	@$(PY) -m tests.faults.soak --minutes $(MINUTES)

mutants: setup  ## Write each rule of replication wrong, one at a time, and see who notices (long; JOBS=2)
	@$(PY) -m tests.mutants --jobs $(JOBS)

bench: setup engine  ## Measure the engine against SimPy and an older one (compiled once), Spark, clicks, viewers; ends in JSON
	@$(PY) -m tests.bench

reset: setup  ## Empty the data folder (./var, or HIGHWATER_DATA): documents, runs, experiments
	@$(PY) manage.py reset

setup: $(STAMP)  ## Install the packages of requirements.lock into .venv, each held to its hashes
	@:

engine: setup  ## Compile the engine where a C compiler is; says which form runs; packs it for Spark clusters
	@$(PY) tools/build_engine.py || true
	@$(PY) -m playground.whatif.pipeline.archive

format: setup  ## Format the sources: Python, JavaScript, CSS
	@$(VENV)/bin/ruff format --quiet . && $(VENV)/bin/ruff check --quiet --fix .
	@$(PY) tools/node.py format

AUDIT := $(VENV)/bin/uv tool run pip-audit@2.10.1 --strict --disable-pip --require-hashes
audit: setup  ## Ask the package index for known faults of each locked package (needs a network); one that it does not know fails
	@$(AUDIT) --requirement requirements.lock

COMPILE := $(VENV)/bin/uv pip compile --quiet --no-header --universal --generate-hashes pyproject.toml
lock: setup  ## Choose versions anew from pyproject.toml: requirements.lock, and the image's requirements-runtime.lock
	@$(COMPILE) --upgrade --extra dev --output-file requirements.lock
	@$(COMPILE) --upgrade --no-annotate --constraint requirements.lock --output-file requirements-runtime.lock

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(STAMP): $(LOCK)
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed and was not found. Install it, or say where it is: make PYTHON=/path/to/python3"; exit 1; }
	@echo "setup: virtual environment in $(VENV), with $(PYTHON)"
	@test -x $(PY) || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "This Python cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@awk '/^uv==/ { on = 1 } on { print } on && !/\\$$/ { exit }' requirements.lock > $(VENV)/uv.lock
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $(VENV)/uv.lock
	@echo "setup: $$(grep -c == $(LOCK)) packages from $(LOCK) (about half a minute the first time)"
	@$(VENV)/bin/uv pip install --quiet --python $(PY) --require-hashes --requirement $(LOCK)
	@touch $@
