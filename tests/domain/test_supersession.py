"""Facts in their lanes: whatever the order in which they arrive, the same holds in the end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.supersession import NOTHING, Held, Settled, oppose, settle
from shared.domain.types import MemoryState

START = datetime(2026, 5, 1, tzinfo=UTC)


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def told(number: int, value: str, since: float, **given: object) -> Held:
    return replace(Held(UUID(int=number), day(since), day(since), value), **given)  # type: ignore[arg-type]


class Lane:
    """A lane as the database would hold it."""

    def __init__(self) -> None:
        self.held: dict[UUID, Held] = {}
        self.next = 0

    def tell(self, value: str, since: float, *, corrects: bool = False) -> Settled:
        self.next += 1
        fact = told(self.next, value, since)
        settled = settle(fact, self.held.values(), corrects=corrects)
        self.held.update({held.memory_id: held for held in settled.changed})
        if not settled.is_written:
            spoken = self.held[settled.spoken_by]
            if spoken.is_active:
                self.held[spoken.memory_id] = replace(spoken, mentioned=max(spoken.last, fact.since))
        return settled

    def current(self) -> list[str]:
        return [held.value for held in self.held.values() if held.is_active]

    def history(self) -> list[tuple[str, int, int | None]]:
        """Return (value, since, until) of what was superseded or holds, oldest first, in days."""
        return sorted(
            (held.value, (held.since - START).days, None if held.until is None else (held.until - START).days)
            for held in self.held.values()
            if held.state in (MemoryState.ACTIVE, MemoryState.SUPERSEDED)
        )


def of(facts: Iterable[tuple[str, float]]) -> Lane:
    lane = Lane()
    for value, since in facts:
        lane.tell(value, since)
    return lane


def holding(days: Sequence[tuple[str, float]]) -> str:
    return max(days, key=lambda fact: fact[1])[0]


def test_a_later_value_ends_the_earlier_and_both_are_linked() -> None:
    lane = of([("berlin", 1), ("lisbon", 10)])
    berlin, lisbon = lane.held.values()
    assert (berlin.state, berlin.until, berlin.superseded_by) == (MemoryState.SUPERSEDED, day(10), lisbon.memory_id)
    assert lisbon.is_active


def test_a_stale_value_that_comes_late_is_written_ended() -> None:
    lane = of([("lisbon", 10), ("berlin", 1)])
    lisbon, berlin = lane.held.values()
    assert (berlin.state, berlin.until, berlin.superseded_by) == (MemoryState.SUPERSEDED, day(10), lisbon.memory_id)


def test_of_one_time_the_later_recorded_holds_whichever_comes_first() -> None:
    first, second = told(1, "berlin", 1), told(2, "lisbon", 1, recorded_at=day(2))
    for one, other in ((first, second), (second, first)):
        held = {change.memory_id: change for change in (one, *settle(other, [one]).changed)}
        assert [h.value for h in held.values() if h.is_active] == ["lisbon"]


def test_every_order_of_arrival_leaves_the_same_history() -> None:
    facts = [("berlin", 1), ("lisbon", 4), ("porto", 6), (NOTHING, 8), ("oslo", 9)]
    expected = of(facts).history()
    for order in permutations(facts):
        assert of(order).history() == expected


@given(st.data())
def test_what_holds_is_what_was_told_for_the_latest_time(data: st.DataObject) -> None:
    days = st.lists(st.integers(0, 60), min_size=1, max_size=9, unique=True)
    facts = [(data.draw(st.sampled_from("abc")), float(day)) for day in data.draw(days)]
    lane = of(facts)
    assert lane.current() == [holding(facts)]
    assert not any(held.until and held.until < held.since for held in lane.held.values())
    before = dict(lane.held)
    for value, since in facts:  # told once more, nothing new is written
        assert not lane.tell(value, since).is_written or lane.current() == [holding(facts)]
    assert {key: held.state for key, held in lane.held.items() if key in before and held.is_active} == {
        key: held.state for key, held in before.items() if held.is_active
    }


def test_a_value_told_again_is_mentioned() -> None:
    lane = of([("berlin", 1), ("berlin", 5)])
    assert len(lane.held) == 1


def test_a_fact_from_before_a_mention_was_only_passing() -> None:
    lane = of([("berlin", 1), ("berlin", 9), ("lisbon", 5)])
    assert lane.current() == ["berlin"]
    assert ("lisbon", 5, 9) in lane.history()
    lane.tell("porto", 6)
    assert lane.current() == ["berlin"]
    assert {("lisbon", 5, 6), ("porto", 6, 9)} <= set(lane.history())


def test_moved_back_holds_again_as_something_new() -> None:
    lane = of([("berlin", 1), ("lisbon", 5), ("berlin", 9)])
    assert lane.history() == [("berlin", 1, 5), ("berlin", 9, None), ("lisbon", 5, 9)]


def test_an_earlier_beginning_speaks_for_what_stands() -> None:
    lane = of([("lisbon", 10), ("lisbon", 4), ("berlin", 1)])
    assert lane.history() == [("berlin", 1, 4), ("lisbon", 4, None)]
    merged = next(held for held in lane.held.values() if held.state is MemoryState.MERGED)
    assert merged.superseded_by is not None and lane.held[merged.superseded_by].since == day(4)


def test_what_was_forgotten_is_revived_and_what_took_its_place_is_not_lost() -> None:
    lane = of([("tea", 1)])
    (tea,) = lane.held.values()
    lane.held[tea.memory_id] = replace(tea, state=MemoryState.FORGOTTEN)
    assert not lane.tell("tea", 40).is_written
    assert lane.current() == ["tea"]
    lane.held[tea.memory_id] = replace(tea, state=MemoryState.FORGOTTEN)
    lane.tell("coffee", 50)
    assert (lane.held[tea.memory_id].state, lane.held[tea.memory_id].until) == (MemoryState.SUPERSEDED, day(50))


def test_the_members_of_a_digest_end_with_it() -> None:
    digest = told(9, "tea", 7)
    members = [told(n, "tea", n, state=MemoryState.MERGED, superseded_by=digest.memory_id) for n in (1, 3, 7)]
    fact = told(20, "coffee", 12)
    changed = {held.memory_id: held for held in settle(fact, [*members, digest]).changed}
    assert len(changed) == 5
    assert all(
        h.state is MemoryState.SUPERSEDED and h.superseded_by == fact.memory_id
        for h in changed.values()
        if h.memory_id != fact.memory_id
    )
    stale = settle(told(21, "coffee", 5), [*members, digest]).changed
    assert [(held.until, held.superseded_by) for held in stale] == [(day(7), digest.memory_id)]


def test_a_correction_makes_what_stood_incorrect() -> None:
    lane = of([("porto", 1)])
    lane.tell("lisbon", 3, corrects=True)
    assert [held.state for held in lane.held.values()] == [MemoryState.INCORRECT, MemoryState.ACTIVE]
    lane.tell("lisbon", 2)
    assert lane.current() == ["lisbon"]


def test_less_is_a_mention_and_more_speaks_for_what_was_told() -> None:
    city, before = told(1, "lisbon, portugal", 1), told(9, "berlin", 0, state=MemoryState.SUPERSEDED, until=day(1))
    less = settle(told(2, "lisbon", 5), [city], same={city.memory_id})
    assert (less.spoken_by, less.is_written) == (city.memory_id, False)
    lisbon, berlin = told(1, "lisbon", 1), replace(before, superseded_by=city.memory_id)
    fact = told(2, "lisbon, portugal", 5)
    more = {one.memory_id.int: one for one in settle(fact, [berlin, lisbon], refined={lisbon.memory_id}).changed}
    assert (more[1].state, more[1].superseded_by, more[1].until) == (MemoryState.MERGED, fact.memory_id, None)
    assert (more[9].state, more[9].superseded_by, more[9].until) == (MemoryState.SUPERSEDED, fact.memory_id, day(1))
    assert more[2].is_active
    late = settle(told(3, "lisbon, portugal", 0.5), [lisbon], refined={lisbon.memory_id})
    assert [one.state for one in late.changed] == [MemoryState.ACTIVE, MemoryState.MERGED]


def test_what_expired_is_written_anew() -> None:
    due = told(1, "report", 1, until=day(5))
    assert settle(told(2, "report", 9), [due]).is_written
    assert not settle(told(2, "report", 3), [due]).is_written


def ends(told_fact: Held, *opposed: Held) -> Mapping[int, tuple[UUID | None, datetime | None]]:
    return {h.memory_id.int: (h.superseded_by, h.until) for h in oppose(told_fact, opposed)}


def test_of_two_opposed_the_one_told_earlier_ends() -> None:
    fact = told(5, "", 10)
    assert ends(fact, told(1, "", 3)) == {1: (fact.memory_id, day(10))}
    assert ends(fact, told(1, "", 12)) == {5: (UUID(int=1), day(12))}
    assert ends(fact, told(1, "", 3, mentioned=day(11))) == {5: (UUID(int=1), day(11))}
    assert ends(fact, told(1, "", 3), told(2, "", 14), told(3, "", 12)) == {
        1: (fact.memory_id, day(10)),
        5: (UUID(int=3), day(12)),
    }
    assert ends(fact, told(1, "", 10)) == {1: (fact.memory_id, day(10))}


def test_a_change_told_after_a_mention_ends_what_was_mentioned_from_when_it_says() -> None:
    old, new = UUID(int=1), UUID(int=2)
    day = [datetime(2026, 2, number, tzinfo=UTC) for number in range(1, 28)]
    standing = Held(old, day[0], day[0], "harborline", mentioned=day[19])
    told = Held(new, day[16], day[25], "vantor", told_at=day[25])
    (written, ended) = settle(told, [standing]).changed
    assert written == told and (ended.superseded_by, ended.until) == (new, day[16])
    early = replace(told, told_at=day[17])  # an old turn that comes late: the mention was told after it
    assert settle(early, [standing]).changed[0].superseded_by == old
