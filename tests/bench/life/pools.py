"""The values a life is made of: invented people and firms, real places and things.

Rules: open classes (names, places, firms, titles) are split between the halves of the templates, so that an extractor
cannot learn the names it is measured on; closed classes (editors, diets, blood groups) are shared. Within one life no
value is drawn twice from a pool. A value is never a word that fillers use. "|" joins spellings of one value.
It does not know slots (scripts.py).
"""

import random
from collections.abc import Mapping

from tests.bench.life import scripts_third
from tests.bench.life.model import Half

_OPEN: Mapping[str, str] = {
    "city": "Lisbon; Leipzig; Porto; Ghent; Malmö|Malmo; Turin; Bilbao; Utrecht; Graz; Aarhus; Kraków|Krakow; Tallinn; "
    "Lyon; Antwerp; Valencia; Bergen; Tartu; Brno; Nantes; Cork; Trieste; Basel; Seville; Vilnius",
    "employer": "Harborline; Nordwind Labs|Nordwind; Quillworks; Tessera Bank|Tessera; Brightmoor; Oakfield Systems|"
    "Oakfield; Lumen Freight|Lumen; Pinecrest Health|Pinecrest; Vantor; Solgate; Kestrel Robotics|Kestrel; "
    "Marlowe Media|Marlowe; Bluefern; Copperleaf; Greywater Energy|Greywater; Stellan Foods|Stellan",
    "person": "Ines; Tomas; Priya; Jonas; Leila; Marek; Sofia; Kenji; Amara; Viktor; Noor; Elias; Greta; Samir; Hanna; "
    "Diego; Yuki; Bram; Zofia; Callum; Farah; Otto; Mireille; Anders; Paloma; Ravi; Signe; Tariq; Beatriz; Lorcan; "
    "Ksenia; Emeka; Wanda; Matteo; Ayaan; Freya",
    "doctor": "Dr Halvorsen; Dr Petrov; Dr Castellano; Dr Okafor",
    "neighbour": "Mrs Lindqvist; Mr Abara; Mrs Duvall; Mr Kowalczyk",
    "dish": "pad thai; shakshuka; lasagne|lasagna; pierogi; bibimbap; moussaka; gnocchi; paella; jollof; goulash",
    "music": "bossa nova; shoegaze; bebop; bluegrass; fado; krautrock; techno; ska",
    "vehicle": "Skoda Octavia|Octavia; Honda Civic|Civic; Fiat Panda|Panda; Toyota Yaris|Yaris; Volvo V60|V60; "
    "Mazda MX-5|MX-5; Renault Clio|Clio; Citroen Berlingo|Berlingo",
    "pet": "Mochi; Ziggy; Juno; Waffles; Pickles; Bandit; Truffle; Figaro",
    "project": "Heron; Skylark; Bramble; Quokka; Larkspur; Dovetail; Tamarack; Osprey; Sextant; Cinderpath; Juniper; "
    "Marigold",
    "deadline": "grant report; tax return; visa application; thesis chapter; security review; conference paper; "
    "annual accounts; product catalogue",
    "promise": "slides; contract draft; floor plans; reference letter; sound files; budget sheet; photo album; "
    "test protocol",
    "appointment": "dentist; optician; physio; vet",
    "birthday": "mother; father; godson; niece",
    "film": "The Salt Orchard; Nine Lanterns; Paper Comets; Midnight Ferry; A Borrowed Winter; Glasshouse Road; "
    "The Tin Harvest; Quiet Engines; Marble Coast; The Fourth Lock; Amber Static; Low Tide Waltz",
    "book": "Cartography of Rain; The Beekeeper's Ledger; Seventeen Doors; Salt and Algebra; The Borrowed Atlas; "
    "Hollow Season; A Grammar of Birds; The Clockmaker's Debt; Northbound Letters; The Ninth Estate; Iron Petals; "
    "Small Republics",
    "cafe": "Casa Violeta; The Copper Kettle; Lantern House; Blue Anchor; Zum Hirsch; Trattoria Lupo; Saffron Table; "
    "The Crooked Spoon; Petit Navire; Olmo Verde; Tin Roof; Maple Yard",
    "podcast": "Deep Ledger; Static Hour; Ordinary Maps; The Long Fuse; Second Shift; Odd Numbers; Night Post; "
    "Field Static; Broken Compass; Tall Order; Minor Keys; Plain Sailing",
}
_CLOSED: Mapping[str, str] = {
    "code": "Python; Rust; Kotlin; Scala; Elixir; TypeScript; Haskell; Clojure; Swift; Ruby",
    "editor": "Vim; Emacs; Zed; Helix; PyCharm; Sublime; Kakoune; VS Code|VSCode",
    "drink": "flat white; cortado; espresso; oolong tea|oolong; matcha latte|matcha; chai; rooibos; cappuccino; "
    "green tea; ristretto",
    "diet": "vegetarian; vegan; pescatarian",
    "role": "backend developer; data engineer; product manager; reliability engineer; QA lead; research engineer; "
    "solutions architect; machine learning engineer",
    "spoken": "French; Korean; Portuguese; Arabic; Norwegian; Turkish; Polish; Japanese; Swahili; Greek",
    "allergen": "peanuts|peanut; shellfish; sesame; walnuts|walnut; kiwi; mustard; celery; cashews|cashew",
    "drug": "penicillin; ibuprofen; codeine; aspirin; morphine; sulfonamides",
    "contact": "latex; nickel; wasp stings|wasps|wasp sting; bee stings|bees|bee sting; horse hair; lanolin",
    "blood": "O negative; AB positive; B negative; A positive; AB negative; O positive",
    "medication": "levothyroxine; metformin; warfarin; lisinopril; sertraline; insulin",
    "condition": "epilepsy; asthma; haemophilia|hemophilia; narcolepsy",
    "place": "blue backpack; glove compartment; hall cupboard; desk drawer; bathroom cabinet; grey sports bag",
    "hiding": "piano stool; filing box; biscuit tin; linen chest; tool cabinet; sewing basket",
    "seat": "aisle seat|aisle; window seat|window",
    "commute": "tram; bicycle; ferry; scooter; metro; bus",
    "species": "dog; cat; rabbit; parrot",
    "team": "manager; designer; tech lead; tester",
    "status": "prototype; private beta; public beta; code freeze; production; shelved",
}


class Pools:
    """The values of one life, handed out without replacement from shuffled decks."""

    def __init__(self, half: Half, rng: random.Random) -> None:
        self._decks: dict[str, list[str]] = {}
        self._rng = rng
        self._taken: set[str] = set()
        for name in sorted([*_OPEN, *_CLOSED, *(scripts_third.POOLS if half is Half.THIRD else ())]):
            values = _values(name, half)
            rng.shuffle(values)
            self._decks[name] = values

    def draw(self, pool: str) -> str:
        """Return a value of a pool that this life has not used."""
        return self._decks[pool].pop()

    def number(self, low: int, high: int, step: int = 1) -> str:
        """Return a number that this life has not used, in plain digits."""
        while (drawn := str(self._rng.randrange(low, high, step))) in self._taken:
            pass
        self._taken.add(drawn)
        return drawn


def _values(name: str, half: Half) -> list[str]:
    if half is Half.THIRD and name in scripts_third.POOLS:
        return scripts_third.POOLS[name].split("; ")
    if name in _CLOSED:
        return _CLOSED[name].split("; ")
    values = _OPEN[name].split("; ")
    return values[1::2] if half is Half.REPORT else values[0::2]
