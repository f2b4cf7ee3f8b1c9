"""The facts of one turn, one after another: each meets what those before it have left."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from shared.domain.placing import Placed, Placing, place
from shared.domain.supersession import NOTHING, Held
from shared.domain.types import MemoryState

START = datetime(2026, 5, 1, tzinfo=UTC)


def held(number: int, value: str, since: float, **given: Any) -> Held:
    when = START + timedelta(days=since)
    return Held(UUID(int=number), when, when, value, **given)


def states(placed: Placed) -> dict[int, str]:
    return {one.memory_id.int: one.state.value for one in placed.held.values()}


def test_facts_of_one_turn_meet_in_their_lane() -> None:
    porto, lisbon, again = held(1, "porto", 5), held(2, "lisbon", 5), held(3, "lisbon", 5)
    placed = place([Placing(one, "home") for one in (porto, lisbon, again)], {})
    assert states(placed) == {1: "superseded", 2: "active"}
    assert placed.written == [porto.memory_id, lisbon.memory_id]
    assert placed.spoken_by == [porto.memory_id, lisbon.memory_id, lisbon.memory_id]
    assert placed.mentioned == {lisbon.memory_id: lisbon.since}


def test_facts_of_other_lanes_do_not_meet() -> None:
    placed = place([Placing(held(1, "x", 5), "home"), Placing(held(2, "y", 5), "work")], {})
    assert states(placed) == {1: "active", 2: "active"}


def test_what_a_fact_excludes_ends_unless_something_before_it_has_ended_it() -> None:
    berlin, note = held(1, "berlin", 1), held(2, "", 2)
    known = {one.memory_id: one for one in (berlin, note)}
    told = Placing(held(3, "lisbon", 5), "home", (berlin.memory_id,), opposed=(berlin.memory_id, note.memory_id))
    placed = place([told], known)
    assert states(placed) == {1: "superseded", 2: "superseded", 3: "active"}
    assert {one.superseded_by for one in placed.held.values()} == {UUID(int=3), None}


def test_a_fact_that_only_repeats_ends_nothing() -> None:
    berlin, note = held(1, "berlin", 1), held(2, "", 2)
    known = {one.memory_id: one for one in (berlin, note)}
    told = Placing(held(3, "berlin", 5), "home", (berlin.memory_id,), opposed=(note.memory_id,))
    assert states(place([told], known)) == {1: "active", 2: "active"}


def test_an_end_of_a_value_that_does_not_stand_ends_nothing_else() -> None:
    lisbon = held(1, "lisbon, portugal", 4)
    known = {lisbon.memory_id: lisbon}
    gone = Placing(held(2, NOTHING, 9), "home", (lisbon.memory_id,), former="berlin")
    assert states(place([gone], known)) == {1: "active", 2: "superseded"}
    right = Placing(held(2, NOTHING, 9), "home", (lisbon.memory_id,), former="lisbon")
    assert states(place([right], known)) == {1: "superseded", 2: "active"}


def test_what_is_held_is_not_changed_in_place() -> None:
    berlin = held(1, "berlin", 1)
    known = {berlin.memory_id: berlin}
    place([Placing(held(2, "lisbon", 5), "home", (berlin.memory_id,))], known)
    assert known == {berlin.memory_id: berlin} and berlin.state is MemoryState.ACTIVE
