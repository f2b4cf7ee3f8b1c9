"""What other systems export becomes memories, item by item, and what is wrong is told by its number."""

import json
from datetime import UTC, timedelta, timezone
from decimal import Decimal

import pytest

from gateway.client.foreign import Item, chat, mem0

CHAT = (
    b'{"role":"user","content":"I moved to Lyon.","timestamp":"2026-05-01T09:00:00+02:00","session":"s1"}',
    b'{"role":"assistant","content":[{"type":"text","text":"Noted."},{"type":"image"}],"created_at":1777622400,'
    b'"conversation_id":"s1","model":"m","cost":0.10,"id":"m-2"}',
    b"",
    b'{"role":"system","content":"You are helpful."}',
    b'{"role":"user","content":""}',
    b'{"role":"user","content":"When?","timestamp":"2026-05-01T09:00:00"}',
    b'{"role":"user","content":"When?","timestamp":"soon"}',
    b'{"role":"user","content":{"a":1}}',
    b"[1]",
    b'{"role":',
    b'{"role":"user","content":"\xff"}',
    b'{"role":"user","name":"Ann","content":"Late.","ts":1777622400123}',
)


def test_a_chat_becomes_turns_and_bad_lines_are_told_by_number() -> None:
    items = list(chat(CHAT))
    good = {item.number: item.memory for item in items if item.memory is not None}
    assert good == {
        1: {
            "kind": "turn", "content": "I moved to Lyon.", "speaker": "user", "session": "s1",
            "observedAt": "2026-05-01T09:00:00+02:00",
        },
        2: {
            "kind": "turn", "content": "Noted.", "speaker": "assistant", "session": "s1", "sourceRef": "chat:m-2",
            "observedAt": "2026-05-01T08:00:00+00:00", "metadata": {"model": "m", "cost": Decimal("0.10")},
        },
        12: {"kind": "turn", "content": "Late.", "speaker": "Ann", "observedAt": "2026-05-01T08:00:00.123000+00:00"},
    }  # fmt: skip
    assert b'"metadata":{"model":"m","cost":0.10}' in items[1].line()
    assert {item.number: item.reason for item in items if item.memory is None} == {
        4: "ROLE_LEFT_OUT", 5: "CONTENT_EMPTY", 6: "TIME_NAIVE", 7: "TIME_INVALID", 8: "ITEM_INVALID",
        9: "ITEM_INVALID", 10: "JSON_INVALID", 11: "JSON_INVALID",
    }  # fmt: skip
    assert all(item.description for item in items if item.memory is None)


def test_a_zone_reads_times_without_an_offset() -> None:
    [item] = chat([CHAT[5]], timezone(timedelta(hours=9)))
    assert item.memory is not None and item.memory["observedAt"] == "2026-05-01T09:00:00+09:00"


FACT = {
    "id": "ea92", "memory": "Prefers tea.", "hash": "h", "metadata": {"source": "call", "share": 0.5},
    "user_id": "alex", "agent_id": "helper", "run_id": "r-1", "categories": ["drinks"], "score": 0.4,
    "created_at": "2026-01-01T00:00:00-08:00", "updated_at": "2026-02-01T00:00:00.5-08:00",
    "expiration_date": "2026-12-31",
}  # fmt: skip
TOLD = {
    "kind": "note", "content": "Prefers tea.", "speaker": "alex", "session": "r-1", "sourceRef": "mem0:ea92",
    "observedAt": "2026-02-01T00:00:00.500000-08:00", "expiresAt": "2027-01-01T00:00:00+00:00", "tags": ["drinks"],
    "metadata": {"source": "call", "share": 0.5, "mem0": {"agent_id": "helper"}},
}  # fmt: skip


@pytest.mark.parametrize("wrap", ["results", "memories", "list", "one", "lines"])
def test_each_form_of_a_mem0_export_is_read(wrap: str) -> None:
    two = [FACT, {"id": "2", "memory": None}]
    text = {
        "list": json.dumps(two),
        "one": json.dumps(FACT),
        "lines": "\n".join(map(json.dumps, two)),
    }.get(wrap) or json.dumps({wrap: two, "count": 2})
    first, *others = mem0(text.encode(), UTC)
    assert first.number == 1
    assert json.loads(first.line()) == TOLD
    assert [(one.number, one.reason) for one in others] == ([] if wrap == "one" else [(2, "CONTENT_EMPTY")])


def test_a_wrong_item_keeps_its_line() -> None:
    assert Item(3, None, "CONTENT_EMPTY", "says nothing").line() == b"\n"


def test_what_is_no_export_is_one_wrong_item_a_line() -> None:
    assert [(item.number, item.reason) for item in mem0(b"<html>\n</html>")] == [
        (1, "JSON_INVALID"),
        (2, "JSON_INVALID"),
    ]
