"""Which places of a sentence hold one value: the words in front of them, and classes of values that exclude each
other.

Rules: data only. A frame is stateful when its value may change ("reports to"), fixed when it is history ("was born
in").
It does not know sentences (slots.py).
Source: functional relations of everyday prose, chosen by us.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

_CLASSES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        name: frozenset(words.split())
        for name, words in {
            "colour": "red green blue yellow black white brown grey gray orange purple pink violet beige rot grün "
            "blau gelb schwarz weiss braun grau",
            "weekday": "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag "
            "freitag samstag sonntag",
            "month": "january february march april may june july august september october november december",
            "season": "spring summer autumn winter frühling sommer herbst",
            "ordinal": "first second third fourth fifth sixth seventh eighth ninth tenth ground top basement attic "
            "cellar loft 1st 2nd 3rd 4th 5th erste zweite dritte",
            "currency": "euro euros dollar dollars pounds francs yen won yuan sterling rupees kroner pesos",
            "direction": "north south east west northern southern eastern western",
            "material": "wood steel stone brick glass iron oak pine granite marble copper concrete wooden plastic "
            "aluminium brass",
            "fuel": "gas oil coal electricity diesel petrol steam wind water wood hydrogen batteries pellets",
            "shape": "round square oval rectangular triangular hexagonal",
            "degree": "bachelor master doctorate",
            "direction_of_move": "left right",
            "part": "morning afternoon evening night noon midnight",
            "medium": "email mail phone post fax letter courier",
            "transport": "train bus car bicycle foot ship plane lorry truck barge rail road",
            "language": "german english french italian spanish korean chinese dutch portuguese polish",
        }.items()
    }
)
CLASS_OF: Mapping[str, str] = MappingProxyType({word: name for name, words in _CLASSES.items() for word in words})

_STATEFUL = (
    r"(?:is|are|remains?|sits|stands|lies|stays|hangs) (?:now |currently |still )?(?:located |based "
    r"|situated |kept |stored |held |headquartered "
    r"|parked |stationed |moored |installed |housed |docked )?(?:in|at|on|near|under|behind|opposite"
    r"|beside)",
    r"(?:lives?|resides?|based|located|headquartered|stationed|parked|stored|moored) (?:in|at|on)",
    r"(?:reports?|belongs?|engaged|married|assigned|subject) to",
    r"(?:owned|run|led|headed|managed|handled|chaired|operated|maintained|taught|driven|looked after"
    r"|captained|supervised|insured|overseen|rented|let|occupied|used|overseen|represented|kept"
    r"|cleaned|edited|steered|conducted|coached) (?:solely )?by",
    r"(?:runs?|heated|powered|fired|fuelled) (?:on|with|by)",
    r"(?:insured|registered|employed) (?:with|at|by)",
    r"(?:kept|written|paid|denominated|quoted|priced|invoiced|held|conducted) in",
    r"(?:is|are) (?:painted|called|named|classed as|rated|graded)",
    r"(?:ends?|starts?|begins?|opens?|closes?|falls|expires?|due|scheduled|held|takes place) (?:in|on"
    r"|at)",
    r"(?:headquarters|head office|seat|office) (?:is|are|lies) in",
    r"(?:steht|liegt|befindet sich|wohnt|lagert) (?:in|im|am|auf|bei)",
    r"(?:geleitet|geführt|betreut|verwaltet) von",
    r"(?:gehört|untersteht|berichtet)",
    r"(?:leaves?|departs?|starts?|runs?|sails?) from",
    r"(?:owner|keeper|manager|driver|leader|captain|head) (?:is|heisst)",
)
_FIXED = (
    r"(?:issued|founded|built|invented|written|designed|made|painted|won|discovered|composed|opened"
    r"|sent|delivered|established|laid|launched|planted|caused|started|killed|wrecked|carved|cast"
    r"|drawn|bought|sold|driven|led|set|dug|drilled) (?:up |off )?(?:by|in|on|at)",
    r"(?:born|died|married|buried|arrived|departed|left|happened|occurred|took place|broke out|sank"
    r"|landed|ended|began|started|opened|closed|burned|burnt down|collapsed|crashed|fell|retired"
    r"|graduated|was|were|met) (?:in|on|at)",
    r"(?:comes?|came|stems?|hails?|originates?|is|are|was|sent|brought|bought|imported|ordered) from",
    r"named after",
    r"(?:gegründet|gebaut|geboren|ausgestellt|erbaut|errichtet) (?:von|in|am|im)?",
)
ENDS_STATEFUL = re.compile(rf"(?:^|\s)(?:{'|'.join(_STATEFUL)})$")
ENDS_FIXED = re.compile(rf"(?:^|\s)(?:{'|'.join(_FIXED)})$")
MANY = re.compile(
    r"\b(?:also|too|as well|another|partly|an? (?:office|shop|branch|member|friend|partner|owner"
    r"|depot|plant|house|flat"
    r"|supplier|warehouse|part|place|co-\w+)|one of|some of|among|both|and|or|co-\w+|either|jointly"
    r"|together|sometimes|often|usually|mostly)\b"
)
