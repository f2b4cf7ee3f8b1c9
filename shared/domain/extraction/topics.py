"""Slots whose values are known words or numbers: told by a word of the topic and a value in the same sentence.

Rules: for wordings that no frame foresees ("my days are Kotlin from morning to evening"). A value counts only where
nothing shows that it is part of a longer noun, and only if it is the one value of the sentence that still holds; of a
slot with several values each counts. A topic's own words may rule it out (a hobby is not work).
It does not know frames. Source: own word lists.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.domain.extraction.former import is_former
from shared.domain.extraction.kinds import PATTERNS, Kind
from shared.domain.extraction.spans import is_finished

_MONEY = (
    r"[€$£¥]\s?\d[\d.,' ]*\d|\d(?:[\d.,' ]*\d)?\s?(?:€|\$|£|euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf"
    r"|yen|kroner|kronor|zloty)(?!\w)"
)
_FIGURE = rf"(?:{_MONEY}|(?<![\w.,-])\d(?:[\d.,']*\d)?(?![\w-])(?!\.\d))"


@dataclass(frozen=True, slots=True)
class Topic:
    """A slot, its values, the words that speak of it, and those that speak of something else."""

    slot: str
    values: re.Pattern[str]
    cue: re.Pattern[str]
    never: re.Pattern[str] | None = None
    several: bool = False
    may_end: bool = True
    noun_after: re.Pattern[str] | None = None  # nouns that a value may stand before


@dataclass(frozen=True, slots=True)
class Mention:
    """A value in a sentence, where it stands, and whether it no longer holds."""

    value: str
    start: int
    end: int
    former: bool


def _topic(
    slot: str,
    values: Kind | str,
    cue: str,
    never: str = "",
    *,
    several: bool = False,
    may_end: bool = True,
    noun_after: str = "",
) -> Topic:
    return Topic(
        slot,
        PATTERNS[values] if isinstance(values, Kind) else re.compile(values, re.IGNORECASE),
        re.compile(cue, re.IGNORECASE),
        re.compile(never, re.IGNORECASE) if never else None,
        several,
        may_end,
        re.compile(noun_after) if noun_after else None,
    )


TOPICS = (
    _topic(
        "slot.work_language",
        Kind.CODE,
        r"\b(?:work(?:ing|day)?|job|office|my days|days are|team|services?|codebase|code base|stack|ships?"
        r"|shipping|writes?|writing|wrote|coding"
        r"|code|programming|production|backend|professionally|paid|nine to five|company|colleagues|daily"
        r"|everything i|repos?|repositories|modules?|ported|rewr\w+|migrat\w+)\b",
        r"\b(?:hobby|for fun|side[- ]project|in my spare time|at home|weekends?|learn\w*|course|tutorial|book"
        r"|interview|meetup|conference|editor"
        r"|talk|reading|stack trace|debug\w*|bug|error|question|exam|class|hiring)\b",
    ),
    _topic(
        "slot.editor",
        Kind.EDITOR,
        r"\b(?:editors?|edit|editing|edits|ide|keys|key ?bindings|shortcuts|fingers|muscle memory|files?|config"
        r"|configuration|plugins?|setup|set-up|uninstall\w*"
        r"|hands|install\w*|switch\w*|moved|write everything|write (?:all )?my|type|typing|opens?|open|code in"
        r"|coding in"
        r"|text|daily driver|everything in|dotfiles|modal|default)\b",
        r"\b(?:brother|sister|colleague|tried|trying|question|meetup|tutorial|how to)\b",
        noun_after=r"\s+(?:keys|keybindings|shortcuts|commands|bindings|motions|user|person|setup|config)\b",
    ),
    _topic(
        "slot.usual_drink",
        Kind.DRINK,
        r"\b(?:usual|usually|orders?|ordering|always|every (?:morning|day|afternoon)|barista|cup|go-to|favou?rite "
        r"drink|start(?:ed|s)? (?:the|my|every) day|mornings?|regular|habit"
        r"|hands? me|poison|drink of choice|mug|no longer|gave up|given up|quit|stopped|switched|swapped|instead"
        r"|these days|nowadays|daily|thermos|counter|used to drink|waiter|waitress|brings? me|pours? me|serves? me"
        r"|without asking|every day|all day|caf[eé] (?:knows|has))\b",
        r"\b(?:might|if|time for|sister|brother|mother|father|tried|spilled|recipe|broke|wedding|party|plant|mug broke"
        r"|yesterday i|once)\b",
    ),
    _topic(
        "slot.music",
        Kind.MUSIC,
        r"\b(?:into|fan of|listen\w*|music|headphones?|earphones?|playlists?|ears|favou?rite|on repeat|records?"
        r"|genre|radio|speakers?|stereo|hear|play(?:s|ing)?|soundtrack|spotify|vinyl)\b",
        r"\b(?:concert|festival|ticket|sister|brother|neighbou?rs?|climb\w*|house music next door)\b",
    ),
    _topic(
        "slot.favourite_dish",
        Kind.DISH,
        r"\b(?:favou?rite|more than any|best|nothing beats|love\b.*\bmost|could eat|every day|comfort food|number "
        r"one|top of my list|over any|beats everything|any day)\b",
        r"\b(?:restaurant|recipe|how to|sister|brother|mother|father|friend|cook(?:ed|ing)?|tonight|yesterday)\b",
        may_end=False,
    ),
    _topic(
        "slot.diet",
        Kind.DIET,
        r"\b(?:i (?:am|eat|went|go|cook|became|turned|have (?:been|gone|become|turned)|stopped|quit|keep|follow"
        r"|gave up|no longer)|my diet|diet|food|plate|eating)\b",
        r"\b(?:restaurants?|recipe|cookbook|options?|caf[eé]|menu|sister|brother|mother|father|colleague|friend"
        r"|boss|wife|husband|partner|guests?|burger|how)\b",
        noun_after=r"\s+(?:diet|food|meals?|lifestyle|kitchen)\b",
    ),
    _topic(
        "slots.language",
        Kind.TONGUE,
        r"\b(?:speaks?|spoken|speaking|fluent\w*|languages?|mother tongue|native|bilingual|trilingual|understand"
        r"|converse|conversational|chat in|get by in)\b",
        r"\b(?:learn\w*|course|lesson|class|translat\w+|sister|brother|mother|father|wife|husband|partner"
        r"|colleague|boss|friend|wish|restaurant|film|book)\b",
        several=True,
    ),
    _topic(
        "slot.vehicle",
        Kind.CAR,
        r"\b(?:ride|riding|drive|drives|driving|car|bought|buy|sold|own|wheel|garage|parked|park|keys to|traded"
        r"|swapped|got myself|get around|commute|road|vehicle|behind the wheel|gone|van|scrapped|scrap)\b",
        r"\b(?:sister|brother|mother|father|colleague|friend|neighbou?r|boss|rent(?:ed|al)?|test[- ]drive|test "
        r"drove|needs?|brake|tyres?|tires?|service|repair|advert|ad|film|race|taxi|uber)\b",
    ),
    _topic(
        "slot.rent",
        _FIGURE,
        r"\b(?:flat|apartment|home|housing)\b.*\b(?:a|per|each|every) month\b|\brent\b|\blandlord\b|\b(?:flat"
        r"|apartment|room) (?:costs?|sets me back)\b",
        r"\b(?:sister|brother|car|bike|van|boat|video|movie|deposit)\b",
        may_end=False,
    ),
    _topic(
        "slot.extension_number",
        r"(?<![\w.,-])\d{2,6}(?![\w-])",
        r"\b(?:extension|ext\.?|reach (?:me|my desk)|direct line|internal number|desk phone|dial)\b",
        r"\b(?:file extension|browser|deadline|table|cord)\b",
        may_end=False,
    ),
    _topic(
        "slot.salary",
        _FIGURE,
        r"\b(?:my (?:gross |net |new )?(?:salary|wage|income|pay)|i (?:earn|make))\b",
        r"\b(?:sister|brother|friend|comes from)\b",
        may_end=False,
    ),
)
_BUDGET = re.compile(
    r"\bbudget (?:for|of) (?:the |my |our )?(?P<x>[\w' -]+?)(?= (?:is|was|to|has|from|went|stands|got|now|at|by"
    r"|comes|rose|grew)\b|[,.;]|$)|\b(?:the |my |our )(?:new |total )?(?P<y>[\w' -]+?) budget\b"
    r"|\b(?:have|got|set aside|allowed|spend|saved|put aside|planned|reserved|allotted|earmarked|left) "
    r"(?:ourselves |myself )?(?:up to |about )?\D{0,3}\d[\d.,]*(?: ?(?:euros?|eur|dollars?|pounds?|€))? (?:\w+ "
    r")?(?:for|on) (?:the |my |our )(?P<z>[\w' -]+?)(?=[,.;]|$| (?:now|in total|instead|and|not)\b)",
    re.IGNORECASE,
)
FIGURE = re.compile(_FIGURE, re.IGNORECASE)


def budget_thing(sentence: str) -> str:
    """Return what a budget is for, in a sentence that speaks of one; else nothing."""
    found = _BUDGET.search(sentence)
    return next((text for text in found.groups() if text), "") if found else ""


def mentions(topic: Topic, sentence: str, written: str, *, ending: bool = False) -> list[Mention]:
    """Return the values of a topic in a plain sentence, if its words speak of it in the written-out one.

    `ending`: the sentence ends something, which speaks of any topic whose values it names.
    """
    if not (topic.cue.search(written) or (ending and topic.may_end)) or (topic.never and topic.never.search(written)):
        return []
    return list(values_in(topic.values, sentence, topic.noun_after))


def values_in(values: re.Pattern[str], sentence: str, noun_after: re.Pattern[str] | None = None) -> Iterator[Mention]:
    """Yield the values of a class in a sentence that are no part of a longer noun."""
    for found in values.finditer(sentence):
        former = is_former(sentence, found.start(), found.end())
        rest = sentence[found.end() :]
        if found.group()[0].isdigit() and sentence[: found.start()].endswith("by "):
            continue  # by how much it changed
        if former or is_finished(rest) or (noun_after and noun_after.match(rest)) or found.group()[0].isdigit():
            yield Mention(found.group().strip(), found.start(), found.end(), former)
