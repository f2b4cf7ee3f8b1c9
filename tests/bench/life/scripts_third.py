"""What happens in a life of the third set: slots that no other half has, told and changed by the same acts.

Rules: as scripts.py, which draws days and values.
Source: our own, kept in the repository before anything was run on it.
"""

from collections.abc import Mapping

from tests.bench.life.plot import Plot

_CHAINS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("gym", "gym", ("state", "change", "oblique", "back")),
    ("bank", "bank", ("state", "change", "oblique")),
    ("phone", "phone", ("state", "change", "oblique")),
    ("instrument", "instrument", ("state", "change", "oblique", "end")),
    ("sport", "sport", ("state", "change_on", "oblique", "back")),
    ("course", "course", ("state", "change", "end")),
    ("school", "school", ("state", "change")),
    ("power", "power", ("state", "change", "oblique")),
    ("paper", "paper", ("state", "change", "oblique", "end")),
    ("parking", "11:400:1", ("state", "fix", "change")),
    ("savings", "150:900:5", ("state", "fix", "change")),
    ("holiday", "city", ("state", "change")),
    ("landlord", "person", ("state", "change", "oblique")),
    ("browser", "browser", ("state", "change", "oblique")),
)
_FLOODABLE = ("gym", "bank", "sport")
PLOT = Plot(
    chains=_CHAINS,
    floodable=_FLOODABLE,
    restated=(*_FLOODABLE, "phone", "instrument", "course", "paper", "browser"),
    hinted=("gym", "school"),
    two_sided=(("breakfast", "breakfast"), ("bedroom", "bedroom")),
)
POOLS: Mapping[str, str] = {
    "gym": "Ironhall; Pulse House; Flexwerk; Athenaeum Fit; Northside Gym|Northside; Stahlkraft; Riverlift",
    "bank": "Hanse Kredit; Alder Bank|Alder; Coastline Trust|Coastline; Meridian Savings|Meridian; Fennwick; "
    "Obelisk Bank|Obelisk",
    "phone": "Pixel; Fairphone; Galaxy; Nokia; Xperia; Motorola",
    "instrument": "cello; oboe; ukulele; accordion; clarinet; harmonica; mandolin",
    "sport": "fencing; rowing; badminton; judo; archery; handball; volleyball; bouldering",
    "course": "pottery; calligraphy; bookkeeping; astronomy; carpentry; first aid; photography",
    "school": "Birkwood Primary|Birkwood; Saint Agnes School|Saint Agnes; Hillcrest Academy|Hillcrest; "
    "Linden School|Linden",
    "power": "Voltera; Greenspark; Stromhaus; Helios Power|Helios; Nordlicht Energie|Nordlicht; Ampere Co-op|Ampere",
    "paper": "Daily Lantern; Harbour Post; Morning Ledger; Evening Echo; Valley Courier",
    "browser": "Firefox; Brave; Vivaldi; Opera; Safari; Falkon",
    "breakfast": "porridge; toast; muesli; pancakes; omelette|omelet",
    "bedroom": "basement; attic; conservatory; box room; guest room",
}

SENTENCES: Mapping[str, str] = {
    "gym": "The user trains at the gym {v}.",
    "bank": "The user's bank is {v}.",
    "phone": "The user's phone is a {v}.",
    "instrument": "The user plays the {v}, an instrument.",
    "instrument.end": "The user no longer plays the {old} and plays no instrument.",
    "sport": "The user's sport is {v}.",
    "sport.change_on": "The user has done {v} as a sport since {d}.",
    "course": "The user takes an evening class in {v}.",
    "course.end": "The user no longer takes {old} and has no evening class.",
    "school": "The user's daughter goes to the school {v}.",
    "power": "The user's electricity is supplied by {v}.",
    "paper": "The user reads the newspaper {v}.",
    "paper.end": "The user no longer reads {old}, nor any other newspaper.",
    "parking": "The user's parking space is number {v}.",
    "savings": "The user saves {v} euros a month.",
    "holiday": "The user's next holiday goes to {v}.",
    "landlord": "The user's landlord is {v}.",
    "browser": "The user's browser is {v}.",
    "breakfast": "The user has {v} for breakfast on weekdays or in a hurry, otherwise {x}.",
    "bedroom": "The user sleeps in the {v} when it is hot, in summer, otherwise in the {x}.",
}
