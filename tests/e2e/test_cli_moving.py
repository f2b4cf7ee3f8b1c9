"""The command `candor` brings memories in from elsewhere: an archive of another Candor, a chat, mem0's export."""

import json
from pathlib import Path

from tests.e2e.stack import Stack
from tests.e2e.test_cli import Run, fine, remember_two
from tests.e2e.test_cli import run as run  # the fixture


def test_an_archive_fills_an_empty_memory_and_only_that(run: Run, stack: Stack, tmp_path: Path) -> None:
    remember_two(run)
    file, copy = tmp_path / "all.ndjson", tmp_path / "copy.ndjson"
    fine(run("export", str(file)))
    other = stack.new_tenant().key
    looked = fine(run("import", str(file), "--dry-run", CANDOR_KEY=other))
    assert "2 memories would come, nothing was written, 0 wrong" in looked
    done = json.loads(fine(run("import", str(file), "--id", "move-1", "--json", CANDOR_KEY=other)))
    assert (done["memories"], done["complete"]) == (2, True)
    fine(run("export", str(copy), CANDOR_KEY=other))
    assert copy.read_text().splitlines()[1:] == file.read_text().splitlines()[1:]
    again = json.loads(fine(run("import", str(file), "--id", "move-1", "--json", CANDOR_KEY=other)))
    assert (again["memories"], again["complete"]) == (2, True)
    refused = run("import", str(file), "--id", "move-2", CANDOR_KEY=other)
    assert refused.returncode != 0
    assert "TENANT_NOT_EMPTY" in refused.stderr


def test_an_archive_that_is_cut_off_says_so(run: Run, stack: Stack, tmp_path: Path) -> None:
    remember_two(run)
    file = tmp_path / "all.ndjson"
    fine(run("export", str(file)))
    cut = tmp_path / "cut.ndjson"
    cut.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))
    done = run("import", str(cut), "--dry-run", CANDOR_KEY=stack.new_tenant().key)
    assert (done.returncode, "the archive is cut off" in done.stdout) == (6, True)


def test_a_chat_is_imported_with_its_wrong_items_told(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    said = [
        {"role": "user", "content": "The ferry leaves at nine.", "timestamp": "2026-03-01T08:00:00", "session": "a"},
        {"role": "user", "content": "", "timestamp": "2026-03-01T08:01:00", "session": "a"},
        {"role": "assistant", "content": "Noted.", "timestamp": "2026-03-01T08:02:00", "session": "a"},
    ]
    file.write_text("\n\n".join(json.dumps(one) for one in said))
    done = run("import", str(file), "--from", "chat", "--zone", "Europe/Berlin")
    assert done.returncode == 6
    assert "2 remembered, 0 known already, 0 wrong" in done.stdout
    assert "item 3: " in done.stderr
    found = json.loads(fine(run("recall", "when does the ferry leave?", "--json")))
    assert found["hits"][0]["memory"]["observedAt"] == "2026-03-01T07:00:00.000Z"
    assert "2 known already" in run("import", str(file), "--from", "chat", "--zone", "Europe/Berlin").stdout


def test_an_export_of_mem0_is_imported(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mem0.json"
    facts = [{"id": "1", "memory": "Likes rye bread.", "user_id": "u", "created_at": "2026-01-02T03:04:05Z"}]
    file.write_text(json.dumps({"results": facts}))
    assert "1 remembered" in fine(run("import", str(file), "--from", "mem0"))


def test_options_that_do_not_belong_together_are_wrong_usage(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "memories.ndjson"
    file.write_text('{"content": "x", "kind": "note"}\n')
    for words in (["--dry-run"], ["--zone", "Europe/Berlin"], ["--from", "chat", "--zone", "Nowhere/Atall"]):
        assert run("import", str(file), *words).returncode == 2, words
