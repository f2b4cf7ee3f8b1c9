"""The table of expected counterparts, and the index that finds who calls for one."""

import json
import re
from pathlib import Path

from shared.domain.claims import claims_of
from shared.domain.counterpart import EXPECTATIONS

STORE = Path(__file__).parents[2] / "shared" / "store"
CALLED = {value for one in EXPECTATIONS for _, value in one.says}


def test_values_are_canonical() -> None:
    for one in EXPECTATIONS:
        for attribute, value in one.says:
            given = True if value == "true" else value
            assert [claim.canonical for claim in claims_of(json.dumps({attribute: given}))] == [value]
        assert all(re.fullmatch("[a-z_]+", kind) for kind in one.answering_types)


def test_index_and_statement_name_the_values_of_the_table() -> None:
    for text in (
        (STORE / "migrations" / "0040_audit.sql").read_text(),
        (STORE / "sql" / "reads" / "expected.sql").read_text(),
    ):
        (listed,) = re.findall(r"canonical IN \(([^)]+)\)", text)
        assert {value.strip(" '") for value in listed.split(",")} == CALLED


def test_names_are_distinct_and_told_in_words() -> None:
    assert len({one.expected for one in EXPECTATIONS}) == len(EXPECTATIONS)
    for one in EXPECTATIONS:
        assert one.expected and one.called_for_by and one.answered_by
