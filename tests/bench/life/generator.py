"""Writes a life: half a year of sessions with real clock times, its true facts, and the probes on it.

Rules: everything comes from the random source given; no set or hash order decides anything. A value is never told
before its fact, and fillers hold no value at all (`leaks` looks for both). Replies acknowledge, or repeat a value that
was told, now and then one that no longer holds: an agent that believes its own words is led astray.
It does not know agents. Source: REQUIREMENTS D9.
"""

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from tests.bench.life.canonical import SENTENCES
from tests.bench.life.model import Fact, Half, Label, Life, Turn, spellings
from tests.bench.life.pools import Pools
from tests.bench.life.probes import DATED, Told, key, probes
from tests.bench.life.scripts import LIFE_DAYS, SETTING_ACTS, Event, plot_of, script
from tests.bench.life.templates import Deck
from tests.bench.life.wording import normal, spans

START = date(2026, 1, 5)  # a Monday
SESSION_STARTS_MINUTES = (412, 585, 745, 935, 1098, 1255, 1405)  # 06:52 to 23:25; the last may cross midnight
SESSION_JITTER_MINUTES = 40
TURN_GAP_MINUTES = (1, 6)
TURNS_A_DAY = (2, 6)
SILENT_DAY_SHARE = 0.06
ALIAS_SHARE = 0.2
LEAD_SHARE = 0.25
ECHO_SHARE = 0.4
FILLER_ECHO_SHARE = 0.12
STALE_ECHO_DAYS = 20  # so long after a change a reply may still name the old value
STALE_ECHO_SHARE = 0.5
QUESTION_SHARE = 0.4
_DATE_FORMS = {
    Half.BUILD: ("{d.day} {m}", "{d.day} {m} {d.year}", "{m} {d.day}"),
    Half.TUNE: ("{m} {d.day}{th}", "{d.day} {m}", "{m} {d.day}, {d.year}"),
    Half.REPORT: ("the {d.day}{th} of {m}", "{d:%Y-%m-%d}", "{m} {d.day}{th}, {d.year}", "{d:%d.%m.%Y}"),
    Half.THIRD: ("{d.day}{th} {m}", "{m} {d.day}", "{d.day}{th} {m} {d.year}"),
}
_MONTHS = "January February March April May June July August September October November December".split()


def generate(seed: int, half: Half = Half.REPORT) -> Life:
    """Return the life of a seed."""
    return Writer(random.Random(seed), half).life(f"{half}-{seed}")


@dataclass(slots=True)
class _State:
    """What has been told so far: by slot the value, the one before and when it changed."""

    value: dict[str, tuple[str, str, datetime]] = field(default_factory=dict)

    def tell(self, told: Told) -> None:
        if told.event.act in SETTING_ACTS:
            self.value[told.event.slot] = (told.event.value, told.event.old, told.at)


class Writer:
    """Turns a script into turns."""

    def __init__(self, rng: random.Random, half: Half) -> None:
        self._rng, self._half = rng, half
        self._pools, self._deck = Pools(half, rng), Deck(half, rng)

    def life(self, name: str) -> Life:
        """Return the whole life."""
        by_day: dict[int, list[Event]] = defaultdict(list)
        for item in script(self._rng, self._pools, START, self._half):
            by_day[item.day].append(item)
        turns: list[Turn] = []
        labels: list[Label] = []
        told: list[Told] = []
        state = _State()
        for day in range(LIFE_DAYS):
            for at, session, event in self._day(day, by_day[day]):
                text, label = self._filler() if event is None else self._statement(event)
                if event is not None:
                    told.append(Told(event, at))
                    state.tell(told[-1])
                turns.append(Turn(at, session, text, self._reply(event, state, at)))
                labels.append(label)
        ends_at = turns[-1].at + timedelta(hours=1)
        found = probes(told, ends_at, self._deck, self._rng)
        found = [probe for probe in found if probe.at <= ends_at]
        return Life(name, self._half, tuple(turns), tuple(labels), facts_of(told), tuple(found))

    def _day(self, day: int, events: list[Event]) -> Iterator[tuple[datetime, str, Event | None]]:
        """Yield the turns of a day: its events in random order among fillers, over several sessions."""
        quiet = not events and self._rng.random() < SILENT_DAY_SHARE
        count = 0 if quiet else max(len(events), self._rng.randint(*TURNS_A_DAY))
        items: list[Event | None] = [*events, *[None] * (count - len(events))]
        self._rng.shuffle(items)
        sessions = min(len(items), self._rng.randint(2, 4), len(SESSION_STARTS_MINUTES))
        starts = sorted(self._rng.sample(SESSION_STARTS_MINUTES, sessions))
        midnight = datetime.combine(START + timedelta(days=day), time(), UTC)
        for number, start in enumerate(starts):
            at = midnight + timedelta(minutes=start + self._rng.randrange(SESSION_JITTER_MINUTES))
            for item in items[number::sessions]:
                yield at, f"d{day:03d}-{number + 1}", item
                at += timedelta(minutes=self._rng.randint(*TURN_GAP_MINUTES), seconds=self._rng.randrange(60))

    def _statement(self, event: Event) -> tuple[str, Label]:
        family = event.family
        marks = {
            "v": self._spelled(family, event.value),
            "old": self._spelled(family, event.old),
            "w": self._spelled(family, event.old),
            "x": spellings(event.about)[0] if event.about else "",
            "n": event.person,
            "d": self._date(START + timedelta(days=event.valid_day)) if event.valid_day is not None else "",
        }
        act = event.act
        name = family if family.endswith(f".{act}") else f"{family}.{act}"
        text = _capital(self._deck.deal("STATEMENTS", name).format(**marks))
        if self._rng.random() < LEAD_SHARE:
            text = f"{self._deck.deal('FILLERS', 'lead')} {text}"
        plain = {**marks, "v": _usual(event.value), "old": _usual(event.old)}
        if event.valid_day is not None:
            plain["d"] = (START + timedelta(days=event.valid_day)).isoformat()
        sentence = SENTENCES.get(name) or SENTENCES.get(family, "")
        sentences = () if act == "hint" else (_capital(sentence.format(**plain)),)
        return text, Label(event.slot, act, sentences)

    def _spelled(self, family: str, value: str) -> str:
        if not value:
            return ""
        if family in DATED:
            return self._date(date.fromisoformat(value), with_year=family != "birthday")
        usual, *others = spellings(value)
        return self._rng.choice(others) if others and self._rng.random() < ALIAS_SHARE else usual

    def _date(self, day: date, *, with_year: bool = True) -> str:
        forms = [form for form in _DATE_FORMS[self._half] if with_year or not any(y in form for y in ("year", "%Y"))]
        ending = "th" if 10 < day.day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
        return self._rng.choice(forms).format(d=day, m=_MONTHS[day.month - 1], th=ending)

    def _filler(self) -> tuple[str, Label]:
        """Return small talk, which an extractor that keeps everything would note, or a question, which none would."""
        deal = self._deck.deal
        if self._rng.random() < QUESTION_SHARE:
            return _capital(deal("FILLERS", "question").format(c=deal("FILLERS", "c"))), Label("", "filler", ())
        talk = deal("FILLERS", "a")
        text = _capital(deal("FILLERS", "chat").format(a=talk, b=deal("FILLERS", "b")))
        return text, Label("", "filler", (SENTENCES["chat"].format(v=talk),))

    def _reply(self, event: Event | None, state: _State, at: datetime) -> str:
        plain = self._deck.deal("REPLIES", "plain")
        if event is not None:
            if not event.value or self._rng.random() >= ECHO_SHARE:
                return plain
            return f"{self._echo(event.family, event.value)} {plain}"
        if self._rng.random() >= FILLER_ECHO_SHARE:
            return plain
        slot = self._rng.choice(plot_of(self._half).floodable)
        value, old, since = state.value.get(slot, ("", "", at))
        recent = at - since < timedelta(days=STALE_ECHO_DAYS)
        if old and recent and self._rng.random() < STALE_ECHO_SHARE:
            value = old
        return f"{plain} {self._echo(slot, value)}" if value else plain

    def _echo(self, family: str, value: str) -> str:
        name = f"{family}.echo" if self._deck.has("REPLIES", f"{family}.echo") else "echo"
        return _capital(self._deck.deal("REPLIES", name).format(v=self._spelled(family, value)))


def facts_of(told: list[Told]) -> tuple[Fact, ...]:
    """Return the true timeline: a fact ends when the next of its slot begins; several may hold in `spoken`."""
    setting = [item for item in told if item.event.act in SETTING_ACTS or item.event.act == "plan"]
    facts = []
    for number, item in enumerate(setting):
        event = item.event
        if event.act == "drop":
            continue
        rest = setting[number + 1 :]
        if event.slot == "spoken":
            after = next((t for t in rest if t.event.act == "drop" and t.event.value == event.value), None)
        else:
            after = next((t for t in rest if t.event.slot == event.slot), None)
        facts.append(
            Fact(
                event.slot,
                event.value,
                _held_from(item),
                _held_from(after) if after else None,
                item.at,
                event.critical,
                event.act,
            )
        )
    return tuple(facts)


def _held_from(item: Told) -> datetime:
    event = item.event
    return item.at if event.valid_day is None else item.at - timedelta(days=event.day - event.valid_day)


def leaks(life: Life) -> list[str]:
    """Return every mention of a value before it was told, and every value in a filler."""
    first: dict[str, datetime] = {}
    for fact in life.facts:
        for spelling in key(fact.slot.partition(":")[0], fact.value):
            first[spelling] = min(fact.said_at, first.get(spelling, fact.said_at))
    found = []
    for turn, label in zip(life.turns, life.labels, strict=True):
        heard, said = normal(f"{turn.user_text} {turn.assistant_text}"), normal(turn.user_text)
        for spelling, said_at in first.items():
            early = turn.at < said_at and spans(spelling, heard)
            if early or (label.act == "filler" and spans(spelling, said)):
                found.append(f"{life.name} {turn.at:%Y-%m-%d %H:%M}: {spelling!r} in {turn.user_text!r}")
    return found


def _usual(value: str) -> str:
    return spellings(value)[0] if value else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
