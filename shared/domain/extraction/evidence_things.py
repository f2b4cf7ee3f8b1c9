"""What words show of languages, health, things, stages, roles and pets, beyond one topic with one value.

Rules: as evidence.py. It does not know frames. Source: own word lists.
"""

import re
from collections.abc import Iterator

from shared.domain.extraction.attributes import key_of, noun_of, slot_of
from shared.domain.extraction.former import is_former
from shared.domain.extraction.found import Finding, Sentence
from shared.domain.extraction.kinds import Kind
from shared.domain.extraction.matching import is_somebody
from shared.domain.extraction.people import KIN, STAFF
from shared.domain.extraction.sightings import names, of_kind, one, persons
from shared.domain.extraction.spans import Sort, taken

_SPECIES = re.compile(
    r"\b(?:my|our|a|the|new) (?:[\w-]+ )?(dog|cat|rabbit|parrot|puppy|kitten|hamster|guinea pig|budgie|canary"
    r"|tortoise|turtle|snake|horse|pony|ferret|rat|goldfish|hen)\b",
    re.IGNORECASE,
)
_ROLE = re.compile(rf"\b((?:tech |team |line |project |product |qa )?{STAFF})\b(?! of| at)", re.IGNORECASE)
RELATIVE = re.compile(rf"\b(?:my|our) ((?:older |elder |younger |big |little |twin )?{KIN})(?:'s)?\b", re.IGNORECASE)
OWN = re.compile(r"\b(?:i|me|my|mine|we|us|our)\b", re.IGNORECASE)
_PLACE_OF = re.compile(
    r"\b(?:in|inside|under|behind|beneath|next to|at the bottom of|on top of|on) (?:the|my|our|a|an) "
    r"(?P<v>(?:[\w'-]+ ){0,2}[\w'-]+)",
    re.IGNORECASE,
)
_THING_KEPT = re.compile(
    r"\b(?P<x>(?:emergency |spare |adrenaline |allergy )*(?:passport|injector|auto-?injector|epipen|epi-pen"
    r"|inhaler|first[- ]aid kit|birth certificate|will|medication|pills|insulin|glucagon"
    r"|spare keys?|house keys?|documents|safe|fuse box|fire extinguisher|stopcock|insurance papers|recovery codes?"
    r"|backup))\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\b(?P<x>(?:[\w-]+ ){0,2}(?:locker|safe|alarm|door|gate|bike lock|garage|entry|sim|card|gym)(?: (?:code|pin"
    r"|combination|number))?|(?:[\w-]+ )?(?:insurance|policy|membership|customer|account|tax|passport"
    r"|member|employee|staff|patient|social security|licence|license|registration|reference|loyalty|library card"
    r"|phone|room)(?: (?:number|no|id|code))?|(?:[\w-]+ )?(?:pin|passcode))\b",
    re.IGNORECASE,
)
_LONG_FIGURE = re.compile(r"(?<![\w.,-])[A-Z]{0,3}\d[\d-]{2,}(?![\w-])(?!\.\d)")
_KEY = re.compile(
    r"\b((?:spare |house |front door |car |bike |cellar )*keys?)\b(?! (?:bindings|to success))", re.IGNORECASE
)


def tongues(sentence: Sentence) -> Iterator[Finding]:
    """Yield the languages that the user speaks, or no longer does."""
    if re.search(
        r"\b(?:learn(?:ing|s)?|lesson|class|course|translat\w*|restaurant|food|film|book|teacher|sister|brother"
        r"|wife|husband|wish|menu|news|text|letter|cuisine)\b",
        sentence.written,
        re.IGNORECASE,
    ):
        return
    for value, former in of_kind(Kind.TONGUE)(sentence):
        if re.search(rf"\b(?:am|is|are) (?:half |originally )?{value}\b", sentence.plain):
            continue  # where somebody comes from
        yield Finding("slots.language", value, ends=former)


def health(sentence: Sentence) -> Iterator[Finding]:
    """Read allergies, medicines and conditions off their words."""
    text = sentence.written
    about = re.search(
        rf"\b(?:my|our) (?:colleague|friend|neighbou?r|coworker|{KIN}),? ([A-Z][\w'-]+)", sentence.plain
    ) or re.search(r"(?:^|[,:;] )([A-Z][\w'-]+),? (?:at|from) (?:work|the office|my team|our team)", sentence.plain)
    subject = about.group(1) if about else ""
    if not subject and ((not OWN.search(text) and not re.search(r"\ballerg", text)) or RELATIVE.search(text)):
        return
    reacts = re.search(
        r"\b(?:allerg\w*|intoleran\w*|react\w*|swell\w*|swollen|rash|hives|itch\w*|anaphyla\w*|hospital|tolerate"
        r"|off limits|breathe|breath|throat closes|poison|deadly|kill|epipen|never (?:give|serve|feed|prescribe)"
        r"|must not|can not (?:eat|take|touch|have|wear)|keep (?:me )?away|stay away|avoid|dangerous)\b",
        text,
        re.IGNORECASE,
    )
    if reacts:
        for kind in (Kind.DRUG, Kind.ALLERGEN):
            says = "{S} can not take {v}, a medicine: allergic to it." if kind is Kind.DRUG else ""
            if kind is Kind.ALLERGEN and re.search(r"\bskin\b|swell", text):
                says = "{P} skin does not tolerate {v}: a contact allergy."
            yield from (
                Finding("slots.allergy", value, subject, says=says)
                for value, former in of_kind(kind)(sentence)
                if not former or kind
            )
    elif not subject:
        if re.search(
            r"\b(?:take|taking|takes|swallow|pill|tablets?|dose|prescri\w+|daily|every (?:day|morning|evening"
            r"|night)|on|need|inject|medication|medicine|treat\w*|rely|depend)\b",
            text,
            re.IGNORECASE,
        ):
            yield from (
                Finding("slots.medication", value, says="{S} takes {v}, a medication.")
                for value, former in of_kind(Kind.DRUG)(sentence)
                if not former
            )
        if re.search(
            r"\b(?:i (?:have|am|was|suffer|live|got|developed)|diagnos\w+|my|condition|since|chronic)\b",
            text,
            re.IGNORECASE,
        ):
            yield from (
                Finding("slots.condition", value) for value, former in of_kind(Kind.CONDITION)(sentence) if not former
            )


def things(sentence: Sentence) -> Iterator[Finding]:
    """Read where a thing is kept, who has a key, and numbers to be known."""
    kept = _THING_KEPT.search(sentence.plain)
    place = _PLACE_OF.search(sentence.plain)
    if kept and place and not re.search(r"\b(?:lost|forgot|left it|looked|searching)\b", sentence.plain):
        value = taken(place["v"], Sort.NOUNS)
        if value and value.lower() not in ("morning", "evening", "end", "way", "meantime", "list"):
            word = place.group().split()[0].lower()
            yield Finding(
                f"slot.place.{key_of(kept['x'])}",
                value,
                says=f"{{P}} {{x}} is {word} the {{v}}.",
                noun=noun_of(kept["x"]),
            )
    key = _KEY.search(sentence.plain)
    if key and not place:
        titled = [(name, former) for name, former in persons(sentence)]
        yield from one(
            f"slot.holder.{key_of(key.group(1))}", titled, says="{v} has {P} {x}.", noun=noun_of(key.group(1))
        )
    figure = [
        m.group() for m in _LONG_FIGURE.finditer(sentence.plain) if not is_former(sentence.plain, m.start(), m.end())
    ]
    number = _NUMBERED.search(sentence.plain)
    if number and len(figure) == 1:
        noun = re.sub(
            r"^(?:(?:the|my|our|of|is|for|with|and|to|this|that|new|please|a|on|at|in|as|by|its|your|opens?) )+",
            "",
            number["x"].lower(),
        )
        noun = noun_of(noun)
        noun = (
            noun
            if re.search(r"(?:number|code|pin|id|combination|passcode)$", noun)
            else f"{noun} {'code' if re.search(_OPENS, noun) else 'number'}"
        )
        yield Finding(slot_of(noun), figure[0], noun=noun)


_OPENS = re.compile(r"\b(?:locker|safe|alarm|door|gate|lock|garage|entry|sim|card|gym)$")


def status(sentence: Sentence) -> Iterator[Finding]:
    """Yield the stage of the one thing with a name that a sentence tells a stage of."""
    named = list(dict.fromkeys(name for name, _ in names(sentence)))
    if len(named) == 1 and not is_somebody(named[0], sentence) and _STANDS.search(sentence.plain):
        says = "The project {x} is at the stage of {v}."
        slot = f"slot.status.{key_of(named[0])}"
        yield from one(slot, of_kind(Kind.STAGE)(sentence), says=says, noun=named[0])


def team(sentence: Sentence) -> Iterator[Finding]:
    """Read who has a role around the user, and what a pet is called."""
    names = persons(sentence)
    species = _SPECIES.search(sentence.plain)
    if species and re.search(r"\b(?:call\w*|named?|names?|answers? to|listens to|is|meet|goes by)\b", sentence.plain):
        yield from one(
            f"slot.pet.{key_of(species.group(1))}", names, says="{P} {x} is called {v}.", noun=species.group(1).lower()
        )
        return
    roles = list(dict.fromkeys(role.lower() for role in _ROLE.findall(sentence.plain)))
    if len(roles) == 1 and not _SAYING.search(sentence.plain) and _LINK.search(sentence.plain):
        yield from one(slot_of(roles[0]), names, says="{P} {x} is {v}.", noun=roles[0])


_STANDS = re.compile(
    r"\b(?:stage|phase|state|status|stands?|reached|hit|entered|is|are|now|moved|in|at|into|to|left|past|project"
    r"|got|as)\b"
)
_SAYING = re.compile(
    r"\b(?:said|says|told|asked|met|lunch|thinks|wants|birthday|gave|brought|wrote|emailed|laughed|cooked"
    r"|appointment|due|deadline|allergic|visited|talked|i work as|promoted)\b",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"\b(?:is|are|called|named|became|new|now|as|role|took|takes|taken|replac\w+|hired|joins?|joined|team|report"
    r"|fills?|seat|chair|desk|hat|over|these days|i have|we have|got)\b",
    re.IGNORECASE,
)
