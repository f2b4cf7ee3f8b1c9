"""How much a statement matters, how it ages and what protects it, by rules alone.

Rules: the strongest reason wins: health and safety, then what the user asked to be remembered or called important, open
commitments, who the user is, work and standing arrangements, preferences and habits, plans, other people, events with
names or figures, small talk. A name, a figure or a day adds a little: what is specific is harder to find again. What is
likely still true in a month is semantic. Safety, an explicit request and an open commitment protect.
It does not know models, salience or the database.
Source: REQUIREMENTS D2, D3. Weights chosen; that a fact of the user outlives a month and small talk a week follows from
them by the closed form of salience.py.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from shared.domain.extraction.facts import Importance, Weighed
from shared.domain.extraction.kinds import PATTERNS, Kind
from shared.domain.extraction.lasting import is_event, is_lasting, is_named, is_own, is_small_talk, is_state
from shared.domain.extraction.moods import Mood, clause_mood, is_chosen_under_condition, mood
from shared.domain.extraction.prose import is_asked_to_be_kept, plain, written_out
from shared.domain.salience import SMALL_TALK_MAX
from shared.domain.statements import sentences
from shared.domain.types import Guard, MemoryType

SAFETY, EXPLICIT, COMMITMENT = 0.95, 0.85, 0.8
IDENTITY, WORK, PREFERENCE, OTHERS, PLAN, STATE, EVENT, SMALL_TALK = 0.8, 0.75, 0.6, 0.55, 0.5, 0.5, 0.3, 0.1
SPECIFIC_BONUS = 0.05  # for a name, a figure or a day

_SAFETY = re.compile(
    r"\b(?:allerg\w*|anaphyla\w*|intoleran\w*|epipen|epi-pen|(?:auto-?)?injector|inhaler|epilep\w*|seizures?"
    r"|asthma\w*|diabet\w*|h(?:a)?emophili\w*|narcolep\w*|pacemaker"
    r"|pregnant|medication|medicine|insulin|prescri(?:bed|ption)\w*|blood (?:type|group)|emergency"
    r"|life-threatening|diagnos\w+|chronic|illness|suicid\w*|overdose|heart condition"
    r"|must (?:never|not) (?:eat|take|have|drink|be given|touch)|can not (?:eat|take|tolerate|digest)|can't (?:eat"
    r"|take|tolerate)|does(?: not|n't) tolerate|coeliac|celiac"
    r"|fire extinguisher|smoke alarm|gas leak|organ donor|disab\w+|wheelchair|deaf|blind)\b",
    re.IGNORECASE,
)
_SAFETY_OF_OWN = re.compile(
    r"\b(?:(?:end|ended|land|landed|put me|wind|wound) (?:up )?in (?:the |a )?(?:hospital|clinic"
    r"|er|intensive care|ward)"
    r"|kills? me|deadly|lethal|fatal|poison\w*|dangerous (?:for|to) me|rash|hives|swell(?:s|ing|ed)?|swollen"
    r"|itch\w*"
    r"|break(?:s)? (?:me )?out in|(?:react|reacts|reacted) (?:\w+ly|to)|(?:bad|severe|serious|violent|strong|nasty"
    r"|awful|allergic) reactions?|(?:stop|stops|can not|trouble|difficulty) breath\w*|throat (?:closes|swells|shuts)"
    r"|pass(?:es|ed)? out|ambulance|paramedics?|adrenaline|epinephrine|pills?|tablets? (?:of|a day|every|daily)"
    r"|dos(?:e|es|age)|\d+ ?mg|inject\w*|blood (?:is|pressure|sugar|thinners?|donor)|transfusions?|rhesus"
    r"|suffer(?:s|ing)? from|disease|disorder|syndrome|my (?:gp|physician|surgeon|cardiologist|consultant)"
    r"|next of kin|in case of (?:an )?accident|(?:any|some)thing (?:ever )?happens? to me"
    r"|(?:stay|steer|keep) (?:well |far )?(?:away|clear) (?:of|from)|(?:must|have to) avoid"
    r"|off[- ]limits (?:for|to) me)\b",
    re.IGNORECASE,
)
_SAFE_SLOTS = ("slots.allergy", "slots.medication", "slots.condition", "slot.blood_type", "slot.emergency_contact")
_OWN_SIGNS = (_SAFETY_OF_OWN, PATTERNS[Kind.DRUG], PATTERNS[Kind.CONDITION])
_SAFE_THINGS = re.compile(r"slot\.place\..*(?:injector|epipen|inhaler|medic|pills|insulin|first_aid|extinguisher)")
_IMPORTANT = re.compile(
    r"\b(?:important|crucial|critical|essential|vital|never forget|don't (?:ever )?(?:let me )?forget|do not "
    r"(?:ever )?(?:let me )?forget|must know|keep (?:it|that|this) in mind|for your records"
    r"|note that|make sure|whatever you do|without fail|on (?:record|file)|for (?:future |later )?reference"
    r"|(?:write|jot|note|put|take) (?:it|this|that) down|make a note|hold on to (?:it|this|that)"
    r"|in case (?:i|you) (?:ask"
    r"|need|forget)|worth (?:remembering|knowing|noting))\b",
    re.IGNORECASE,
)
_COMMITTED = re.compile(
    r"\b(?:deadline|due (?:on|by|date|next|this|tomorrow|to)|is due|are due|promised|i owe|appointment|by "
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow)|have to (?:hand|send|submit|deliver"
    r"|pay|finish)"
    r"|must (?:hand|send|submit|deliver|pay|finish)|remind me|i agreed to|committed to|exam on|interview on|flight "
    r"on|wedding on)\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:plan|planning|thinking (?:of|about)|considering|hope to|want to|goal|might|someday"
    r"|going to|would like|intend|decided to)\b",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"\b(?:prefer|favou?rite|like|love|hate|enjoy|always|never|usually|every (?:day|week|morning"
    r"|evening|month)|habit|rather|can't stand|can not stand|avoid)\b",
    re.IGNORECASE,
)
_QUESTION = Importance(SMALL_TALK, MemoryType.EPISODIC, Guard.NONE, "a question or request")
_SPECIFIC = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class _Family:
    importance: float
    reason: str


_FAMILIES: Mapping[str, _Family] = MappingProxyType(
    {
        slot: family
        for family, slots in (
            (
                _Family(IDENTITY, "who the user is and where"),
                "slot.name slot.residence slot.employer slot.role slot.doctor slot.birthday slot.marital_status "
                "slot.age slots.language slot.diet",
            ),
            (
                _Family(WORK, "work and standing arrangements"),
                "slot.work_language slot.manager slot.side_project "
                "slot.rent slot.salary slot.vehicle "
                "slot.extension_number",
            ),
            (
                _Family(PREFERENCE, "a preference or habit"),
                "slot.editor slot.usual_drink slot.favourite_dish slot.music slot.commute",
            ),
        )
        for slot in slots.split()
    }
)
_NEEDED = _Family(EXPLICIT, "something that may be needed")
_LOOKED_UP = re.compile(r"_(?:number|code|pin|id|account|password|passphrase|plate|serial|reference|iban)$|\.password$")
_PREFIXES = (
    ("slot.holder.", _NEEDED),
    ("slot.place.", _NEEDED),
    ("slot.favourite", _Family(PREFERENCE, "a preference or habit")),
    ("slot.", _Family(WORK, "work and standing arrangements")),
    ("slots.", _Family(WORK, "work and standing arrangements")),
)


_DATED = ("slot.due.", "slot.appointment.")
_AHEAD = re.compile(r"\[until \d{4}-\d\d-\d\d\]$")  # as writing.py says it of a free statement
_ISO = re.compile(r"\d{4}-\d\d-\d\d")


def weigh(statements: Sequence[Weighed]) -> tuple[Importance, ...]:
    """Return the importance of every statement, in order."""
    return tuple(map(_weigh, statements))


def _weigh(statement: Weighed) -> Importance:
    said = f"{statement.text}\n{statement.evidence}"
    written = written_out(statement.evidence or statement.text)
    kept = is_asked_to_be_kept(written) or is_asked_to_be_kept(written_out(statement.text)) or _IMPORTANT.search(said)
    asked = _asks(written) and not kept
    bonus = SPECIFIC_BONUS if _SPECIFIC.search(statement.text) or is_named(written_out(statement.text)) else 0.0
    if not asked and (
        statement.slot.startswith(_SAFE_SLOTS)
        or _SAFE_THINGS.match(statement.slot)
        or _SAFETY.search(said)
        or (is_own(written) and any(sign.search(written) for sign in _OWN_SIGNS))
    ):
        return Importance(SAFETY, MemoryType.SEMANTIC, Guard.SAFETY, "health or safety")
    if kept:
        return Importance(EXPLICIT + bonus, MemoryType.SEMANTIC, Guard.EXPLICIT, "asked to be remembered")
    if (
        _AHEAD.search(statement.text)
        or (statement.slot.startswith(_DATED) and _ISO.search(statement.text))
        or (not asked and not statement.slot.startswith(_DATED) and _is_commitment(said, written))
    ):
        return Importance(COMMITMENT, MemoryType.SEMANTIC, Guard.COMMITMENT, "an open commitment")
    if statement.slot.startswith(_DATED):
        return Importance(EVENT + bonus, MemoryType.EPISODIC, Guard.NONE, "a commitment that is over")
    if statement.slot:
        family = _family(statement.slot)
        return Importance(round(family.importance + bonus, 2), MemoryType.SEMANTIC, Guard.NONE, family.reason)
    told = [
        _told(each, bonus)
        for each in map(written_out, sentences(statement.evidence or statement.text))
        if not _asks(each)
    ]
    return max(told, key=lambda each: each.importance) if told else _QUESTION


def _told(written: str, bonus: float) -> Importance:
    """Weigh what fills no slot."""
    meant = mood(plain(written))
    if meant is Mood.CONDITIONAL and (is_own(written) or is_chosen_under_condition(written)):
        return Importance(STATE + bonus, MemoryType.SEMANTIC, Guard.NONE, "what the user does under a condition")
    if is_small_talk(written):
        return Importance(min(SMALL_TALK + bonus, SMALL_TALK_MAX), MemoryType.EPISODIC, Guard.NONE, "small talk")
    if _PLANNED.search(written) or clause_mood(written) is Mood.PLANNED:
        return Importance(PLAN + bonus, MemoryType.SEMANTIC, Guard.NONE, "a plan or wish")
    if _HABIT.search(written):
        return Importance(PREFERENCE, MemoryType.SEMANTIC, Guard.NONE, "a preference or habit")
    if is_state(written) and (bonus or not is_event(written)):
        return Importance(STATE + bonus, MemoryType.SEMANTIC, Guard.NONE, "a lasting statement about the user")
    if bonus and not is_event(written):
        return Importance(STATE + bonus, MemoryType.SEMANTIC, Guard.NONE, "something named, and no event")
    if bonus:
        return Importance(EVENT + bonus, MemoryType.EPISODIC, Guard.NONE, "an event")
    if is_state(written):
        return Importance(EVENT, MemoryType.EPISODIC, Guard.NONE, "an event")
    if is_lasting(written, kept=False):
        if is_event(written):
            return Importance(EVENT, MemoryType.EPISODIC, Guard.NONE, "an event that names something")
        return Importance(STATE, MemoryType.SEMANTIC, Guard.NONE, "something that is worth keeping, and no event")
    return Importance(SMALL_TALK, MemoryType.EPISODIC, Guard.NONE, "nothing lasting")


def _asks(written: str) -> bool:
    return mood(plain(written) + ("?" if written.endswith("?") else "")) is Mood.ASKED


def _is_commitment(said: str, written: str) -> bool:
    return (
        _COMMITTED.search(said) is not None and re.search(r"\b(?:i|we|my|our|me)\b", written, re.IGNORECASE) is not None
    )


def _family(slot: str) -> _Family:
    if _LOOKED_UP.search(slot):
        return _NEEDED
    return _FAMILIES.get(slot) or next(family for prefix, family in _PREFIXES if slot.startswith(prefix))
