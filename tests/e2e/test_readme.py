"""Every command of the README works as it stands there.

Rules: `make` targets that start, stop or test everything are run by the other tests and by CI, so here they only have
to exist (tests/house); every other command is run, in order, in one shell, against the running Candor.
"""

import os
import re
import shlex
import subprocess
import sys

import pytest

from tests.e2e.stack import Stack
from tests.house.tree import ROOT

SHELL_BLOCK = re.compile(r"^```bash\n(.*?)^```", re.MULTILINE | re.DOTALL)

CANDOR = f'candor() {{ {shlex.quote(sys.executable)} -m gateway.client "$@"; }}\n'
OUTPUT_BLOCK = re.compile(r"^```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
ANSWER = re.compile(r"^(?:As of .*lease.*|LEASE-7 ends: .*)$", re.MULTILINE)


def _script(stack: Stack, key: str) -> str:
    """Return the README's commands without `make`, pointed at this Candor and made to fail on an HTTP error."""
    blocks = SHELL_BLOCK.findall((ROOT / "README.md").read_text())
    lines = [line for block in blocks for line in block.splitlines() if not line.startswith("make ")]
    text = "\n".join(lines).replace("http://127.0.0.1:7100", stack.url).replace("curl -s", "curl -sS --fail-with-body")
    # `make setup` puts `candor` into the virtual environment; here it is the code of this work tree.
    return CANDOR + text.replace("$(cat .candor/key)", key)


@pytest.fixture(scope="module")
def done(stack: Stack) -> subprocess.CompletedProcess[str]:
    """What the README's commands did, run once: a conflict that was settled is none the second time."""
    key = stack.key if stack.settings is None else stack.new_tenant().key  # an empty memory, as a newcomer has
    script = _script(stack, key)
    assert script.count("curl") >= 5
    assert script.count("\ncandor ") >= 5
    environment = {**os.environ, "CANDOR_URL": stack.url, "CANDOR_KEY": key, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["bash", "-e", "-c", script], capture_output=True, text=True, check=False, env=environment, cwd=ROOT
    )


def test_every_command_runs(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_conflict_is_seen_and_settled(done: subprocess.CompletedProcess[str]) -> None:
    before, settled, after = done.stdout.partition("accept: LIFT-3 until is settled by memory")
    assert settled, done.stdout
    assert "conflict LIFT-3 until of Northwind" in before
    assert "conflict LIFT-3" not in after


def test_what_the_readme_and_the_page_show_of_the_tour_is_what_came(
    done: subprocess.CompletedProcess[str], stack: Stack
) -> None:
    _ = stack.own  # another's memory may hold more
    came = "\n".join(line.rstrip() for line in ID.sub("ID", done.stdout).splitlines())
    shown = [
        block for page in ("README.md", "docs/cli.md") for block in OUTPUT_BLOCK.findall((ROOT / page).read_text())
    ]
    tour = [ID.sub("ID", block) for block in shown if "LIFT-3" in block]
    assert len(tour) == 4
    for block in tour:
        assert block in came


def test_the_second_write_conflicts_and_the_document_is_recommended(done: subprocess.CompletedProcess[str]) -> None:
    if "conflicts" not in done.stdout:
        pytest.fail(done.stdout)
    assert '"rule":"source-authority"' in done.stdout
    assert '"grounding":{"status":"passed"' in done.stdout
    for line in ANSWER.findall((ROOT / "README.md").read_text()):  # what the README shows is what came
        assert line in done.stdout
