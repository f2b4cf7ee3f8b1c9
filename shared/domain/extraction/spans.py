"""Where a value ends: names, occupations, numbers, places and plain nouns, taken from the front of a text.

Rules: `taken` reads a value of one sort at the beginning of a text and refuses it where what follows shows that it was
only part of a longer name or noun ("a Rust stack trace"). Articles, words of time and closing marks are no part of a
value. A value has at most VALUE_MAX_WORDS words.
It does not know slots or sentences.
Source: English orthography and noun phrases.
"""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum, unique
from types import MappingProxyType

from shared.domain.extraction.kinds import PATTERNS, Kind, kinds_of
from shared.domain.extraction.moments import MARK
from shared.domain.stop_words import ENGLISH_STOP_WORDS

VALUE_MAX_WORDS = 6  # of a value; longer ones are clauses (chosen, untested)

_WORD = r"(?!I(?![\w'-]))[A-Z\u00c0-\u00de][\w'&+/-]*(?:\.[A-Za-z]\w*)*"
_LINK = r"(?:de|da|di|do|del|della|la|le|les|van|von|der|den|ter|of|the|and the|am|an der|upon|sur|y|al|el|bin|&)"
_TITLE = r"(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr)\.?"
NAME = rf"(?:{_TITLE} )?{_WORD}(?: (?:{_LINK} )?{_WORD}| \d{{1,4}}(?![\d%]))*"
_NAME = re.compile(rf"(?:the )?({NAME})")
_LOWER_NAME = re.compile(r"([a-z][\w'-]+(?: [a-z][\w'-]+)?)$")
_ARTICLE = re.compile(
    r"^(?:(?:a|an|the|my|our|some|any|just|only|simply|plain|another|own|new|nothing but|called|named|all|both|strictly"
    r"|completely|fully|entirely|very|good old|mainly|in|on|at|of)\s+)+",
    re.IGNORECASE,
)
_NOUNS = re.compile(r"(?:[\w'&+#./-]+)(?: (?:of |and |in )?[\w'&+#./-]+){0,5}")
_NUMBER = re.compile(
    r"(?P<before>[€$£¥]\s?)?(?P<digits>\d(?:[\d.,' \u00a0]*\d)?)\s?(?P<after>%|€|\$|£|euros?|eur|dollars?|usd"
    r"|pounds?|gbp"
    r"|francs?|chf|yen|kroner|kronor|zloty|k\b|kg|kilos?|cm|m\b|km|miles|minutes|hours|people|years)?(?![\w])",
    re.IGNORECASE,
)
_CODE = re.compile(r"#?[A-Z0-9][\w-]*\d[\w-]*(?: \d[\w-]*)*|\d[\d -]*\d|\d")
_FUNCTION = (
    ENGLISH_STOP_WORDS
    | frozenset(
        """
    since because as for at in on by with from of to near after before when while where which that who whose
    and or but so yet if though although unless until till than then too also instead rather now again still
    already today tonight anymore either neither keeps keep suits suit feels feel makes make gets get treats
    treat says sends send gives give takes take pays pay hired hires works work goes go comes come without
    within behind over under up down out off via per plus except unlike like about around between during
    through throughout across into onto upon always never often mostly usually every each all both more most
    less has have had is are was were be been being does did do will would can could should may might must
    shall not no only just even ever here there home all best better more most less worst suited agreed handed
    said replaced took joined left quit went became becomes gone turned employs needs needed runs these those
    once years months weeks ages ago anyway away started starts begins opens instead please thanks days
    """.split()
    )
) - frozenset("us".split())
_HEADS = frozenset(
    """
    engineer developer manager architect designer analyst lead director consultant nurse teacher doctor lawyer
    scientist writer editor researcher administrator officer specialist technician programmer accountant
    assistant associate coordinator supervisor executive president ceo cto cfo coo founder co-founder owner
    partner attorney paralegal judge physician surgeon dentist pharmacist therapist psychologist psychiatrist
    physiotherapist physio midwife paramedic vet veterinarian carer caretaker professor lecturer tutor
    instructor trainer coach principal librarian student intern trainee apprentice chef cook baker butcher
    barista bartender waiter waitress server host hostess receptionist secretary clerk cashier salesperson
    salesman saleswoman seller buyer trader broker banker auditor actuary economist statistician mathematician
    physicist chemist biologist geologist astronomer ecologist meteorologist historian philosopher sociologist
    linguist translator interpreter journalist reporter photographer videographer filmmaker producer actor
    actress singer musician composer conductor dancer choreographer painter sculptor illustrator animator
    artist artisan potter tailor jeweller jeweler carpenter joiner electrician plumber mechanic welder builder
    bricklayer roofer mason gardener farmer forester fisherman sailor captain pilot driver courier postman
    mailman steward stewardess conductor firefighter policeman policewoman detective soldier sergeant
    lieutenant guard warden inspector planner strategist marketer copywriter recruiter realtor agent
    representative operator controller dispatcher tester admin sysadmin dba devops sre scrum master evangelist
    advocate fellow postdoc freelancer contractor entrepreneur politician mayor councillor diplomat ambassador
    priest pastor imam rabbi monk nun hairdresser barber beautician cleaner housekeeper nanny babysitter
    undertaker optician optometrist radiologist cardiologist oncologist dermatologist pediatrician
    paediatrician anaesthetist anesthesiologist neurologist curator archivist surveyor
    """.split()
)
_FIRMS = frozenset(
    """
    company firm startup start-up school kindergarten hospital clinic bakery bank agency university college
    shop store restaurant cafe café lab laboratory ministry library museum studio factory farm hotel practice
    charity ngo airline supermarket warehouse brewery pharmacy newspaper publisher council court church
    theatre theater brewery garage zoo nursery consultancy cooperative co-op foundation institute insurer
    broker dealership salon spa gym nonprofit
    """.split()
)
_PART_OF_TOWN = re.compile(r"^(?:the )?(?:city|town|village|suburbs|outskirts|centre|center|north|south|east|west) of ")


@unique
class Sort(StrEnum):
    """What a value must look like, where no class of words tells (kinds.py)."""

    PLACE = "place"
    FIRM = "firm"
    PERSON = "person"
    NAME = "name"
    OCCUPATION = "occupation"
    NOUNS = "nouns"
    NUMBER = "number"
    CODE = "code"
    DAY = "day"


def taken(text: str, sort: Sort | Kind, *, lower: bool = False) -> str | None:
    """Return the value of a sort that a text begins with, or None. `lower`: the user writes without capitals."""
    text = text.strip().strip("\"'“”")
    if isinstance(sort, Kind):
        return _member(text, sort)
    return _READERS[sort](text, lower)


def is_finished(rest: str) -> bool:
    """Tell whether a value may end before this text: it goes on with no noun of its own."""
    rest = rest.lstrip()
    if not rest or (not rest[0].isalnum() and rest[0] not in "(\"'"):
        return True
    word = re.match(r"[\w']+", rest)
    return word is not None and (word.group().lower() in _FUNCTION or word.group().lower().endswith("ly"))


def bare(text: str) -> str:
    """Return a text without the articles and words of degree in front."""
    return _ARTICLE.sub("", text.strip())


def _member(text: str, kind: Kind) -> str | None:
    """Read a member of a class, "a strong flat white": adjectives in lower case may stand in front."""
    found = PATTERNS[kind].search(text)
    if found is None:
        return None
    front = bare(f"{text[: found.start()].strip()} x").removesuffix("x").strip()
    if front and not re.fullmatch(r"(?:[a-z-]+ ?){1,2}", front):
        return None
    if not is_finished(text[found.end() :]):
        return None
    return found.group()


def _name(text: str, lower: bool) -> str | None:
    found = _NAME.match(text)
    if found:
        value = found.group(1)
        return value if is_finished(text[found.end() :]) and _is_name(value) else None
    if lower and (plain := _LOWER_NAME.match(text.rstrip(".!"))):
        words = plain.group(1).split()
        return None if any(word in _FUNCTION for word in words) else plain.group(1)
    return None


def _is_name(value: str) -> bool:
    return len(value.split()) <= VALUE_MAX_WORDS and value not in ("I", "OK", "Ok")


def _place(text: str, lower: bool) -> str | None:
    value = _name(_PART_OF_TOWN.sub("", text), lower)
    return value if value and not kinds_of(value) else None


def _firm(text: str, lower: bool) -> str | None:
    value = _name(text, lower)
    if value:
        return value if not kinds_of(value) else None
    small = re.match(r"(?:a|an|the) ((?:[a-z-]+ ){0,2}[a-z-]+)", text)
    if small is None:
        return None
    words = small[1].split()
    heads = [n for n, word in enumerate(words, 1) if word in _FIRMS]
    return " ".join(words[: heads[0]]) if heads else None


def _person(text: str, lower: bool) -> str | None:
    value = _name(text, lower)
    if value is None or kinds_of(value) or any(c.isdigit() for c in value):
        return None
    return None if value.split()[0].lower() in _FUNCTION else value


def _occupation(text: str, lower: bool) -> str | None:
    """Read "a backend developer", "head of design": a noun phrase whose head is an occupation."""
    plain = bare(text)
    words = re.findall(
        r"[\w&/'-]+", re.split(r"[,;.()]| (?:at|for|with|by|in|now|since|because|who|and|but) ", plain)[0]
    )
    ends = [n for n, word in enumerate(words[:VALUE_MAX_WORDS], 1) if word.lower() in _HEADS]
    if re.match(r"(?:head|director|vice president|vp|chief|master) of \w+", plain, re.IGNORECASE):
        return " ".join(words[:3])
    if not ends:
        return None
    value = " ".join(words[: ends[-1]])
    rest = words[ends[-1] :]
    return value if not rest or rest[0].lower() in _FUNCTION else None


def occupations(text: str) -> list[tuple[int, int]]:
    """Return where occupations stand in a text, with the words that belong to them."""
    found = []
    words = list(re.finditer(r"[\w&/'-]+", text))
    for n, word in enumerate(words):
        if word.group().lower() not in _HEADS:
            continue
        if (
            n + 1 < len(words)
            and words[n + 1].group().lower() in _HEADS
            and text[word.end() : words[n + 1].start()] == " "
        ):
            continue
        first = n
        while first and n - first < 3 and text[words[first - 1].end() : words[first].start()] == " ":
            before = words[first - 1].group().lower()
            if before in ("the", "my", "our", "his", "her"):
                first = -1
                break
            if before in _FUNCTION or before in ("am", "my", "new", "title", "now", "role", "position", "me", "job"):
                break
            first -= 1
        if first >= 0 and is_finished(text[word.end() :]):
            found.append((words[first].start(), word.end()))
    return found


def _nouns(text: str, lower: bool) -> str | None:
    """Read a plain noun phrase, up to the first word that goes on with something else."""
    plain = bare(text)
    words: list[str] = []
    for found in re.finditer(r"[^\s]+", plain):
        word = found.group()
        stripped = word.strip(",.;:!?()\"'")
        linking = stripped in ("of", "and", "de", "&") and words
        if not stripped or (stripped.lower() in _FUNCTION and not linking) or stripped.lower() == "i":
            break
        words.append(stripped)
        if stripped != word.rstrip("\"'"):
            break
    while words and words[-1] in ("of", "and", "de", "&"):
        words.pop()
    return " ".join(words) if 0 < len(words) <= VALUE_MAX_WORDS else None


def _number(text: str, lower: bool) -> str | None:
    found = _NUMBER.match(bare(re.sub(r"^(?:about|around|roughly|exactly|up to|over|only) ", "", text)))
    return found.group().strip() if found else None


def _code(text: str, lower: bool) -> str | None:
    found = _CODE.match(bare(text))
    return found.group().strip() if found else None


def _day(text: str, lower: bool) -> str | None:
    found = re.match(rf"(?:(?:on|by|for|until|till|before|to|at|from|the) )*({MARK})", text)
    return found.group(1) if found else None


_READERS: Mapping[Sort, Callable[[str, bool], str | None]] = MappingProxyType(
    {
        Sort.PLACE: _place,
        Sort.FIRM: _firm,
        Sort.PERSON: _person,
        Sort.NAME: _name,
        Sort.OCCUPATION: _occupation,
        Sort.NOUNS: _nouns,
        Sort.NUMBER: _number,
        Sort.CODE: _code,
        Sort.DAY: _day,
    }
)
