"""Topics: the words that speak of a slot, the sort of its values, and the words that speak of something else.

Rules: a table. Events ("visited", "had a") rule a topic out, and so does whoever else the sentence may be about.
It does not know how a topic is used (evidence.py). Source: own word lists.
"""

import re
from dataclasses import dataclass

from shared.domain.extraction.kinds import Kind
from shared.domain.extraction.sightings import Values, doctors, found_occupations, names, of_kind, persons


@dataclass(frozen=True, slots=True)
class Topic:
    """A slot, the words that speak of it, its values, and the words that speak of something else.

    `whose`: a relative named in the sentence is who it is about; without it such a sentence is passed over.
    """

    slot: str
    cue: re.Pattern[str]
    values: Values
    never: re.Pattern[str] | None = None
    whose: bool = False
    may_end: bool = False
    says: str = ""


def _topic(slot: str, cue: str, values: Values, never: str = "", **rest: object) -> Topic:
    wrong = re.compile(never, re.IGNORECASE) if never else None
    return Topic(slot, re.compile(cue, re.IGNORECASE), values, wrong, **rest)  # type: ignore[arg-type]


_EVENTS = (
    r"\b(?:visit\w*|trip|holiday|vacation|conference|weekend|flew|flight to|stopover|hotel|airport|tourists?"
    r"|concert|match|meeting in|met|lunch|read|watched|saw|book|film|novel|article"
    r"|podcast|song|album|series|show|game|dinner|ate|caf[eé]|restaurant|bar|pub|episode|exhibition|museum|news"
    r"|postcard|delivery|parcel|train|trams?|bus|layover|festival|born|grew up|hometown|from originally|originally "
    r"from)\b"
)
_JOB = (
    r"\b(?:employ\w*|payroll|salary|wages|pay ?che(?:ck|que)s?|pay ?slips?|paid by|badge|lanyard|hired|recruited"
    r"|job|jobs|work|works|working|workplace|started|joined|first day|onboard\w*|notice|resign\w*|laid off"
    r"|office|colleagues|(?:my|work|employment|new) contract|career|earn|boss|clock in|company|firm|keycard|still "
    r"(?:at|with)|(?:day|week|month|morning|shift) at|busy at|here at|life at|keeps me busy|not left|pays me|desk "
    r"at|business cards?|day job|nine to five|staff)\b"
)
TOPICS: tuple[Topic, ...] = (
    _topic(
        "slot.residence",
        r"\b(?:live|lives|living|lived|home|house|flat|apartment|place|room|rent|rented|landlord|landlady|address"
        r"|postcode|moved|move|relocat\w+|settl\w+|roots|keys|boxes|unpack\w*|street|neighbou?rhood|letterbox"
        r"|mailbox|doorbell"
        r"|resident|registered|lease|furniture|based|back in|returned|balcony|kitchen|bed|base|city|town|residence"
        r"|stay(?:ed|ing)? (?:put|on)|housewarming|front door|still in|here in|life in|remain\w*|not left|never "
        r"left|doorstep|flatmate|taxes)\b",
        of_kind(Kind.CITY),
        _EVENTS + r"|\b(?:office|canteen|team|friend|colleague|boss|landed a job|job)\b",
        whose=True,
    ),
    _topic(
        "slot.employer",
        _JOB,
        names,
        _EVENTS
        + r"|\b(?:project|boss is|manager|designer|tester|tech lead|called|named|title|promoted|code|deadline|due"
        r"|draft|owe|promised|send|allerg\w*|emergency|key|keys)\b",
        whose=True,
    ),
    _topic(
        "slot.role",
        r"\b(?:title|promot\w+|role|position|work as|working as|i am|am a|job|career|profession|trade|living"
        r"|business card|badge|made me|became|climbed|hired as|call me|calls me)\b",
        found_occupations,
        r"\b(?:my|our|the|a|new) (?:new )?(?:manager|boss|designer|tester|tech lead|mentor|accountant"
        r"|landlord)\b(?! (?:role|position|title))|\bsee(?:ing)?\b|\bvisit|appointment|birthday|sister|brother"
        r"|husband|wife|partner|friend|colleague",
    ),
    _topic(
        "slot.editor",
        r"\b(?:i|my|me|we)\b",
        of_kind(Kind.EDITOR),
        r"\b(?:meetup|talk|tutorial|question|how to|colleague|sister|brother|tried|trying|article|plugin for|at "
        r"work|office|job)\b",
        may_end=True,
    ),
    _topic(
        "slot.usual_drink",
        r"\b(?:i|my|me)\b",
        of_kind(Kind.DRINK),
        r"\b(?:time for|tried|spilled"
        r"|recipe|sister|brother|mother|father|colleague|friend|wedding|party|airport|yesterday"
        r"|last night|machine|bought|ran out|once|plant)\b",
        may_end=True,
    ),
    _topic(
        "slot.music",
        r"\b(?:i|my|me)\b",
        of_kind(Kind.MUSIC),
        r"\b(?:concert|festival|ticket|sister|brother|neighbou?rs?|climb\w*|band|house|flat|folk|country|pop in"
        r"|noises?|minimal|soul|fusion|emo|drill|trap|rap on|rock|metal|swing|jungle)\b",
    ),
    _topic(
        "slot.diet",
        r"\b(?:i|my|me)\b",
        of_kind(Kind.DIET),
        r"\b(?:restaurants?|recipe|cookbook|options?|caf[eé]|menu|sister|brother|mother|father|colleague|friend"
        r"|guests?)\b",
        may_end=True,
    ),
    _topic(
        "slot.favourite_dish",
        r"\b(?:i|my|me)\b.*\b(?:favou?rite|love|best|most|beats?|number one|crave|never get enough|any day|top"
        r"|over anything)\b"
        r"|\b(?:favou?rite|best|beats?|number one|top)\b.*\b(?:i|my|me)\b",
        of_kind(Kind.DISH),
        r"\b(?:restaurant|recipe|how to|sister|brother|mother|father|friend|yesterday|last night|tonight)\b",
    ),
    _topic(
        "slot.work_language",
        r"\b(?:work|office|job|team|services?|company|employer|colleagues|day|days|professional\w*|living|paid"
        r"|daily)\b",
        of_kind(Kind.CODE),
        r"\b(?:hobby|for fun|side[- ]project|spare time|weekends?|learn\w*|course|tutorial|book|meetup|conference"
        r"|talk|stack trace|debug\w*|bug|interview|class|sister|brother|friend)\b",
        may_end=True,
    ),
    _topic(
        "slot.vehicle",
        r"\b(?:i|my|we|our)\b",
        of_kind(Kind.CAR),
        r"\b(?:sister|brother|mother|father|colleague|friend|neighbou?r|boss|test|rent\w*|advert|film|taxi|tyres?"
        r"|tires?|brake|service|repair|needs?|oil|garage bill|wipers?|battery|noise|strange)\b",
        may_end=True,
    ),
    _topic("slot.blood_type", r"\b(?:i|my|blood|donor|transfusion|rhesus)\b", of_kind(Kind.BLOOD)),
    _topic(
        "slot.emergency_contact",
        r"\b(?:emergency|happens to me|happen to me|accident|collapse|faint|pass out)\b",
        persons,
        r"\b(?:injector|inhaler|epipen|room|exit|kit|allerg\w*)\b",
    ),
    _topic(
        "slot.doctor",
        r"\b(?:doctor|gp|physician|ill|sick|unwell|health|check-?ups?|practice|surgery|prescri\w+|medical)\b",
        doctors,
        r"\b(?:dentist|vet|optician)\b",
    ),
    _topic(
        "slot.name",
        r"\b(?:my name|name's|name is|call me|i go by|who i am|this is|speaking|introduce)\b",
        persons,
        r"\b(?:project|dog|cat|rabbit|parrot|pet|sister|brother|mother|father|son|daughter|boss|manager|designer"
        r"|tester|doctor|company|team|friend is|street|file|variable)\b",
    ),
    _topic(
        "slot.side_project",
        r"\b(?:side|pet|hobby|weekend|own|little|personal)[ -]project\b",
        names,
        r"\b(?:manager|designer|tester)\b",
    ),
)
