"""The check of advisories itself: it fails for a new one, for one accepted without need, and not for silence."""

import json

import pytest

from tests.house.advisories import ACCEPTED, Looked, accepted, read, verdict

REPORT = json.dumps(
    {
        "dependencies": [
            {"name": "a", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]},
            {"name": "b", "version": "2.0", "vulns": []},
            {"name": "c", "skip_reason": "not found"},
        ]
    }
)


def test_a_report_tells_what_was_known_and_what_not() -> None:
    assert read([REPORT, REPORT]) == Looked({"PYSEC-1": "a 1.0, mended in 1.1"}, known=2, unknown=1)


def test_an_advisory_fails_unless_it_is_accepted() -> None:
    looked = read([REPORT])
    assert verdict(looked, {}) == ["PYSEC-1: a 1.0, mended in 1.1"]
    assert verdict(looked, {"PYSEC-1": "only the parser we do not call"}) == []


def test_what_is_accepted_without_need_fails() -> None:
    assert verdict(Looked({}, 2, 0), {"PYSEC-9": "x"}) == ["PYSEC-9: accepted, but applies no longer"]


def test_silence_of_the_service_is_no_verdict() -> None:
    assert verdict(read(['{"dependencies": [{"name": "c", "skip_reason": "x"}]}']), {"PYSEC-9": "x"}) == []


def test_nothing_is_accepted_without_a_reason() -> None:
    accepted(ACCEPTED.read_text(encoding="utf-8"))
    with pytest.raises(ValueError, match="PYSEC-1"):
        accepted("PYSEC-1\n")
