# The everyday commands. `make help` lists them; CMakePresets.json has the builds behind them.
# Works as root, or as a user with sudo (needed only to install missing system packages).
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

JOBS ?= $(shell nproc)
# One more than there are processors: crawls, browsers and Spark wait for much of their time.
TEST_JOBS ?= $(shell expr $(JOBS) + 1)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 20
SANITIZE_SECONDS ?= 7200
ODR_SECONDS ?= 7200
LINT_SECONDS ?= 900
DEMO_OUTPUT ?= demo-out
CCACHE := $(shell command -v ccache 2>/dev/null)
# UNITY=OFF compiles each source alone: more in all, less after a change of one source. So do the builds with clang and
# the one-definition check, whose runs begin with what changed.
UNITY ?= ON
CONFIGURE_FLAGS := -DPARAPRINT_UNITY_BUILD=$(UNITY) \
  $(if $(CCACHE),-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
WHOLE := -DPARAPRINT_BUILD_LAB=ON -DPARAPRINT_BUILD_SEMANTICS=ON
# Relative paths let a compiler cache serve clones in other folders.
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= true
PARAPRINT := build/release/apps/paraprint

# $(call build,preset,flags,targets)
build = cmake --preset $(1) $(CONFIGURE_FLAGS) $(2) >/dev/null \
        && cmake --build --preset $(1) -j $(JOBS) $(if $(3),--target $(3))

.PHONY: help
help: ## list these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

# A new build leaves out what the demo does not run; `make build` adds it.
demo_flags = $(if $(wildcard build/release/CMakeCache.txt),,-DPARAPRINT_BUILD_TESTS=OFF \
  -DPARAPRINT_BUILD_LAB=OFF -DPARAPRINT_BUILD_SEMANTICS=OFF)
.PHONY: demo
demo: ## build, deduplicate the bundled pages, write a report to demo-out/
	@scripts/install_dependencies.sh build
	@$(call build,release,$(demo_flags),paraprint)
	@rm -rf $(DEMO_OUTPUT)
	$(PARAPRINT) dedup examples/demo-crawl/*.warc.gz --out $(DEMO_OUTPUT)
	@python3 tools/tell_demo.py $(DEMO_OUTPUT) examples/demo-crawl

.PHONY: build
build: ## build the release binary: build/release/apps/paraprint
	@scripts/install_dependencies.sh build
	@$(call build,release,$(WHOLE) -DPARAPRINT_BUILD_TESTS=OFF,paraprint)

.PHONY: test
test: test-programs ## build and run the test suite (minutes)
	@ctest --preset release -j $(TEST_JOBS) -LE long

.PHONY: test-long
test-long: PYTHON_PACKAGES += examples/notebooks/requirements.txt
test-long: test-programs ## run the tests labelled `long` too (large inputs, kill loops), and those of object stores
	@python/tests/store_servers.sh build/store-servers
	@ctest --preset release -j $(TEST_JOBS)

# Flags that build the Python package if its environment can be created; otherwise its tests are skipped.
PYTHON_VENV := build/python-venv
# PySpark needs Java; without it the Spark tests are skipped.
PYTHON_PACKAGES := python/requirements-test.txt $(if $(shell command -v java),python/requirements-spark.txt)
python_flags = $$(python/make_venv.sh $(PYTHON_VENV) $(PYTHON_PACKAGES) && echo -DPARAPRINT_BUILD_PYTHON=ON \
                 -DPython_EXECUTABLE=$(CURDIR)/$(PYTHON_VENV)/bin/python || echo -DPARAPRINT_BUILD_PYTHON=OFF)

.PHONY: python
python: ## build the Python package; to use it: source build/python-venv/bin/activate
	@scripts/install_dependencies.sh test
	@python/make_venv.sh $(PYTHON_VENV) $(PYTHON_PACKAGES)
	@$(call build,release,$(WHOLE) $(python_flags),paraprint paraprint_python paraprint_python_stub)
	@echo $(CURDIR)/build/release/python > $(PYTHON_VENV)/$$($(PYTHON_VENV)/bin/python -c \
	    'import sysconfig; print(sysconfig.get_path("purelib")[len(__import__("sys").prefix) + 1:])')/paraprint.pth

.PHONY: docs
docs: python ## build the documentation as a site that works from disk: build/docs/site/index.html
	@scripts/install_dependencies.sh docs
	@tools/make_docs.sh

.PHONY: wheel
wheel: ## make the Python wheels, in dist/; tools/check_wheel.sh checks them (docs/packaging.md)
	@scripts/install_dependencies.sh wheel
	@JOBS=$(JOBS) tools/make_wheel.sh dist

.PHONY: replay-tools
replay-tools: ## install the players and readers of tests/replay below build/replay-tools
	@tests/replay/install_tools.sh

.PHONY: test-programs
test-programs:
	@scripts/install_dependencies.sh test
	@tests/replay/install_tools.sh || true
	@tests/cli/install_axe.sh || true
	@$(call build,release,$(WHOLE) -DPARAPRINT_BUILD_TESTS=ON $(python_flags))

.PHONY: bench
bench: ## build and run the micro-benchmarks; bench/README.md has the large runs
	@scripts/install_dependencies.sh test
	@$(call build,bench,-DPARAPRINT_BUILD_TESTS=OFF)
	@bench/run_all.sh build/bench/bench

.PHONY: reproduce
reproduce: build ## fill the published tables with figures of PARAPRINT_DATA_DIR's pages (docs/reproduce.md)
	@scripts/install_dependencies.sh test
	@$(call build,bench,-DPARAPRINT_BUILD_TESTS=OFF,bench_string_hashes collection_figures)
	@tools/reproduce.sh $(REPRODUCE_FLAGS)

.PHONY: option-tables
option-tables: test-programs ## rewrite docs/cli.md and Python's keyword types from the option tables
	@build/release/tools/option_tables/paraprint_option_tables docs/cli.md
	@PYTHONPATH=build/release/python $(PYTHON_VENV)/bin/python python/make_option_types.py

.PHONY: lint
lint: ## clang-format check, then clang-tidy (changed files first) within LINT_SECONDS
	@scripts/install_dependencies.sh develop
	@tools/check_format.sh
	@$(MAKE) tidy

.PHONY: tidy
tidy:
	@scripts/install_dependencies.sh develop
	@cmake --preset lint >/dev/null
	@tools/lint.sh build/lint $(LINT_SECONDS)

.PHONY: format
format: ## rewrite every C++ file with clang-format
	@git ls-files -co --exclude-standard '*.cc' '*.h' | xargs -r clang-format-16 -i

.PHONY: sanitize
sanitize: sanitize-address sanitize-thread ## the suite under address + undefined-behaviour, then thread sanitizer

# The thread sanitizer is of no use for code without threads: only the tests labelled below are built and run.
# PageIndexConcurrency of paraprint_online_test passes as well, but that program's tests that fork cannot run under it.
TSAN_TESTS ?= base index engine

.PHONY: sanitize-address sanitize-thread
sanitize-address:
	@scripts/install_dependencies.sh develop
	@cmake --preset asan $(CONFIGURE_FLAGS) -DPARAPRINT_UNITY_BUILD=OFF >/dev/null
	@tools/sanitize.sh asan $(SANITIZE_SECONDS)

sanitize-thread:
	@scripts/install_dependencies.sh test
	@cmake --preset tsan $(CONFIGURE_FLAGS) >/dev/null
	@tools/sanitize.sh tsan $(SANITIZE_SECONDS) $(TSAN_TESTS)

.PHONY: odr-check
odr-check: ## check that no type is defined twice, by linking everything with -flto -Wodr (gcc)
	@scripts/install_dependencies.sh build
	@cmake --preset odr $(CONFIGURE_FLAGS) -DPARAPRINT_UNITY_BUILD=OFF >/dev/null
	@tools/odr_check.sh $(ODR_SECONDS)

.PHONY: check-arm64
check-arm64: ## build for arm64, test under qemu, compare every byte with this machine's (docs/processors.md)
	@JOBS=$(JOBS) tools/check_arm64.sh $(TESTS)

.PHONY: fuzz-smoke
fuzz-smoke: ## run every fuzzer for FUZZ_SECONDS from its seed corpus
	@scripts/install_dependencies.sh develop
	@cmake --preset asan $(CONFIGURE_FLAGS) -DPARAPRINT_UNITY_BUILD=OFF >/dev/null
	@tools/fuzz_smoke.sh asan $(FUZZ_SECONDS) $(SANITIZE_SECONDS)

FUZZ_HOURS ?= 24
FUZZ_CORPUS ?= build/fuzz-corpus
.PHONY: fuzz-campaign
fuzz-campaign: ## run all fuzzers for FUZZ_HOURS processor hours together, keeping new inputs in FUZZ_CORPUS
	@scripts/install_dependencies.sh develop
	@cmake --preset asan $(CONFIGURE_FLAGS) -DPARAPRINT_UNITY_BUILD=OFF >/dev/null
	@mkdir -p $(FUZZ_CORPUS)
	@FUZZ_CORPUS=$(abspath $(FUZZ_CORPUS)) tools/fuzz_smoke.sh asan \
	  $$(awk -v n=$$(ls fuzz/*.cc | wc -l) 'BEGIN {print int($(FUZZ_HOURS) * 3600 / n)}') 1000000

.PHONY: install
install: build ## install below PREFIX (default /usr/local)
	@cmake --install build/release --prefix $(PREFIX)

.PHONY: sbom
sbom: build ## write the bill of materials of the program, SPDX, to dist/
	@mkdir -p dist
	@tools/make_sbom.py $(PARAPRINT) --out dist/paraprint-$$($(PARAPRINT) version | awk '{print $$2; exit}').spdx.json

.PHONY: dist
dist: build ## make the tarball and the Debian package, in dist/ (docs/packaging-debian.md)
	@scripts/install_dependencies.sh package
	@tools/make_packages.sh build/release dist

.PHONY: clean
clean: ## remove everything that the other commands created
	rm -rf build dist $(DEMO_OUTPUT)
