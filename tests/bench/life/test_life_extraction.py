"""The local extractor on a life of the build half, and the referee that measures it.

Rules: the life is one that nobody tuned on by name; thresholds are well below what is measured, so that a fault of a
rule shows and a changed wording does not. It does not know the report half.
"""

from dataclasses import replace
from datetime import UTC, datetime

from shared.domain.extraction.facts import Fact
from tests.bench.life import extraction, generator
from tests.bench.life.model import Half, Label, Turn

AT = datetime(2026, 4, 1, 9, tzinfo=UTC)
TURNS = 300  # of a life of about 780: enough for every family of slots (chosen)


def _read(
    act: str, *facts: Fact, values: tuple[str, ...] = ("Lisbon",), former: tuple[str, ...] = ()
) -> extraction.Read:
    return extraction.Read(Turn(AT, "s", "said", ""), Label("residence", act, ()), values, former, AT, facts)


def _fact(value: str, *, ends: bool = False, slot: str = "slot.residence") -> Fact:
    return Fact(f"User lives in {value}.", "said", AT, slot=slot, value="" if ends else value, ends=ends)


def test_a_value_told_fills_its_slot_and_no_other_does() -> None:
    assert _read("state", _fact("Lisbon")).fills(_fact("Lisbon"))
    assert not _read("state").fills(_fact("Porto"))
    assert not _read("state").fills(_fact("Lisbon", ends=True))
    assert _read("end", former=("Lisbon",)).fills(_fact("Lisbon", ends=True))


def test_recall_counts_what_was_told_and_precision_what_was_found() -> None:
    right, wrong, silent = _read("state", _fact("Lisbon")), _read("state", _fact("Porto")), _read("state")
    lines = [" ".join(line.split()) for line in extraction.figures([[right, wrong, silent]])]
    assert "slots: recall 33.33% 1 of 3" in lines
    assert "slots: precision 50.00% 1 of 2" in lines


def test_the_rules_read_the_build_half() -> None:
    life = generator.generate(4711, Half.BUILD)
    begun = replace(life, turns=life.turns[:TURNS], labels=life.labels[:TURNS])
    reads = list(extraction.read(begun, aided=True))
    shares = {line[:30].strip(): float(line[30:].split("%")[0]) for line in extraction.figures([reads]) if "%" in line}
    assert shares["slots: recall"] >= 97
    assert shares["slots: precision"] >= 97
    assert shares["facts: recall"] >= 97
    assert shares["small talk without a fact"] >= 97
    assert shares["plans without a slot"] == 100
