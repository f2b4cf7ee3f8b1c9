"""Which memories fade and until when, what a tenant may declare of that, and populations over time."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain import retention_setting
from shared.domain.errors import InvalidArgument
from shared.domain.population import Move, bounds, instants, populations
from shared.domain.retention import EVIDENCE, FADING_KINDS, Retention, Standing, fades_at, is_kept, protection, trace
from shared.domain.retention_setting import FIELDS, Declared, changed, of_json, to_json
from shared.domain.types import MemoryKind, MemoryState, MemoryType

AT = datetime(2026, 3, 1, tzinfo=UTC)
HOURS_OF_TRIVIA = timedelta(hours=3 * 72)  # from 0.4 to 0.05
ACTIVE, FORGOTTEN = MemoryState.ACTIVE, MemoryState.FORGOTTEN
USUAL = Retention()


def standing(**given: object) -> Standing:
    return Standing(**{"kind": MemoryKind.TURN, "memory_type": MemoryType.EPISODIC, "recorded_at": AT} | given)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", MemoryKind)
def test_what_people_say_fades_and_evidence_does_not_unless_it_is_declared(kind: MemoryKind) -> None:
    memory = standing(kind=kind)
    assert (fades_at(memory, USUAL) is None) == (kind in EVIDENCE) == (kind not in FADING_KINDS)
    declared = Declared(kinds=frozenset({MemoryKind.INVOICE})).rules()
    assert (fades_at(memory, declared) is None) == (kind in EVIDENCE - {MemoryKind.INVOICE})


@pytest.mark.parametrize(
    ("given", "reasons"),
    [
        ({"pinned": True}, ("pinned",)),
        ({"guard": "safety"}, ("safety",)),
        ({"guard": "explicit"}, ("remember",)),
        ({"guard": "commitment"}, ("commitment",)),
        ({"in_finding": True}, ("finding",)),
        ({"guard": "none"}, ()),
    ],
)
def test_what_protects_a_memory_keeps_it_from_fading(given: dict[str, object], reasons: tuple[str, ...]) -> None:
    memory = standing(**given)
    assert protection(memory).reasons == reasons
    assert (fades_at(memory, USUAL) is None, is_kept(memory, USUAL)) == (bool(reasons), bool(reasons))
    assert not is_kept(memory._replace(kind=MemoryKind.DOCUMENT), USUAL)  # does not fade anyway


def test_a_commitment_with_a_date_fades_from_its_date_on() -> None:
    due = AT + timedelta(days=60)
    memory = standing(guard="commitment", expires_at=due)
    assert (fades_at(memory, USUAL), is_kept(memory, USUAL)) == (due + HOURS_OF_TRIVIA, False)
    used = due + timedelta(days=1)
    assert fades_at(memory._replace(last_used_at=used), USUAL) == used + timedelta(hours=3 * 72)
    assert fades_at(standing(expires_at=due), USUAL) == AT + HOURS_OF_TRIVIA  # any other date is no protection


def test_what_was_written_after_its_last_use_counts_from_then() -> None:
    later = AT + timedelta(days=1)
    assert trace(standing(last_used_at=later)).used_at == later
    assert trace(standing(recorded_at=later, last_used_at=AT)).used_at == later


declarations = st.builds(
    Declared,
    st.none() | st.floats(1, 876_000),
    st.none() | st.floats(1, 876_000),
    st.none() | st.floats(0, 1),
    st.none() | st.integers(1, 2**31 - 1),
    st.frozensets(st.sampled_from(MemoryKind)),
)


@given(declarations, declarations, st.sets(st.sampled_from(FIELDS)))
def test_a_declaration_is_read_as_it_was_written_and_only_named_fields_change(
    former: Declared, asked: Declared, names: set[str]
) -> None:
    text = to_json(former, '{"tolerances": {"a": "1"}, "capacity": 7}')
    assert of_json(text) == former
    assert '"tolerances": {"a": "1"}' in text
    made = changed(former, asked, names)
    fields = {"half_life_hours": ("episodic_hours", "semantic_hours"), "salience_floor": ("floor",)}
    for name in FIELDS:
        for attribute in fields.get(name, (name.removeprefix("fading_"),)):
            source = asked if name in names else former
            assert getattr(made, attribute) == getattr(source, attribute)
    made.rules()


def test_nothing_declared_is_as_usual_and_everything_wrong_is_named() -> None:
    assert of_json("{}").rules() == USUAL
    wrong = Declared(episodic_hours=0.5, semantic_hours=float("inf"), floor=-0.1, capacity=-1)
    with pytest.raises(InvalidArgument) as caught:
        changed(Declared(), wrong, FIELDS, "settings.")
    assert [violation.field for violation in caught.value.violations] == [
        "settings.half_life_hours.episodic",
        "settings.half_life_hours.semantic",
        "settings.salience_floor",
        "settings.capacity",
    ]
    assert changed(Declared(capacity=5), Declared(capacity=0), [retention_setting.CAPACITY]).capacity is None


@given(st.lists(st.tuples(st.integers(-10, 70), st.sampled_from(["create", "end", "restore"])), max_size=30))
def test_a_population_is_what_a_replay_of_events_gives(steps: list[tuple[int, str]]) -> None:
    points = instants(AT, AT + timedelta(minutes=60), timedelta(minutes=7))
    assert (points[0], len(points)) == (AT, 9)
    edges = bounds(points)
    counts: Counter[MemoryState] = Counter()
    moves, replayed, rest = [], [], sorted(steps)
    for at in points:
        while rest and AT + timedelta(minutes=rest[0][0]) <= at:
            minute, what = rest.pop(0)
            before, after = {"create": (None, ACTIVE), "end": (ACTIVE, FORGOTTEN), "restore": (FORGOTTEN, ACTIVE)}[what]
            counts[after] += 1
            if before is not None:
                counts[before] -= 1
            piece = sum(AT + timedelta(minutes=minute) >= edge for edge in edges)
            moves.append(Move(piece, before, after, 1))
        replayed.append(dict(counts))
    moves += [Move(len(points), None, ACTIVE, 1) for _ in rest]
    got = populations(len(points), moves)
    for told, expected in zip(got, replayed, strict=True):
        assert all(told[state] == expected.get(state, 0) for state in MemoryState)
