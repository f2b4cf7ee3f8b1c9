"""What goes with an erased memory, and what comes back."""

from uuid import UUID

from shared.domain.erasure import Kin, revived, spread
from shared.domain.types import MemoryState, MemoryType

TURN, TURN_2, FACT, DIGEST, ECHO, TOLD = (UUID(int=number) for number in range(1, 7))


def kin(memory_id: UUID, *, sources: tuple[UUID, ...] = (), echoes: tuple[UUID, ...] = (), **given: object) -> Kin:
    values = {"memory_type": MemoryType.SEMANTIC, "state": MemoryState.ACTIVE, "superseded_by": None} | given
    return Kin(memory_id, sources=frozenset(sources), derived_from=frozenset(echoes), **values)  # type: ignore[arg-type]


def digest(*sources: UUID) -> Kin:
    return kin(DIGEST, sources=sources, memory_type=MemoryType.CONSOLIDATED)


def test_a_fact_goes_with_the_only_turn_that_told_it() -> None:
    assert spread({TURN}, [kin(FACT, sources=(TURN,))]) == {TURN, FACT}


def test_a_fact_that_another_turn_tells_too_stays() -> None:
    fact = kin(FACT, sources=(TURN, TURN_2))
    assert spread({TURN}, [fact]) == {TURN}
    assert spread({TURN, TURN_2}, [fact]) == {TURN, TURN_2, FACT}


def test_a_digest_goes_with_any_of_its_sources() -> None:
    assert spread({FACT}, [digest(FACT, TOLD)]) == {FACT, DIGEST}


def test_what_repeats_recalled_text_goes_with_it_and_so_on() -> None:
    chain = [kin(FACT, sources=(TURN,)), digest(FACT, TOLD), kin(ECHO, echoes=(DIGEST,))]
    assert spread({TURN}, chain) == {TURN, FACT, DIGEST, ECHO}
    assert spread({TURN}, reversed(chain)) == {TURN, FACT, DIGEST, ECHO}


def test_what_was_erased_before_is_not_counted_again() -> None:
    assert spread({TURN}, [kin(FACT, sources=(TURN,), state=MemoryState.ERASED)]) == {TURN}


def test_what_a_digest_spoke_for_comes_back_unless_it_goes_too() -> None:
    merged = [kin(i, state=MemoryState.MERGED, superseded_by=DIGEST) for i in (FACT, TOLD)]
    assert revived({DIGEST, FACT}, merged) == {TOLD}


def test_what_was_superseded_stays_so() -> None:
    assert revived({DIGEST}, [kin(FACT, state=MemoryState.SUPERSEDED, superseded_by=DIGEST)]) == frozenset()
