"""Whether a sentence that fills no slot tells something worth keeping, or is small talk.

Rules: what the user asks to be remembered, prefers, needs, can not do, has decided, promised or plans is kept, and so
is what names somebody, a number or a day about the user's own life. The weather, sleep, moods, chores and how the day
went are small talk, and so is an event without a name, a number or a day. Questions and requests tell nothing.
It does not know slots. Source: own; REQUIREMENTS D3.
"""

import re

from shared.domain.extraction.kinds import PATTERNS, Kind
from shared.domain.extraction.moods import is_chosen_under_condition
from shared.domain.extraction.people import KIN, STAFF
from shared.domain.stop_words import ENGLISH_STOP_WORDS

_OWN = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_STATES = re.compile(
    r"""\b(?:(?:i|we)\ (?:\w+ly\ )?(?:like|love|adore|enjoy|hate|dislike|detest|loathe|prefer|need|own|have|belong
        |believe|support|collect
      |play|study|speak|know|live|work|run|own|keep|follow|volunteer|teach|coach|sing|paint|practi[sc]e|train|take
        |use|wear|carry|eat|drink|want|plan
      |hope|intend|consider|avoid|fear|owe|must|should|will|never|always|usually|can\ not|could\ never|do\ not
        |no\ longer|only|expect)
    | (?:i|we)\ (?:am|are)\ (?:a|an|the|not|never|afraid|scared|married|single|divorced|engaged|pregnant|left-handed
        |right-handed|colou?r-?blind|deaf
      |blind|short-sighted|from|originally|born|into|interested|learning|studying|training|saving|thinking
        |considering|planning|going|trying
      |working|allergic|responsible|in\ charge|fluent|a\ fan|fond|good\ at|bad\ at|used\ to|member|part\ of|supposed
        |expected|worried\ about|moving)
    | (?:i|we)\ (?:used\ to|went\ vegan|decided|agreed|promised|chose|started|stopped|quit|gave\ up|finished
        |graduated|grew\ up|was\ born
        |were\ born|joined|signed|resigned
      |moved|bought|sold|adopted|booked|ordered|switched|changed|learned|learnt|won|lost|broke|injured|inherited
        |founded|launched|married|proposed
      |have\ (?:decided|agreed|promised|chosen|started|stopped|finished|always|never|been|booked|bought|sold|moved
        |learned))
    | my\ (?:favou?rite|goal|dream|plan|hobby|hobbies|rule|habit|routine|policy|preference|family|home|house|flat|job
        |team|project|budget|deadline)
    | favou?rite|allerg\w+|deadline|due|appointment|birthday|anniversary|passport|password|insurance|emergency
        |diagnos\w+|prescri\w+)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ABOUT_SOMEBODY = re.compile(rf"\bmy (?:\w+ )?(?:{KIN}|{STAFF})\b", re.IGNORECASE)
_SMALL = re.compile(
    r"""\b(?:weather|rain(?:ed|ing|y|s)?|sun(?:ny|shine)?|snow(?:ed|ing)?|grey|gray|cloudy|windy|storm\w*|foggy
        |cold\ today|hot\ today|slept|sleep|nap|tired
      |yawn\w*|lift|elevator|printer|battery|traffic|queue|crowded|laundry|dishes|windows|cleaned|tidied|vacuum\w*
        |umbrella|dripping|tap|noisy|loud
      |neighbou?rs\ were|mondays?|weekend\ was|can\ not\ complain|could\ be\ (?:better|worse)|not\ much
        |nothing\ (?:special|dramatic|new|to\ report|happened|much)
      |so-so|same\ old|feel\ (?:fine|ok|okay|good|better|bad)|feeling\ (?:fine|ok|okay|good|better|bad)|busy\ day
        |long\ day|quiet\ (?:day|evening)|went\ for\ a\ (?:\w+\ )?(?:walk|run|stroll)
      |went\ to\ bed|woke\ up\ (?:early|late)|overslept|have\ a\ (?:nice|good|great)|see\ you|talk\ (?:later|soon)
        |thank\w*|laugh\w*|funny|boring|bored
      |how\ time\ flies|whole\ day|nice\ day|coffee\ (?:machine|break)|crossword|jog(?:ged|ging)?|couch|sofa|telly
        |socks?|dust|hurts?|headache|aches?|sore|shopping\ was|groceries)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_TELLING = (Kind.CODE, Kind.EDITOR, Kind.DIET, Kind.DRUG, Kind.CONDITION, Kind.TONGUE, Kind.MUSIC, Kind.CAR)
_EVENT = re.compile(
    r"^(?:(?:i|we) )(?:just |also |finally )?(?:spent|read|saw|watched|listened|heard|ate|had|met|visited|found"
    r"|finished|tried|talked"
    r"|played|cooked|fixed|called|ran|walked|cleaned|slept|went (?:to|for|out))\b",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"\b(?:was|were|had|did|went|saw|read|ate|met|got|came|took|found|heard|made|ran|spent|finally"
    r"|(?!named|called|based|married|tired|supposed|interested|located|employed|divorced|need"
    r"|indeed)[a-z]{3,}ed"
    r"|yesterday|last (?:night|week)|this (?:morning|afternoon|evening|week)|today|tonight)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:switched|swapped|changed|replaced|traded|exchanged|dropped|ditched|sold|scrapped|bought|renamed|relocated"
    r"|settled|joined|left|became|become|turned (?:into|to)|converted|returned|came back|went back|gone back"
    r"|took over|taken over|handed over|got rid"
    r"|made me (?:an?|the|their|head|chief|lead)|appointed|raised|lowered|rose|went up|went down"
    r"|pushed|postponed"
    r"|(?:topped|bumped|scaled|moved|went|gone|stepped|ramped) (?:up|down)|increased|reduced|doubled|halved|upgraded"
    r"|downgraded|ported|transferred|transitioned|went from|from \S+(?: \S+){0,2} (?:in)?to|took (?:me|us) on"
    r"|hired (?:me|us)|signed (?:me|up|on)|opted for|settled on|moved on|gone over"
    r"|rescheduled|brought forward|extended|cancell?ed"
    r"|overtaken|overtook|retired"
    r"|uninstalled|installed|gone off"
    r"|instead|rather than|any ?more|any longer|no more|now|new|these days|nowadays"
    r"|since|for good|behind (?:me|us))\b",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening|week)|yesterday|last night|earlier|right now|at the "
    r"moment|again|once more|a day)\b",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"\b(?:allerg\w*|favou?rite|promised|agreed|decided|diagnos\w+|moved|quit|resigned|married|divorced|engaged"
    r"|pregnant|born|adopted|hired|fired|promoted|graduated|signed"
    r"|started|stopped|gave up|no longer|from now on|passport|password|deadline|appointment)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
_NAMED = re.compile(r"(?<=[a-z0-9,;:\"'] )\"?[A-Z][\w'&-]+|\b[A-Z]{2,}\b")
_FIRST_NAME = re.compile(
    r"^([A-Z][\w'-]+)(?: [A-Z][\w'-]+)? (?:is|has|was|will|can|can not|works|lives|likes|loves|hates|needs|wants)\b"
)
_NO_NAMES = frozenset(
    "I I'm I've I'll OK TV DIY AM PM Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
)
MAX_WORDS = 60  # of a sentence kept as it is; a longer one stays in its turn (chosen, untested)


def is_lasting(written: str, *, kept: bool, conditional: bool = False) -> bool:
    """Tell whether a told sentence is worth keeping. `kept`: the user asks for it to be remembered.

    `conditional`: it says what the user does under a condition.
    """
    words = written.split()
    if len(words) < 2 or len(words) > MAX_WORDS:
        return False
    if kept:
        return True
    own = _OWN.search(written) is not None
    if is_named(written) or any(
        PATTERNS[kind].search(written) for kind in (*_TELLING, Kind.CITY, Kind.DRINK, Kind.ALLERGEN)
    ):
        return own or not _SMALL.search(written)
    if conditional and (own or is_chosen_under_condition(written)):
        return True
    if _SMALL.search(written):
        return False
    if _FIGURE.search(written):
        return True
    if _PASSING.search(written) and not _STRONG.search(written):
        return False
    return is_state(written)


def is_own(written: str) -> bool:
    """Tell whether a sentence speaks of the user."""
    return _OWN.search(written) is not None


def is_small_talk(written: str) -> bool:
    """Tell whether a sentence is about the weather, sleep, moods or how the day went, and names nobody."""
    return _SMALL.search(written) is not None and not is_named(written)


def is_event(written: str) -> bool:
    """Tell whether a sentence tells what happened, and not what holds; a change tells what holds from then on."""
    if _STRONG.search(written) or _CHANGED.search(written):
        return False
    return _HAPPENED.search(written) is not None


def is_state(written: str) -> bool:
    """Tell whether a sentence says something of the user, or of somebody near, that lasts."""
    own = _OWN.search(written) is not None
    if _EVENT.match(written):
        return False
    if _ABOUT_SOMEBODY.search(written) or (own and any(PATTERNS[kind].search(written) for kind in _TELLING)):
        return True
    return _STATES.search(written) is not None and (own or len(written.split()) > 3)


def is_named(written: str) -> bool:
    """Tell whether a sentence has a name in it."""
    names = [name.strip("\"' ") for name in _NAMED.findall(written)]
    first = _FIRST_NAME.match(written)
    if first and first.group(1).lower() not in ENGLISH_STOP_WORDS:
        names.append(first.group(1))
    return any(name not in _NO_NAMES for name in names)
