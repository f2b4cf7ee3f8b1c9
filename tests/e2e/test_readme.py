"""Every command of the README works as it stands there.

Rules: `make` targets that start, stop or test everything are run by the other tests and by CI, so here they only have
to exist (tests/house); every other command is run, in order, in one shell, against the running Candor.
"""

import re
import subprocess

import pytest

from tests.e2e.stack import Stack
from tests.house.tree import ROOT

SHELL_BLOCK = re.compile(r"^```bash\n(.*?)^```", re.MULTILINE | re.DOTALL)

ANSWER = re.compile(r"^(?:As of .*lease.*|LEASE-7 ends: .*)$", re.MULTILINE)


def _script(stack: Stack) -> str:
    """Return the README's commands without `make`, pointed at this Candor and made to fail on an HTTP error."""
    blocks = SHELL_BLOCK.findall((ROOT / "README.md").read_text())
    lines = [line for block in blocks for line in block.splitlines() if not line.startswith("make ")]
    text = "\n".join(lines).replace("http://127.0.0.1:7100", stack.url).replace("curl -s", "curl -sS --fail-with-body")
    return text.replace("$(cat .candor/key)", stack.key)


def test_every_command_runs(stack: Stack) -> None:
    script = _script(stack)
    assert script.count("curl") >= 5
    done = subprocess.run(["bash", "-e", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_second_write_conflicts_and_the_document_is_recommended(stack: Stack) -> None:
    done = subprocess.run(["bash", "-e", "-c", _script(stack)], capture_output=True, text=True, check=False)
    if "conflicts" not in done.stdout:
        pytest.fail(done.stdout)
    assert '"rule":"source-authority"' in done.stdout
    assert '"grounding":{"status":"passed"' in done.stdout
    for line in ANSWER.findall((ROOT / "README.md").read_text()):  # what the README shows is what came
        assert line in done.stdout
