# make demo: the tour    make test: all tests    make check: what CI runs after them
# make quick: the tests without the slow ones    make bench, bench-scan, docs, samples, serve, clean
# make coverage: the tests, and which lines they run (half as long again; not in CI)
# make dead-data: does every value of the packs change some answer? (CI tries one in twenty-four)
#
# The first call makes .venv; later ones reuse it until pyproject.toml or
# constraints.txt change. Another Python: make PYTHON=python3.13 test

PYTHON ?= python3
JOBS ?= 2
BIN := .venv/bin
STAMP := .venv/.installed
COPYCHECK := ../shared/tools/copycheck

export NO_MKDOCS_2_WARNING = 1
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: demo test quick coverage dead-data check bench bench-scan docs samples serve clean

demo: $(STAMP)
	@$(BIN)/mapkit demo

test: $(STAMP)
	@$(BIN)/pytest -n $(JOBS)

coverage: $(STAMP)
	@$(BIN)/pytest -n $(JOBS) --cov --cov-report=term

quick: $(STAMP)
	@$(BIN)/pytest -n $(JOBS) -m "not slow"

dead-data: $(STAMP)
	@MAPKIT_MANY=1 $(BIN)/pytest -n $(JOBS) --timeout 3000 tests/rules/test_dead_data.py

check: $(STAMP)
	@echo "== format";    $(BIN)/ruff format --check .
	@echo "== lint";      $(BIN)/ruff check .
	@echo "== types";     $(BIN)/mypy
	@echo "== imports";   $(BIN)/lint-imports
	@echo "== reference"; $(BIN)/python docs/make_reference.py --check
	@echo "== docs";      $(BIN)/mkdocs build --quiet --strict --config-file .ci/mkdocs.yml
	@echo "== copycheck"; if test -x $(COPYCHECK); then $(COPYCHECK); else echo "passed over: $(COPYCHECK) is not here"; fi

bench: $(STAMP)
	@for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python "$$file" || exit 1; done
	@for name in page module; do echo "== $$name"; $(BIN)/python -m "benchmarks.export.$$name" || exit 1; done

bench-scan: $(STAMP)
	@for name in grid parts hex_numbers terrain features lines sureness shapes whole big; do echo "== $$name"; \
	  $(BIN)/python -m "benchmarks.scan.$$name" || exit 1; done
	@echo "== slicing"; $(BIN)/python -m benchmarks.counters.slicing

docs: $(STAMP)
	@$(BIN)/python docs/make_reference.py
	@$(BIN)/mkdocs build --quiet --strict --config-file .ci/mkdocs.yml
	@echo "open site/index.html"

samples: $(STAMP)
	@$(BIN)/python -m sample_maps.make
	@$(BIN)/python -m sample_maps.pictures

serve: $(STAMP)
	@$(BIN)/mapkit --help | grep -q '^  serve' && $(BIN)/mapkit serve || { \
	  echo "mapkit serve is not built yet; make demo shows what there is" >&2; exit 1; }

# The demo's folder goes only where the demo's own marker says it made it.
clean:
	@rm -rf site dist build htmlcov .coverage .coverage.* .pytest_cache .mypy_cache \
	  .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -not -path './.venv/*' -prune -exec rm -rf {} +
	@if test -f demo/.mapkit-demo; then rm -rf demo; fi

$(STAMP): pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { \
	  echo "There is no $(PYTHON) here. Install Python 3.11 or newer, or: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Mapkit needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Another: make PYTHON=python3.13" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) lacks its venv module. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	  echo "Making .venv; this takes a minute or two, once." >&2; $(PYTHON) -m venv --clear .venv; }
	@$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[all,dev]"
	@touch $(STAMP)
