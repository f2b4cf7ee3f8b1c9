"""The longer work of the command `candor` against a running Candor: audits, talks, imports and exports."""

import json
from pathlib import Path

from tests.e2e.test_cli import Run, fine, remember_two
from tests.e2e.test_cli import run as run  # the fixture


def test_an_audit_goes_on_since_the_last_one(run: Run) -> None:
    remember_two(run)
    goes_on = fine(run("audit")).splitlines()[-1].removeprefix("what is written from now on: ")
    later = json.loads(fine(run("audit", goes_on, "--json")))
    assert (later["delta"], later["contradictions"]) == (True, [])
    wrong = run("audit", "--since", "yesterday")
    assert (wrong.returncode, "SINCE_INVALID" in wrong.stderr) == (6, True)


def test_an_audit_by_meaning(run: Run) -> None:
    for said in ("pays on time", "pays late"):
        fine(run("remember", f"Halden Paper always {said}.", "--kind", "insight", "--company", "Halden"))
    found = run("audit", "--semantic", "--max-pairs", "1", "--kind", "insight", "--check")
    assert found.returncode == 1, found.stdout + found.stderr
    assert "contradictions: 1" in found.stdout
    assert "opposed, similarity" in found.stdout
    told = json.loads(fine(run("audit", "--semantic", "--json")))
    assert told["semanticContradictions"][0]["type"] == "semantic-contradiction"
    for words in (
        ["--max-pairs", "3"],
        ["--resume", "x"],
        ["--semantic", "--since", "x"],
        ["--semantic", "--max-pairs", "26"],
    ):
        assert run("audit", *words).returncode == 2, words


def test_a_talk_as_json_goes_on(run: Run) -> None:
    heard = json.loads(fine(run("chat", "My ferry leaves from the northern pier.", "--json")))["heard"]
    told = json.loads(fine(run("chat", "From which pier?", "--session", heard["session"], "--json")))
    assert told["heard"]["session"] == heard["session"]


def test_a_file_is_imported_and_its_wrong_lines_are_told(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "memories.ndjson"
    lines = [json.dumps({"content": f"The crane was oiled, turn {number}.", "kind": "note"}) for number in range(30)]
    file.write_text("\n".join([*lines[:10], "{", *lines[10:], ""]))
    done = run("import", str(file), "--id", "crane")
    assert done.returncode == 6
    assert done.stdout == "31 lines: 30 remembered, 0 known already, 1 wrong\n"
    assert "line 11: " in done.stderr
    assert "JSON_INVALID" in done.stderr
    again = run("import", str(file), "--id", "crane", "--json")
    assert json.loads(again.stdout)["written"] == 30
    assert json.loads(fine(run("status", "--json")))["memories"] == 30
    assert run("import", str(tmp_path / "none")).returncode == 2


def test_an_export_is_whole_and_its_owners(run: Run, tmp_path: Path) -> None:
    remember_two(run)
    file = tmp_path / "all.ndjson"
    assert f"lines in {file}" in run("export", str(file)).stderr
    parts = [json.loads(line)["part"] for line in file.read_text().splitlines()]
    assert (parts[0], parts[-1], parts.count("memory")) == ("archive", "end", 2)
    assert file.stat().st_mode & 0o777 == 0o600
    assert run("export", str(file)).returncode == 2
    assert run("export", str(file), "--force").returncode == 0
    assert fine(run("export", "-")) == file.read_text()
    assert [one.name for one in tmp_path.glob("*.part")] == []
    refused = run("export", str(tmp_path / "other"), CANDOR_KEY="ck_wrong")
    assert (refused.returncode, (tmp_path / "other").exists()) == (3, False)
