"""What happens in a life, day by day: which value is told when, changed, taken back, restated, ended.

Rules: days are counted from 0; all acts that set a value of one slot fall on different days; restatements and hints lie
strictly between them. Each critical fact is told once and asked once, 30, 60 or 120 days later. A flood restates one
value 5 to 15 times before it changes.
It does not know wordings or clock times (generator.py).
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from tests.bench.life import scripts_third
from tests.bench.life.model import Half
from tests.bench.life.plot import Plot
from tests.bench.life.pools import Pools

LIFE_DAYS = 200
FLOOD_REPEATS = (5, 15)
FLOODABLE = ("residence", "employer", "code", "editor", "drink")
FLOODED_SLOTS = 3  # of the five above, in one life
CRITICAL_LAGS_DAYS = (30, 60, 120)
SETTING_ACTS = frozenset("state change change_on oblique back fix end add drop done".split())

# family, pool, acts in order; "back" takes up the value before the last.
CHAINS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("residence", "city", ("state", "change_on", "oblique", "back")),
    ("employer", "employer", ("state", "change_on", "oblique")),
    ("role", "role", ("state", "change")),
    ("code", "code", ("state", "change", "oblique", "back")),
    ("editor", "editor", ("state", "change", "oblique")),
    ("drink", "drink", ("state", "change", "oblique", "end")),
    ("food", "dish", ("state", "change")),
    ("music", "music", ("state", "change")),
    ("diet", "diet", ("state", "change", "end")),
    ("rent", "600:1900:5", ("state", "fix", "change")),
    ("extension", "2000:9000:1", ("state", "fix", "change")),
    ("budget", "2000:6000:50", ("state", "change")),
    ("vehicle", "vehicle", ("state", "change", "end")),
    ("pet", "pet", ("state",)),
    ("project", "project", ("state", "change")),
    ("status:1", "status", ("state", "change", "change")),
    ("status:2", "status", ("state", "change")),
    ("team:1", "person", ("state", "change", "oblique")),
    ("team:2", "person", ("state", "oblique")),
    ("sister", "city", ("state", "change")),
    ("brother", "employer", ("state", "change")),
    ("name", "person", ("state",)),
)
TWO_SIDED = (("seat", "seat"), ("commute", "commute"))
CRITICAL = (
    ("food_allergy", "allergen"),
    ("drug_allergy", "drug"),
    ("contact_allergy", "contact"),
    ("blood", "blood"),
    ("medication", "medication"),
    ("condition", "condition"),
    ("rescue", "place"),
    ("contact", "person"),
    ("doctor", "doctor"),
    ("key", "neighbour"),
    ("locker", "1000:9999:1"),
    ("passport", "hiding"),
    ("insurance", "100000:999999:1"),
)
TRIVIA = ("film", "book", "cafe", "podcast")
TRIVIA_EACH = 6
PLOT = Plot(
    chains=CHAINS,
    floodable=FLOODABLE,
    restated=(*FLOODABLE, "project", "name"),
    hinted=("residence", "employer", "code", "diet", "vehicle", "pet"),
    two_sided=TWO_SIDED,
)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing told on one day. `slot` is the family, with a number where a life has several."""

    day: int
    slot: str
    act: str
    value: str
    old: str = ""
    about: str = ""
    person: str = ""
    valid_day: int | None = None  # when it began to hold, if before the day of telling
    critical: bool = False
    flooded: bool = False  # the value before was flooded
    lag_days: int = 0  # a critical fact is asked so many days later

    @property
    def family(self) -> str:
        """Return the key that templates know the slot by."""
        return self.slot.partition(":")[0]


def plot_of(half: Half) -> Plot:
    """Return what lives of a half are about."""
    return scripts_third.PLOT if half is Half.THIRD else PLOT


def script(rng: random.Random, pools: Pools, start: date, half: Half = Half.REPORT) -> list[Event]:
    """Return every event of a life, by day."""
    plot = plot_of(half)
    if half is Half.THIRD:
        return sorted([*_chains(rng, pools, plot), *_two_sided(rng, pools, plot)], key=lambda event: event.day)
    events = [
        *_chains(rng, pools, plot),
        *_two_sided(rng, pools, plot),
        *_critical(rng, pools),
        *_dates(rng, pools, start),
        *_spoken(rng, pools),
        *_trivia(rng, pools),
        Event(rng.randrange(30, 90), "colleague", "state", pools.draw("allergen"), person=pools.draw("person")),
    ]
    return sorted(events, key=lambda event: event.day)


def _value(pools: Pools, pool: str) -> str:
    if ":" in pool:
        low, high, step = map(int, pool.split(":"))
        return pools.number(low, high, step)
    return pools.draw(pool)


def _spread(rng: random.Random, count: int) -> list[int]:
    """Return days of the setting acts: the first early, the rest evenly spread with jitter, at least 12 days apart."""
    first = rng.randrange(0, 15)
    step = (LIFE_DAYS - 20 - first) / count
    return [first] + [int(first + step * n + rng.uniform(-0.3, 0.3) * (step - 12)) for n in range(1, count)]


def _chains(rng: random.Random, pools: Pools, plot: Plot) -> Iterator[Event]:
    flooded = set(rng.sample(plot.floodable, FLOODED_SLOTS))
    for slot, pool, acts in plot.chains:
        family = slot.partition(":")[0]
        about = {"pet": "species", "status": "project", "team": "team"}.get(family, "")
        about = pools.draw(about) if about else ""
        chain = list(_chain(rng, pools, slot, pool, acts, about))
        flood_at = rng.randrange(len(chain) - 1) if family in flooded else -1
        for number, event in enumerate(chain):
            yield replace(event, flooded=number > 0 and number - 1 == flood_at)
            end = chain[number + 1].day if number + 1 < len(chain) else LIFE_DAYS
            yield from _mentions(rng, plot, event, end, flood=number == flood_at)
        if family == "residence":
            yield Event(chain[1].day - rng.randrange(3, 8), "residence.plan", "plan", pools.draw(pool))


def _chain(
    rng: random.Random, pools: Pools, slot: str, pool: str, acts: tuple[str, ...], about: str
) -> Iterator[Event]:
    value = before = ""
    for act, day in zip(acts, _spread(rng, len(acts)), strict=True):
        if act == "fix":
            day = max(day - 30, 16)
        new = before if act == "back" else "" if act == "end" else _value(pools, pool)
        held = day - rng.randrange(2, 10) if act == "change_on" else None
        yield Event(day, slot, act, new, value, about, valid_day=held)
        value, before = new, value


def _mentions(rng: random.Random, plot: Plot, event: Event, end: int, *, flood: bool) -> Iterator[Event]:
    """Restate a value, in a flood many times, and hint at it, between the day it was told and the next change."""
    if not event.value or end - event.day < 3:
        return
    restates = rng.randint(*FLOOD_REPEATS) if flood else rng.randrange(1, 3)
    if event.family in plot.restated:
        for _ in range(restates):
            yield replace(event, day=rng.randrange(event.day + 1, end), act="restate", old="", valid_day=None)
    if event.family in plot.hinted:
        yield replace(event, day=rng.randrange(event.day + 1, end), act="hint", old="", valid_day=None)


def _two_sided(rng: random.Random, pools: Pools, plot: Plot) -> Iterator[Event]:
    for slot, pool in plot.two_sided:
        yield Event(rng.randrange(5, 60), slot, "state", pools.draw(pool), about=pools.draw(pool))


def _critical(rng: random.Random, pools: Pools) -> Iterator[Event]:
    lags = [CRITICAL_LAGS_DAYS[n % len(CRITICAL_LAGS_DAYS)] for n in range(len(CRITICAL))]
    rng.shuffle(lags)
    for (slot, pool), lag in zip(CRITICAL, lags, strict=True):
        yield Event(rng.randrange(3, 70), slot, "state", _value(pools, pool), critical=True, lag_days=lag)


def _dates(rng: random.Random, pools: Pools, start: date) -> Iterator[Event]:
    taken: set[int] = set()

    def day_after(low: int, high: int) -> int:
        while (day := rng.randrange(low, high)) in taken:
            pass
        taken.add(day)
        return day

    def told(day: int) -> str:
        return (start + timedelta(days=day)).isoformat()

    for n in range(1, 4):
        yield from _due(rng, f"deadline:{n}", 5 + 50 * n, pools.draw("deadline"), "", day_after, told, done=True)
    for n in range(1, 3):
        said, thing, person = 20 + 60 * n, pools.draw("promise"), pools.draw("person")
        yield from _due(rng, f"promise:{n}", said, thing, person, day_after, told, done=False)
        yield from _due(rng, f"appointment:{n}", 50 * n, pools.draw("appointment"), "", day_after, told, done=False)
        birthday = told(day_after(LIFE_DAYS + 60, LIFE_DAYS + 140))
        yield Event(rng.randrange(5, 80), f"birthday:{n}", "state", birthday, about=pools.draw("birthday"))


def _due(
    rng: random.Random,
    slot: str,
    said: int,
    about: str,
    person: str,
    day_after: Callable[[int, int], int],
    told: Callable[[int], str],
    *,
    done: bool,
) -> Iterator[Event]:
    said += rng.randrange(-5, 6)
    first = day_after(said + 25, said + 40)
    moved = said + rng.randrange(8, 16)
    second = day_after(first + 4, first + 25)
    yield Event(said, slot, "state", told(first), "", about, person)
    yield Event(moved, slot, "change", told(second), told(first), about, person)
    if done and second < LIFE_DAYS:
        yield Event(second - 1, slot, "done", "", told(second), about, person)


def _spoken(rng: random.Random, pools: Pools) -> Iterator[Event]:
    drawn = [pools.draw("spoken") for _ in range(4)]
    days = _spread(rng, 5)
    for day, act, value in zip(days, ("state", "add", "add", "add"), drawn, strict=False):
        yield Event(day, "spoken", act, value)
    yield Event(days[4], "spoken", "drop", drawn[rng.randrange(3)])


def _trivia(rng: random.Random, pools: Pools) -> Iterator[Event]:
    for offset, slot in enumerate(TRIVIA):
        for n in range(TRIVIA_EACH):
            day = 6 + offset * 5 + n * 31 + rng.randrange(0, 8)
            yield Event(min(day, LIFE_DAYS - 8), slot, "state", pools.draw(slot))
