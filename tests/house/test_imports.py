"""Imports and calls that never exist: rules N1 to N10 one row each; and what must not load at run time."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.house.names import names_of
from tests.house.tree import CODE_ROOTS, GENERATED, ROOT, read, written

DATABASE_MODULES = ("asyncpg", "pgvector", "shared.store")
ROLES = ("ingest", "embed", "retrieve", "audit", "judge")

# What pure functions need of the standard library; nothing here does I/O, reads a clock or draws at random.
PURE = frozenset(
    "__future__ abc base64 bisect collections contextlib copy dataclasses datetime decimal enum fractions functools "
    "hashlib heapq hmac itertools json math numbers operator re statistics string struct types typing unicodedata uuid "
    "zoneinfo".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What files matching `within`, save those matching `but`, never import or use; a name stands for all below it too.

    `forbidden` must not be imported; with `only`, nothing else may; `uses` must not be named at all.
    `bad` is one (path, source) that the rule must catch, `good` one that it must not.
    """

    key: str
    within: tuple[str, ...]
    but: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    only: frozenset[str] = frozenset()
    uses: tuple[str, ...] = ()
    bad: tuple[str, str]
    good: tuple[str, str]


def _other_roles(role: str) -> Rule:
    other = next(name for name in ROLES if name != role)
    return Rule(
        key=f"N5 {role} knows no other role",
        within=(f"services/{role}/**",),
        forbidden=tuple(f"services.{name}" for name in (*ROLES, "dev") if name != role),
        bad=(f"services/{role}/x.py", f"from services.{other}.main import serve"),
        good=("services/dev.py", f"import services.{other}.main"),
    )


EVERYWHERE = tuple(f"{root}**" for root in CODE_ROOTS)
RULES = (
    Rule(
        key="N1 the domain is pure",
        within=("shared/domain/**",),
        bad=("shared/domain/x.py", "import asyncio"),
        good=(
            "shared/domain/x.py",
            "import numpy as np\nfrom shared.domain.errors import NotFound\nfrom . import text",
        ),
        only=PURE | {"numpy", "shared.domain"},
    ),
    Rule(
        key="N2 the driver",
        within=EVERYWHERE,
        forbidden=("asyncpg", "pgvector"),
        but=("shared/store/**",),
        bad=("services/ingest/x.py", "def f():\n    import asyncpg.pool"),
        good=("shared/store/pool.py", "import asyncpg"),
    ),
    Rule(
        key="N3 the store",
        within=EVERYWHERE,
        forbidden=("shared.store",),
        but=("shared/store/**", "services/ingest/**", "services/retrieve/**", "services/dev.py"),
        bad=("services/audit/main.py", "from shared import store"),
        good=("services/dev.py", "from shared.store import embedded"),
    ),
    Rule(
        key="N4 writes are ingest's",
        within=EVERYWHERE,
        forbidden=("shared.store.writes",),
        but=("shared/store/**", "services/ingest/**"),
        bad=("services/retrieve/x.py", "from shared.store.writes import memories"),
        good=("services/ingest/x.py", "from shared.store.writes import memories"),
    ),
    Rule(
        key="N4 reads are retrieve's; ingest plans with them",
        within=EVERYWHERE,
        forbidden=("shared.store.reads",),
        but=("shared/store/**", "services/retrieve/**", "services/ingest/**"),
        bad=("services/dev.py", "from shared.store import reads"),
        good=("services/ingest/x.py", "import shared.store.reads.memories"),
    ),
    *(_other_roles(role) for role in ROLES),
    Rule(
        key="N6 shared knows no service",
        within=("shared/**",),
        forbidden=("services", "gateway"),
        bad=("shared/rpc/x.py", "import importlib\nimportlib.import_module('services.audit.main')"),
        good=("services/audit/x.py", "import services.audit.main"),
    ),
    Rule(
        key="N7 the gateway knows contracts only",
        within=("gateway/**",),
        forbidden=("services", "shared.store"),
        bad=("gateway/x.py", "from services.retrieve import main"),
        good=("gateway/x.py", "from shared.rpc import clients"),
    ),
    Rule(
        key="N7 the Explorer is a public client",
        within=("gateway/explorer/**",),
        forbidden=("candor", "google", "grpc", "shared.domain", "shared.store", "gateway.app", "gateway.auth"),
        bad=("gateway/explorer/pages/x.py", "from candor.memory.v1 import memory_pb2"),
        good=("gateway/explorer/__main__.py", "from shared.rpc import logs\nfrom gateway.explorer import app"),
    ),
    Rule(
        key="N7 the client stands for itself",
        within=("gateway/client/**",),
        only=frozenset({*sys.stdlib_module_names, "httpx2", "stamina", "typer", "rich", "anyio", "gateway.client"}),
        bad=("gateway/client/x.py", "from shared.clock import new_id"),
        good=("gateway/client/x.py", "import httpx2\nfrom . import calls\nfrom .problems import Problem"),
    ),
    Rule(
        key="N8 the model client",
        within=EVERYWHERE,
        forbidden=("openai",),
        but=("services/embed/openai_provider.py", "services/judge/openai_provider.py"),
        bad=("services/retrieve/openai_provider.py", "from openai import AsyncOpenAI"),
        good=("services/judge/openai_provider.py", "from openai import AsyncOpenAI"),
    ),
    Rule(
        key="N9 generated code stays at the edge",
        within=("shared/**", "services/*.py", "services/*/main.py", "services/*/worker.py", "services/*/*provider*.py"),
        forbidden=("candor",),
        but=("shared/rpc/**",),
        bad=("services/ingest/worker.py", "from candor.ingest.v1 import memories_pb2"),
        good=("services/ingest/memories.py", "from candor.ingest.v1 import memories_pb2"),
    ),
    Rule(
        key="N10 the environment",
        within=EVERYWHERE,
        but=("shared/config.py",),
        bad=("shared/clock.py", "from os import environ as e\ne['A']"),
        good=("shared/config.py", "import os\nos.environ['A']"),
        uses=("os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv"),
    ),
    Rule(
        key="N10 the clock and chance",
        within=EVERYWHERE,
        forbidden=("random", "secrets"),
        but=("shared/clock.py", "gateway/client/ids.py"),
        bad=("gateway/x.py", "import datetime as dt\ndt.datetime.now(dt.UTC)"),
        good=("gateway/x.py", "import time\nfrom uuid import UUID\nUUID(int=1)\ntime.monotonic()"),
        uses=(
            *("datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today"),
            *("time.time", "time.time_ns", "time.localtime", "time.gmtime", "os.urandom", "numpy.random"),
            *("uuid.uuid1", "uuid.uuid4", "uuid.uuid6", "uuid.uuid7"),
        ),
    ),
)


def _covers(prefixes: tuple[str, ...] | frozenset[str], name: str) -> bool:
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


def _matches(path: str, patterns: tuple[str, ...]) -> bool:
    """Match a path as a whole; `*` stays within a folder, `**` does not."""
    as_regex = {"**": ".*", "*": "[^/]*"}
    for pattern in patterns:
        parts = re.split(r"(\*\*|\*)", pattern)
        if re.fullmatch("".join(as_regex.get(part) or re.escape(part) for part in parts), path):
            return True
    return False


def _offences(rule: Rule, path: str, source: str) -> Iterator[str]:
    """Say where a file breaks a rule."""
    if not _matches(path, rule.within) or _matches(path, rule.but):
        return
    names = names_of(source, path)
    for name, line in names.imports.items():
        if _covers(rule.forbidden, name) or (rule.only and not _covers(rule.only, name)):
            yield f"{path}:{line} imports {name}"
    for name, line in {**names.imports, **names.uses}.items():
        if _covers(rule.uses, name):
            yield f"{path}:{line} uses {name}"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
def test_the_code_keeps_the_rule(rule: Rule) -> None:
    code = [name for name in written(".py") if name.startswith(CODE_ROOTS) and not name.startswith(GENERATED)]
    assert [found for name in code for found in _offences(rule, name, read(name))] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
def test_the_rule_catches_its_offence_and_nothing_else(rule: Rule) -> None:
    assert list(_offences(rule, *rule.bad)) != []
    assert list(_offences(rule, *rule.good)) == []


def _without_database() -> list[str]:
    """Name the modules that must come up without the driver: three roles, and all of the gateway."""
    mains = tuple(f"services/{role}/main.py" for role in ("audit", "judge", "embed"))
    gateway = ("gateway/*.py", "gateway/explorer/__main__.py")
    present = [name for name in written(".py") if name in mains or _matches(name, gateway)]
    return [name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in present]


@pytest.mark.parametrize("module", _without_database())
def test_it_comes_up_without_the_database_driver(module: str) -> None:
    script = f"import sys, {module}; print(sorted(n for n in sys.modules if n in {DATABASE_MODULES!r}))"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.strip(), run.stderr) == (0, "[]", "")
