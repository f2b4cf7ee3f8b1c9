"""How a sentence is meant: told as a fact, asked, planned, under a condition, of the past, or not in earnest.

Rules: only what is told as a fact can fill a slot. A question and a request tell nothing; a plan, a wish, a condition
and a memory of the past are told, but no slot holds them. One word decides for its clause; "if" and "when" at the
beginning for the whole sentence.
It does not know slots. Source: English modal verbs, conditionals and tenses.
"""

import re
from enum import Enum, auto, unique


@unique
class Mood(Enum):
    """How a sentence or clause is meant."""

    TOLD = auto()
    ASKED = auto()
    PLANNED = auto()
    CONDITIONAL = auto()
    UNREAL = auto()
    PAST = auto()


_QUESTION = re.compile(
    r"^(?:how (?:do|does|did|can|could|should|would|is|are|to|much|many|long|about|come)|why"
    r"|(?:what|which|who|whom|whose|where|when)(?: [\w-]+)? (?:is|are|was|were|do|does|did|can|could|should|would"
    r"|will|has|have)"
    r"(?: (?:a|the|my|your|it|this|that|there|i|you|we)\b|$)"
    r"|(?:is|are|was|were|do|does|did|can|could|would|should|shall|may|will|have|has)"
    r" (?:i|you|we|he|she|it|they|there|this|that|my|your|the|anyone|somebody)\b|any (?:idea|tips|advice"
    r"|suggestions?))",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^(?:please )?(?:can you|could you|would you|will you|help|explain|write (?:me|a|an|the|some)|show|tell me|give me"
    r"|make me|translate|summari[sz]e|suggest|recommend|list|find|draft|compare|describe|fix|check|correct|rewrite"
    r"|generate|calculate|convert|define|let us|thanks|thank you|good (?:morning|evening|night|afternoon)"
    r"|i (?:have|had|got) (?:a|another|one (?:more )?|a quick) question|i (?:want|need|would like) (?:you )?to "
    r"(?:know|ask))\b",
    re.IGNORECASE,
)
_HOW_TO = re.compile(
    r"^(?:please )?(?:teach|walk me|guide me|advise|remind me how|let me know|point me|talk me|i could use|i would "
    r"love|i am looking for"
    r"|i am trying to (?:find|figure|learn|work) out)\b"
    r"|\b(?:want|need|like|love|trying|curious|wonder\w*|figure out|idea|clue|not sure|tell me|show me|remind me"
    r"|explain|know) (?:to (?:know|learn|find out|understand) )?"
    r"(?:exactly |again )?how (?:best |i can |i could |i should |you )?(?:to |do )?"
    r"|\b(?:a|some|any|your) (?:good |quick |simple |easy |better |neat |best )?(?:ways?|tricks?|tips?|advice"
    r"|hints?|methods?|recipes?) (?:to|for|on|of)\b"
    r"|\b(?:help me|need help|need a hand|some help|stuck (?:on|with))\b|^how to\b",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:i wish|if only|as if|imagine|suppose|pretend|joking|kidding|just a joke|dream(?:t|ed)"
    r"|in (?:the|my) (?:game|dream|novel|story|film|movie)|would have|could have|almost|nearly|as though|let us say"
    r"|hypothetically|yeah right|in theory|supposedly|rumou?r|they say)\b",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(
    r"^(?:if|unless|when(?:ever)?|once|in case|provided|assuming|as long as|should i|on (?:long|short|rainy|sunny"
    r"|cold|hot"
    r"|busy|bad|good|week|work|weekends?|holidays?|sundays|saturdays|mondays|tuesdays|wednesdays|thursdays|fridays)"
    r"|at (?:weekends?|night)|in (?:summer|winter|spring|autumn|bad|good|case)|during|depending|sometimes"
    r"|occasionally|some days|most days)\b"
    r"|\b(?:unless|otherwise|depending on|in case|if (?:i|it|we|the|there|my|you)|when(?:ever)? (?:it|the weather)"
    r"|only when"
    r"|when(?:ever)? (?:i|we) (?:am|are|feel|get|have|need|can|work|travel|visit|want))\b|\bon (?:long|short|rainy"
    r"|sunny|cold|hot|weekdays|weekends)\b"
    r"|\b(?:at|in|on) (?:[a-z]+ )?(?:days|weekends|evenings|holidays|trips|flights|winter|summer)\b.* but ",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"^(?:(?:for|on|in|at|during) )?(?:the )?(?:[a-z-]+ )?"
    r"(?:flights|trips|journeys|drives|rides|days|mornings|afternoons|evenings|nights|weekends|weekdays|weather|meetings"
    r"|meals|holidays|calls|visits|summers|winters|rain|snow)(?: \w+)?(?::| -) +(?=\S)",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\b(?:it is|it has to be|it must be|make it|give me|please|for me)\b|\b(?:the|a|by) \w+(?: \w+)? to work\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:might|may(?! \d)|could|would|should|thinking (?:of|about)|think of|consider(?:s|ing)?|plan(?:s|ning"
    r"|ned)? (?:to|on"
    r"|for|a)|my plan|hop(?:e|es|ing) (?:to|for|that)|want(?:s|ed)? to|wish(?:es)?|dream(?:s|ing)? (?:of|about)"
    r"|some ?day"
    r"|one day|maybe|perhaps|possibly|going to|gonna|will|shall|about to|intend(?:s|ing)?|tempted|looking (?:at"
    r"|into|for|to)"
    r"|toying|would like|would love|likely|next year|next month|next summer|next spring|next winter|next autumn"
    r"|not decided"
    r"|nothing decided|undecided|eventually|sooner or later|considering|wonder(?:ing)?|whether|contemplating"
    r"|mulling|weighing|flirting with"
    r"|eyeing|in talks|interview(?:ing|ed)?|applied|applying|offer(?:ed)?|dreaming|fancy|am to|let us)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:used to|back when|as a (?:child|kid|student|teenager)|when i was|in my (?:twenties|youth|childhood)"
    r"|once upon|formerly|previously|in (?:school|college|university)|at (?:school|university|college)|in those days"
    r"|back in (?:the|my)|grew up)\b"
    r"|(?<!have )(?<!has )(?<!just )\b(?:lived|resided|stayed|worked) (?:at|for|as|in|near|with)\b|\b(?:i|we) "
    r"(?:drove|drank|spoke)\b",
    re.IGNORECASE,
)


def mood(sentence: str) -> Mood:
    """Return how a whole plain sentence is meant; `sentence` ends with the user's own mark."""
    opening = re.sub(r"^(?:[\w ]{1,20}, )?", "", sentence, count=1) if sentence.rstrip().endswith("?") else sentence
    if sentence.rstrip().endswith("?") or _QUESTION.match(opening) or _REQUEST.match(sentence) or _asks_how(sentence):
        return Mood.ASKED
    if _UNREAL.search(sentence):
        return Mood.UNREAL
    if _CONDITIONAL.search(sentence) or _LABELLED.match(sentence):
        return Mood.CONDITIONAL
    return Mood.TOLD


def is_chosen_under_condition(sentence: str) -> bool:
    """Tell whether a sentence says what is wanted under a condition, with or without a verb: "Long flights: aisle"."""
    if _LABELLED.match(sentence):
        return True
    return _CONDITIONAL.search(sentence) is not None and _CHOSEN.search(sentence) is not None


def _asks_how(sentence: str) -> bool:
    return _HOW_TO.search(sentence) is not None and not re.search(
        r"\bi (?:already |now )?know how\b", sentence, re.IGNORECASE
    )


def clause_mood(clause: str) -> Mood:
    """Return how one clause of a told sentence is meant."""
    if _PLANNED.search(clause):
        return Mood.PLANNED
    return Mood.PAST if _PAST.search(clause) else Mood.TOLD
