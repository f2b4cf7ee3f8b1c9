"""Asks a life what it has told so far: probes with answer keys, from the script and the clock times of its turns.

Rules: no probe before its fact was told, none after the next change was told (the key is what the user has said by
then). A critical fact is asked once only, on its own day. The answer key of a slot that ended is a denial. History is
asked where a value really held (a slip that was corrected never did).
It does not know agents.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from tests.bench.life.model import Mode, Probe, ProbeKind, spellings
from tests.bench.life.scripts import SETTING_ACTS, Event
from tests.bench.life.templates import Deck
from tests.bench.life.wording import DATE_PREFIX

DENIAL = (
    r"re:.*\b(no longer|not|none|nothing|no more|no special|no car|stopped|quit|gave up|off the menu|gone|free|sold"
    r"|scrapped|over|everything|anything|don t|isn t)\b.*"
)
FIRST_OFFSETS_DAYS = ((1, 4), (20, 45))
CHANGED_OFFSETS_DAYS = ((1, 4), (10, 20), (40, 60))
HISTORY_OFFSETS_DAYS = ((2, 6), (25, 45))
TRIVIA_OFFSETS_DAYS = (2, 6)
SINCE_TOLERANCE_DAYS = 3  # "a few days ago" is right for a month later; chosen
DATED = ("deadline", "promise", "appointment", "birthday")
CRITICAL_KINDS = {30: ProbeKind.CRITICAL_30, 60: ProbeKind.CRITICAL_60, 120: ProbeKind.CRITICAL_120}
_KINDS = {
    "deadline": ProbeKind.DEADLINE,
    "promise": ProbeKind.DEADLINE,
    "appointment": ProbeKind.DEADLINE,
    "spoken": ProbeKind.MULTI,
    "seat": ProbeKind.CONDITIONAL,
    "commute": ProbeKind.CONDITIONAL,
    "breakfast": ProbeKind.CONDITIONAL,
    "bedroom": ProbeKind.CONDITIONAL,
    "sister": ProbeKind.THIRD,
    "brother": ProbeKind.THIRD,
    "colleague": ProbeKind.THIRD,
    "film": ProbeKind.TRIVIA,
    "book": ProbeKind.TRIVIA,
    "cafe": ProbeKind.TRIVIA,
    "podcast": ProbeKind.TRIVIA,
}


@dataclass(frozen=True, slots=True)
class Told:
    """An event with the time of the turn that tells it."""

    event: Event
    at: datetime


def key(family: str, value: str) -> tuple[str, ...]:
    """Return the accepted spellings of a value."""
    return (f"{DATE_PREFIX}{value}",) if family in DATED and value else spellings(value)


def probes(told: Sequence[Told], ends_at: datetime, deck: Deck, rng: random.Random) -> list[Probe]:
    """Return all probes of a life by time."""
    chains: dict[str, list[Told]] = defaultdict(list)
    plans = [item for item in told if item.event.act == "plan"]
    for item in told:
        if item.event.act in SETTING_ACTS:
            chains[item.event.slot].append(item)
    found: list[Probe] = []
    for slot, chain in chains.items():
        asker = _Asker(slot, chain, ends_at, deck, rng)
        found += asker.several() if slot == "spoken" else asker.single()
    found = [_with_plans(probe, plans) for probe in found]
    for plan in plans:
        found += _plan(plan, chains["residence"], deck, rng)
    return sorted(found, key=lambda probe: (probe.at, probe.slot, probe.question))


class _Asker:
    """Asks after one slot."""

    def __init__(self, slot: str, chain: list[Told], ends_at: datetime, deck: Deck, rng: random.Random) -> None:
        self._slot, self._chain, self._ends_at, self._deck, self._rng = slot, chain, ends_at, deck, rng
        self._family = slot.partition(":")[0]

    def single(self) -> Iterator[Probe]:
        """Ask a slot of one value at a time, between one change and the next."""
        trivia = _KINDS.get(self._family) is ProbeKind.TRIVIA
        for number, item in enumerate(self._chain):
            if item.event.act == "done":
                continue
            until = self._chain[number + 1].at if number + 1 < len(self._chain) else self._ends_at
            if self._family in ("deadline", "promise", "appointment"):
                until = min(until, datetime.combine(date.fromisoformat(item.event.value), item.at.timetz()))
            for at in self._times(item, until, first=number == 0, trivia=trivia):
                yield self._now(number, at)
            yield from self._history(number, until)

    def _times(self, item: Told, until: datetime, *, first: bool, trivia: bool) -> Iterator[datetime]:
        if item.event.lag_days:
            yield item.at + timedelta(days=item.event.lag_days, minutes=self._rng.randrange(5, 50))
            return
        offsets = (TRIVIA_OFFSETS_DAYS,) if trivia else FIRST_OFFSETS_DAYS if first else CHANGED_OFFSETS_DAYS
        yield from self._between(item.at, until, offsets)

    def _between(self, start: datetime, until: datetime, offsets: Sequence[tuple[int, int]]) -> Iterator[datetime]:
        for low, high in offsets:
            at = start + timedelta(days=self._rng.randint(low, high), minutes=self._rng.randrange(-180, 180))
            if start < at < until:
                yield at

    def _now(self, number: int, at: datetime) -> Probe:
        item, earlier = self._chain[number], self._chain[:number]
        event = item.event
        right = key(self._family, event.value)
        stale = tuple(s for old in earlier for s in key(self._family, old.event.value) if s not in right)
        return Probe(
            at,
            self._question("ask", event),
            self._kind(event, first=number == 0),
            (right or (DENIAL,),),
            tuple(dict.fromkeys(stale)),
            item.at,
            self._slot,
            known=self._known(at),
        )

    def _history(self, number: int, until: datetime) -> Iterator[Probe]:
        item = self._chain[number]
        event = item.event
        slips = {self._chain[n - 1].event.value for n in range(1, number + 1) if self._chain[n].event.act == "fix"}
        if number and event.value and event.old not in slips and self._deck.has("QUESTIONS", f"{self._family}.before"):
            for at in self._between(item.at, until, HISTORY_OFFSETS_DAYS):
                answer = (key(self._family, event.old),)
                yield replace(
                    self._now(number, at),
                    question=self._question("before", event),
                    kind=ProbeKind.HISTORY,
                    answers=answer,
                    stale=(),
                    mode=Mode.BEFORE,
                )
        if event.valid_day is not None:
            held = (item.at - timedelta(days=event.day - event.valid_day)).date()
            for at in self._between(item.at, until, HISTORY_OFFSETS_DAYS):
                yield replace(
                    self._now(number, at),
                    question=self._question("since", event),
                    kind=ProbeKind.HISTORY,
                    answers=((f"date:{held}/{SINCE_TOLERANCE_DAYS}",),),
                    stale=(),
                    mode=Mode.SINCE,
                    known=(key(self._family, event.value),),
                )

    def several(self) -> Iterator[Probe]:
        """Ask a slot of several values after each addition or loss."""
        for number, item in enumerate(self._chain):
            until = self._chain[number + 1].at if number + 1 < len(self._chain) else self._ends_at
            lost = [old.event.value for old in self._chain[: number + 1] if old.event.act == "drop"]
            held = [t.event.value for t in self._chain[: number + 1] if t.event.value not in lost]
            for at in self._between(item.at, until, FIRST_OFFSETS_DAYS):
                question = self._question("ask", item.event)
                answers, known = tuple(spellings(value) for value in held), self._known(at)
                yield Probe(
                    at, question, ProbeKind.MULTI, answers, tuple(lost), item.at, self._slot, Mode.ALL, known=known
                )

    def _kind(self, event: Event, *, first: bool) -> ProbeKind:
        if event.lag_days:
            return CRITICAL_KINDS[event.lag_days]
        if event.flooded:
            return ProbeKind.FLOOD
        if event.act == "oblique":
            return ProbeKind.PARAPHRASE
        return _KINDS.get(self._family, ProbeKind.CURRENT if first else ProbeKind.CHANGED)

    def _known(self, at: datetime) -> tuple[tuple[str, ...], ...]:
        values = [t.event.value for t in self._chain if t.at < at and t.event.value]
        return tuple(dict.fromkeys(key(self._family, value) for value in values))

    def _question(self, kind: str, event: Event) -> str:
        value = spellings(event.value)[0] if event.value and self._family not in DATED else ""
        wording = self._deck.deal("QUESTIONS", f"{self._family}.{kind}")
        return wording.format(v=value, x=event.about, n=event.person)


def _with_plans(probe: Probe, plans: Sequence[Told]) -> Probe:
    """Let a plan that was told already stand among the wrong answers to where the user lives."""
    if probe.slot != "residence" or probe.mode is not Mode.NOW:
        return probe
    dreams = tuple(spellings(plan.event.value) for plan in plans if plan.at < probe.at)
    return replace(probe, wrong=tuple(s for dream in dreams for s in dream), known=(*probe.known, *dreams))


def _plan(plan: Told, residence: Sequence[Told], deck: Deck, rng: random.Random) -> Iterator[Probe]:
    value = spellings(plan.event.value)
    homes = tuple(s for item in residence if item.at < plan.at for s in spellings(item.event.value))
    for days in (1, 40, 90):
        at = plan.at + timedelta(days=days, minutes=rng.randrange(10, 300))
        question = deck.deal("QUESTIONS", "residence.plan")
        yield Probe(at, question, ProbeKind.PLAN, (value,), (), plan.at, "residence.plan", wrong=homes, known=(value,))
