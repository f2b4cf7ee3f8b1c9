"""Measures the local extractor against what a life's script says: facts, slots, ends, since when; and small talk.

    python -m tests.bench.life.extraction [--half build] [--lives 6] [--misses] [--unaided]

Rules: every turn is read in order, with the values that the extractor's own earlier facts left standing as context
(`--unaided`: without). A fact is right if it holds the value told; a slot too, if it is the one that most turns of the
script's slot were given. A plan, a condition and a film have no slot; small talk has no fact; a hint may have one with
the standing value. Recall is over what was told, precision over what was found. It does not know how rules are made.
Source: labels of tests/bench/life; REQUIREMENTS D3, D9.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.domain.extraction.facts import Fact, Heard, Known
from shared.domain.extraction.reader import extract
from tests.bench.life import generator
from tests.bench.life.model import Fact as Truth
from tests.bench.life.model import Half, Label, Life, Turn
from tests.bench.life.probes import key
from tests.bench.life.wording import mentions

SLOTLESS = frozenset("seat commute film book cafe podcast residence.plan".split())
SINGULAR = frozenset("end done drop".split())
FIRST_SEED = 500
"""Other lives than those the benchmark reports on."""


@dataclass(frozen=True, slots=True)
class Read:
    """A turn, what the script says of it, and what was found."""

    turn: Turn
    label: Label
    values: tuple[str, ...]  # spellings of the value told; empty: none
    former: tuple[str, ...]
    since: datetime
    facts: tuple[Fact, ...]

    @property
    def family(self) -> str:
        """Return the script's family of slots."""
        return self.label.slot.partition(":")[0]

    def holds(self, fact: Fact) -> bool:
        """Tell whether a fact is one of what was told."""
        text = f"{fact.text} {fact.value}"
        if self.label.act in SINGULAR:
            return fact.ends and any(mentions(value, f"{text} {fact.former_value}") for value in self.former)
        return any(mentions(value, text) for value in self.values)

    def fills(self, fact: Fact) -> bool:
        """Tell whether a fact with a slot gives it the value told."""
        if self.label.act in SINGULAR:
            return fact.ends
        told = fact.value
        return not fact.ends and any(mentions(value, told) for value in self.values)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--half", choices=[half.value for half in Half], default=Half.BUILD.value)
    parser.add_argument("--lives", type=int, default=6)
    parser.add_argument("--misses", action="store_true", help="print what was missed or wrong (build half only)")
    parser.add_argument("--unaided", action="store_true", help="without the standing values as context")
    asked = parser.parse_args()
    half = Half(asked.half)
    lives = [generator.generate(FIRST_SEED + number, half) for number in range(asked.lives)]
    reads = [list(read(life, aided=not asked.unaided)) for life in lives]
    for line in figures(reads):
        print(line)
    if asked.misses and half not in (Half.REPORT, Half.THIRD):
        for line in sorted(set(misses(reads))):
            print(line)


def read(life: Life, *, aided: bool) -> Iterator[Read]:
    """Read the turns of a life in order."""
    told: dict[datetime, Truth] = {fact.said_at: fact for fact in life.facts}
    held: dict[str, list[Truth]] = defaultdict(list)
    for fact in life.facts:
        held[fact.slot].append(fact)
    standing: dict[tuple[str, str], set[str]] = defaultdict(set)
    for turn, label in zip(life.turns, life.labels, strict=True):
        known = tuple(Known(slot, value, of) for (of, slot), all_ in standing.items() for value in sorted(all_))
        facts = extract(Heard(turn.user_text, turn.at, turn.assistant_text, known=known if aided else ()))
        for extracted in facts:
            _settle(standing, extracted)
        truth = told.get(turn.at) or _last(held[label.slot], turn.at)
        family = label.slot.partition(":")[0]
        before = _before(held[label.slot], truth) if truth else ""
        if label.act == "drop":
            before = next((t.value for t in held[label.slot] if t.valid_to == turn.at), "")
        yield Read(
            turn,
            label,
            key(family, truth.value) if truth and truth.value else (),
            (*key(family, before), *([label.slot] if before else [])) if before else (),
            truth.valid_from if truth else turn.at,
            facts,
        )


def figures(lives: Sequence[Sequence[Read]]) -> Iterator[str]:
    """Return what is printed."""
    reads = [each for life in lives for each in life]
    told = [each for each in reads if each.label.act not in ("hint", "filler")]
    slotted = [each for each in told if each.family not in SLOTLESS]
    yield f"{len(lives)} lives, {len(reads)} turns"
    yield _share("facts: recall", [any(map(each.holds, each.facts)) or _about(each) for each in told])
    yield _share("facts: precision", [right for each in reads for right in _right_facts(each)])
    names = [_names(life) for life in lives]
    given = [(each, names[n]) for n, life in enumerate(lives) for each in life if each in slotted]
    yield _share("slots: recall", [_filled(each, name) for each, name in given])
    yield _share(
        "slots: precision", [r for n, life in enumerate(lives) for e in life for r in _right_slots(e, names[n])]
    )
    for act in sorted({each.label.act for each in slotted}):
        yield _share(f"  {act}", [_filled(each, name) for each, name in given if each.label.act == act])
    dated = [each for each in slotted if each.label.act == "change_on"]
    yield _share("since when (change_on)", [any(f.valid_from.date() == e.since.date() for f in e.facts) for e in dated])
    yield _share("small talk without a fact", [not each.facts for each in reads if each.label.act == "filler"])
    yield _share("plans without a slot", [not any(f.slot for f in e.facts) for e in reads if e.label.act == "plan"])


def _settle(standing: dict[tuple[str, str], set[str]], fact: Fact) -> None:
    if not fact.slot:
        return
    values = standing[fact.subject, fact.slot]
    if not fact.multi:
        values.clear()
    if fact.ends:
        values.discard(fact.value)
    else:
        values.add(fact.value)


def _last(facts: Sequence[Truth], at: datetime) -> Truth | None:
    said = [fact for fact in facts if fact.said_at <= at]
    return max(said, key=lambda fact: fact.said_at) if said else None


def _before(facts: Sequence[Truth], truth: Truth) -> str:
    earlier = [fact for fact in facts if fact.said_at < truth.said_at]
    return max(earlier, key=lambda fact: fact.said_at).value if earlier else ""


def _about(each: Read) -> bool:
    """Tell whether an end was told at all, where the old value is not named in it."""
    return each.label.act in SINGULAR and any(fact.ends for fact in each.facts)


def _right_facts(each: Read) -> Iterator[bool]:
    for fact in each.facts:
        if each.label.act == "hint":
            continue
        yield each.label.act != "filler" and (each.holds(fact) or (each.label.act in SINGULAR and fact.ends))


def _names(life: Sequence[Read]) -> dict[str, tuple[str, str]]:
    """Return for every slot of the script the one most of its turns were given."""
    counts: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for each in life:
        for fact in each.facts:
            if fact.slot and each.label.act != "filler" and each.fills(fact):
                counts[each.label.slot][fact.subject, fact.slot] += 1
    return {slot: min(count.items(), key=lambda item: (-item[1], item[0]))[0] for slot, count in counts.items()}


def _filled(each: Read, names: dict[str, tuple[str, str]]) -> bool:
    return any(names.get(each.label.slot) == (f.subject, f.slot) and each.fills(f) for f in each.facts)


def _right_slots(each: Read, names: dict[str, tuple[str, str]]) -> Iterator[bool]:
    for fact in each.facts:
        if fact.slot:
            expected = each.label.act != "filler" and each.family not in SLOTLESS
            yield expected and names.get(each.label.slot) == (fact.subject, fact.slot) and each.fills(fact)


def _share(name: str, hits: Sequence[bool]) -> str:
    return f"{name:30} {sum(hits) / len(hits):7.2%}  {sum(hits)} of {len(hits)}" if hits else f"{name:30} -"


def misses(lives: Sequence[Sequence[Read]]) -> Iterator[str]:
    """Return what was missed or wrong, for whoever writes rules."""
    for life in lives:
        names = _names(life)
        for each in life:
            act, told = each.label.act, f"{each.label.slot}.{each.label.act}: {each.turn.user_text!r}"
            shown = [f"{f.subject}|{f.slot}={f.value!r}{'!' * f.ends} <{f.text}>" for f in each.facts]
            if act in ("hint", "filler"):
                if any(not right for right in _right_slots(each, names)) or (act == "filler" and each.facts):
                    yield f"WRONG {told} {shown}"
            elif each.family in SLOTLESS:
                if any(f.slot for f in each.facts) or not any(map(each.holds, each.facts)):
                    yield f"SLOTLESS {told} {shown}"
            elif not _filled(each, names) or not all(_right_slots(each, names)):
                yield f"MISS {told} {shown}"


if __name__ == "__main__":
    main()
