# Everything is made in $(VENV). Outside this folder only the Debian packages that tests want are
# installed, and only where that may be done without a password.

VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

# The first Python that is new enough and can make environments; 3.11 is what all extras run on.
FIND_PYTHON := for p in $(PYTHON) python3.11 python3 python3.12 python3.13 python3.14; do \
	"$$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && \
	echo "$$p" && break; done

# Real clips for the demonstration and the tests, where they lie beside the checkout.
TRIPTYCH_CLIPS ?= $(abspath $(wildcard ../shared/clips))
ifneq ($(TRIPTYCH_CLIPS),)
export TRIPTYCH_CLIPS
endif

.DEFAULT_GOAL := help
.PHONY: help demo test lint types layers pytest packages constraints clean

help:
	@echo 'make demo         install into $(VENV), compare two clips, say where the report is'
	@echo 'make test         install what the tests need and run them all'
	@echo 'make constraints  pin the versions that are installed now'
	@echo 'make clean        remove $(VENV) and what the tools left behind'

# Stamps: nothing is installed again until what it depends on changes.
$(VENV)/.made:
	@python=$$($(FIND_PYTHON)); test -n "$$python" || { \
		echo 'Python 3.11 or newer with venv is needed: apt-get install python3-venv' >&2; exit 1; }; \
	"$$python" -m venv '$(VENV)'
	@touch '$@'

$(VENV)/.installed: $(VENV)/.made pyproject.toml constraints.txt
	@echo 'installing into $(VENV), about a minute'
	@$(PIP) install -c constraints.txt -e '.[speech,people]'
	@touch '$@'

$(VENV)/.installed-dev: $(VENV)/.installed
	@$(PIP) install -c constraints.txt -e '.[speech,people,models,dev]'
	@touch '$@'

demo: $(VENV)/.installed
	$(BIN)/triptych demo

test: packages lint types layers pytest

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

layers: $(VENV)/.installed-dev
	$(BIN)/lint-imports

pytest: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 2 --dist loadfile $(PYTEST)

packages:
	@bash .ci/packages ffmpeg chromium flite

constraints: $(VENV)/.installed-dev
	@{ sed -n '/^#/p' constraints.txt; \
		$(PIP) freeze --exclude-editable | sed -n 's/+[a-z0-9.]*$$//; /^[A-Za-z0-9._-]*==/p'; \
	} > constraints.txt.new
	@mv constraints.txt.new constraints.txt

clean:
	rm -rf '$(VENV)' .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
