# Highwater: everything there is to do here is a target of this file; `make help` lists them.
# Needs Python >= 3.11 (with its venv module) and make. A C compiler with Python's headers makes the engine fast, but is optional.

SHELL := /bin/sh
.DEFAULT_GOAL := help
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.installed

$(STAMP): requirements.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed and was not found. Install it, or say where it is: make PYTHON=/path/to/python3"; exit 1; }
	@echo "setup: virtual environment in $(VENV), with $(PYTHON)"
	@test -x $(PY) || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "This Python cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@$(PY) -m pip install --quiet --disable-pip-version-check --constraint requirements.lock uv
	@echo "setup: $$(grep -c == requirements.lock) packages from requirements.lock (about half a minute the first time)"
	@$(VENV)/bin/uv pip install --quiet --python $(PY) --requirement requirements.lock
	@touch $@

.PHONY: setup lock help
setup: $(STAMP)  ## Install the packages of requirements.lock into .venv

lock: $(STAMP)  ## Choose versions anew from pyproject.toml and write requirements.lock
	@$(VENV)/bin/uv pip compile --quiet --no-header --universal --extra dev pyproject.toml --output-file requirements.lock

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
