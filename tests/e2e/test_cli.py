"""The command `candor` against a running Candor: the tour, what scripts rely on, and where keys go and do not go."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.e2e.stack import Stack, Tenant
from tests.house.tree import ROOT

Done: TypeAlias = "subprocess.CompletedProcess[str]"
Run: TypeAlias = Callable[..., Done]


@pytest.fixture
def run(stack: Stack, tmp_path: Path) -> Run:
    """Run `candor` as somebody whose folders are empty; by default as a new tenant."""
    if stack.settings is None:
        pytest.skip("E2E_URL names a Candor in which no tenant can be made")
    own = stack.new_tenant().key

    def candor(*words: str, **changed: str) -> Done:
        environment = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
        environment |= {
            "PYTHONPATH": f"{ROOT}:{ROOT}/shared/gen",
            "CANDOR_URL": stack.url,
            "CANDOR_KEY": own,
            **changed,
        }
        command = [sys.executable, "-m", "gateway.client", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)

    return candor


def fine(done: Done) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def remember_two(run: Run) -> None:
    fine(run("remember", "The lease ends on 30 June 2027.", "--kind", "document", "--record", "LEASE-7",
             "--set", "ends=2027-06-30", "--observed", "2026-02-01"))  # fmt: skip
    fine(run("remember", "It ends in December 2027.", "--record", "LEASE-7", "--set", "ends=31 December 2027"))


def test_a_newcomer_settles_a_conflict(run: Run) -> None:
    remember_two(run)
    found = fine(run("recall", "when does the lease end?"))
    assert "conflict LEASE-7 ends" in found
    assert "* 2027-06-30" in found
    assert "memory disagrees" in fine(run("ask", "when does the lease end?"))
    checked = run("audit", "--check")
    assert checked.returncode == 1
    assert "contradictions: 1" in checked.stdout
    assert "accept: LEASE-7 ends" in fine(run("resolve", "lease-7", "ENDS", "--accept", "--reason", "the contract"))
    assert "conflict" not in fine(run("recall", "when does the lease end?"))
    assert "contradictions: 0" in fine(run("audit", "--check"))
    again = run("resolve", "LEASE-7", "ends", "--accept", "--reason", "twice")
    assert (again.returncode, again.stdout) == (4, "")
    assert "CONFLICT_NOT_FOUND" in again.stderr


def test_the_side_of_ones_choice_holds(run: Run) -> None:
    remember_two(run)
    conflict = json.loads(fine(run("recall", "lease", "--json")))["conflicts"][0]
    other = next(v for v in conflict["values"] if v["memoryId"] != conflict["resolution"]["recommendedMemoryId"])
    told = fine(run("resolve", "LEASE-7", "ends", "--memory", other["memoryId"], "--reason", "I asked", "--json"))
    assert json.loads(told)["action"] == "override"


def test_of_two_conflicts_about_one_attribute_none_is_guessed(run: Run) -> None:
    for company in ("Halden", "Northwind"):
        for day in ("2027-06-30", "2027-12-31"):
            fine(run("remember", f"It ends {day}.", "--company", company, "--record", "L-1", "--set", f"ends={day}"))
    both = run("resolve", "L-1", "ends", "--accept", "--reason", "x")
    assert both.returncode == 2
    assert "contradictions: 2" in fine(run("audit"))
    fine(run("resolve", "L-1", "ends", "--accept", "--reason", "x", "--company", "Halden"))
    assert "contradictions: 1" in fine(run("audit"))


def test_json_is_the_servers_own(run: Run) -> None:
    fine(run("remember", "Rent is 18400.00.", "--record", "R-1", "--set", "rent=18400.00", "--json"))
    assert '"rent":18400.00' in fine(run("recall", "rent", "--json")).replace(": ", ":")
    assert json.loads(fine(run("status", "--json")))["memories"] == 1
    assert [json.loads(line)["keys"] for line in fine(run("keys", "list", "--json")).splitlines()]


def test_a_long_list_is_read_to_its_end(run: Run) -> None:
    for _ in range(21):  # a page holds 20
        fine(run("keys", "create", "many", "--scope", "read"))
    assert fine(run("keys", "list")).count("many") == 21


def test_a_key_is_printed_once_and_alone(run: Run) -> None:
    made = run("keys", "create", "reader", "--scope", "read")
    key = fine(made).strip()
    assert key.startswith("ck_")
    assert key not in made.stderr
    assert fine(run("recall", "x", CANDOR_KEY=key)).startswith("Nothing was found")
    refused = run("remember", "x", CANDOR_KEY=key)
    assert (refused.returncode, refused.stdout) == (3, "")
    listed = fine(run("keys", "list"))
    assert key not in listed + refused.stderr
    key_id = next(line.split()[0] for line in listed.splitlines() if "reader" in line)
    fine(run("keys", "revoke", key_id))
    assert "revoked" in fine(run("keys", "list"))


@pytest.mark.parametrize(
    ("words", "changed", "code", "reason"),
    [
        (["recall", "x"], {"CANDOR_KEY": "ck_wrong"}, 3, "KEY_UNKNOWN"),
        (["remember", "x"], {"CANDOR_KEY": ""}, 3, "CREDENTIAL_MISSING"),
        (["recall", "x"], {"CANDOR_URL": "http://127.0.0.1:9"}, 5, "UNREACHABLE"),
        (["jobs", "01a22f39-98f1-70fa-bfda-498840e2fa80"], {}, 4, "JOB_NOT_FOUND"),
        (["recall", " "], {}, 6, "QUERY_EMPTY"),
        (["remember", "x", "--set", "novalue"], {}, 2, "attribute=value"),
        (["remember", "x", "--observed", "soon"], {}, 2, "no instant"),
        (["resolve", "a", "b", "--reason", "x"], {}, 2, "--accept"),
        (["teapot"], {}, 2, "teapot"),
    ],
)
def test_a_failure_has_its_code(run: Run, words: list[str], changed: dict[str, str], code: int, reason: str) -> None:
    done = run(*words, **changed)
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
    assert "ck_" not in done.stderr


def test_what_memory_holds_does_not_steer_the_terminal(run: Run) -> None:
    fine(run("remember", "red \x1b[31m [bold]alert[/bold] \x07", "--record", "A-1"))
    shown = fine(run("recall", "alert"))
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "[bold]alert[/bold]" in shown


def test_a_job_is_waited_for(run: Run, stack: Stack, tenant: Tenant) -> None:
    with stack.client(tenant.key) as client:
        job_id = client.post("/v1/turns", json={"userText": "I live in Lisbon."}).json()["jobId"]
    waited = fine(run("jobs", job_id, "--wait", "--json", CANDOR_KEY=tenant.key))
    assert json.loads(waited)["job"]["status"] == "done"


def test_a_key_of_a_file_goes_only_where_the_file_says(run: Run, stack: Stack, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "candor"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(f'url = "{stack.url}"\nkey = "{stack.new_tenant().key}"\n')
    assert "ready" in fine(run("status", CANDOR_URL="", CANDOR_KEY=""))
    elsewhere = run("jobs", CANDOR_URL=stack.url.replace("127.0.0.1", "localhost"), CANDOR_KEY="")
    assert (elsewhere.returncode, "CREDENTIAL_MISSING" in elsewhere.stderr) == (3, True)
    (folder / "config.toml").write_text("key = 5\n")
    assert run("status", CANDOR_URL="", CANDOR_KEY="").returncode == 2


def test_setup_makes_the_command_and_the_module(run: Run, stack: Stack, tmp_path: Path) -> None:
    made = tmp_path / "my venv"
    venv.create(made, with_pip=False, symlinks=True)
    subprocess.run(["sh", "requirements/link-client.sh", str(made)], cwd=ROOT, check=True)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{sysconfig.get_path('purelib')}", "HOME": str(tmp_path)}
    environment |= {"CANDOR_URL": stack.url, "CANDOR_KEY": stack.key}
    done = subprocess.run([made / "bin" / "candor", "status"], capture_output=True, text=True, check=False,
                          env=environment, cwd=tmp_path)  # fmt: skip
    assert "ready" in fine(done)
