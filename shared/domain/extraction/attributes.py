"""The slots of a person: what they are called, what their values look like, and how a value is told.

Rules: `slot_of` names the slot of a noun phrase ("phone extension", "favourite dish"): one canonical name for the usual
synonyms, else the words themselves. A slot that is about a thing carries it behind a dot (`slot.due.tax_return`).
Sentences are in the third person, about the user or about the person whom the subject names.
It does not know how values are found. Source: own.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from shared.domain.extraction.kinds import Kind
from shared.domain.extraction.spans import Sort

NOUN_MAX_WORDS = 4  # of a slot made of the user's words (chosen, untested)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A slot: the sort of its values, and the sentences that tell that it holds, or no longer does."""

    name: str
    sort: Sort | Kind
    holds: str
    ended: str = ""


def _table(*rows: tuple[str, Sort | Kind, str, str]) -> Mapping[str, Attribute]:
    return MappingProxyType({name: Attribute(name, sort, holds, ended) for name, sort, holds, ended in rows})


ATTRIBUTES = _table(
    ("slot.name", Sort.PERSON, "{P} name is {v}.", "{S} is no longer called {v}."),
    ("slot.residence", Sort.PLACE, "{S} lives in {v}.", "{S} no longer lives in {v}."),
    ("slot.employer", Sort.FIRM, "{S} works at {v}.", "{S} no longer works at {v}."),
    ("slot.role", Sort.OCCUPATION, "{P} job title is {v}.", "{S} no longer works as {v}."),
    ("slot.work_language", Kind.CODE, "{S} writes {v} at work.", "{S} no longer writes {v} at work."),
    ("slot.editor", Kind.EDITOR, "{P} editor is {v}.", "{S} no longer uses {v} as editor."),
    ("slot.usual_drink", Kind.DRINK, "{P} usual drink is {v}.", "{S} no longer drinks {v}."),
    ("slot.favourite_dish", Kind.DISH, "{P} favourite dish is {v}.", "{P} favourite dish is no longer {v}."),
    ("slot.music", Kind.MUSIC, "{S} likes to listen to {v}.", "{S} no longer listens to {v}."),
    ("slot.diet", Kind.DIET, "{P} diet is {v}.", "{S} is no longer {v} and has no special diet."),
    ("slot.vehicle", Kind.CAR, "{S} drives a {v}.", "{S} no longer has the {v}."),
    ("slot.side_project", Sort.NAME, "{P} side project is called {v}.", "{S} ended the side project {v}."),
    ("slot.doctor", Sort.PERSON, "{P} doctor is {v}.", "{P} doctor is no longer {v}."),
    ("slot.emergency_contact", Sort.PERSON, "{P} emergency contact is {v}.", "{P} emergency contact is no longer {v}."),
    ("slot.blood_type", Kind.BLOOD, "{P} blood type is {v}.", ""),
    ("slot.rent", Sort.NUMBER, "{P} rent is {v}.", "{S} no longer pays the rent of {v}."),
    ("slot.commute", Kind.TRANSPORT, "{S} goes to work by {v}.", "{S} no longer goes to work by {v}."),
    ("slots.language", Kind.TONGUE, "{S} speaks {v}.", "{S} no longer speaks {v}."),
    ("slots.allergy", Sort.NOUNS, "{S} is allergic to {v}.", "{S} is no longer allergic to {v}."),
    ("slots.medication", Sort.NOUNS, "{S} takes {v}, a medication.", "{S} no longer takes {v}, a medication."),
    ("slots.condition", Sort.NOUNS, "{S} has {v}, an illness.", "{S} no longer has {v}."),
    ("slot.birthday", Sort.DAY, "{P} birthday is {v}.", ""),
    ("slot.age", Sort.NUMBER, "{S} is {v} years old.", ""),
    ("slot.marital_status", Sort.NOUNS, "{S} is {v}.", "{S} is no longer {v}."),
)

_SYNONYMS: Mapping[str, str] = MappingProxyType(
    {
        noun.strip(): slot
        for slot, nouns in (
            ("slot.name", "name; full name; first name; real name; given name"),
            ("slot.residence", "home; home city; city; city of residence; residence; place of residence; home address; "
             "address; town; home town now; base; home base"),
            ("slot.employer", "employer; company; firm; workplace; place of work; job; work; day job"),
            ("slot.role", "job title; title; role; position; profession; occupation; trade; job role"),
            ("slot.work_language", "work language; programming language; coding language; main programming language; "
             "language at work; main language at work"),
            ("slot.editor", "editor; code editor; text editor; ide; main editor; editor of choice"),
            ("slot.usual_drink", "usual drink; usual order; order; drink; usual; go-to drink; go-to order; coffee "
                                 "order; "
             "drink of choice; favourite drink; regular order; regular drink; standard order; morning drink; poison"),
            ("slot.favourite_dish", "favourite dish; favourite food; favourite meal; dish of choice; comfort food"),
            ("slot.music", "favourite music; music; favourite genre; favourite music genre; music of choice; music "
                           "taste; "
             "favourite kind of music; favourite style of music"),
            ("slot.diet", "diet; dietary preference; eating style"),
            ("slot.vehicle", "car; vehicle; ride; set of wheels; wheels; van; motorbike; motorcycle"),
            ("slot.side_project", "side project; pet project; hobby project; project; weekend project"),
            ("slot.doctor", "doctor; gp; physician; family doctor; general practitioner"),
            ("slot.emergency_contact", "emergency contact; emergency contact person; contact in an emergency; ice "
                                       "contact; "
             "contact for emergencies"),
            ("slot.blood_type", "blood type; blood group"),
            ("slot.rent", "rent; monthly rent; flat rent"),
            ("slot.extension_number", "extension; phone extension; work extension; desk extension; extension number; "
             "telephone extension; direct line; internal number"),
            ("slot.manager", "manager; boss; line manager; supervisor"),
            ("slots.language", "mother tongue; native language; first language; second language"),
            ("slots.allergy", "allergy; food allergy; allergies; drug allergy"),
            ("slots.medication", "medication; daily medication; medicine; meds"),
            ("slots.condition", "condition; diagnosis; illness; chronic illness"),
            ("slot.commute", "commute"),
            ("slot.birthday", "birthday; date of birth; birth date; bday"),
            ("slot.age", "age"),
        )
        for noun in nouns.split(";")
    }
)  # fmt: skip
_LEADING = re.compile(r"^(?:my|our|the|a|an|his|her|their|new|current|latest|present|own|usual|old|main|actual|real) ")
_PLACES = re.compile(r" (?:at|in|for|from) (?:work|the office|the company|my company|home)$")


_BY_PREFIX = (
    ("slot.budget.", "The budget for {P} {x} is {v}."),
    ("slot.due.", "{P} {x} is due on {v}."),
    ("slot.appointment.", "{P} {x} is on {v}."),
)


def noun_of(phrase: str) -> str:
    """Return a noun phrase in the form that names a slot: lower case, no article, one spelling of "favourite"."""
    noun = " ".join(phrase.lower().replace("favorite", "favourite").split()).strip(" '\"")
    noun = _PLACES.sub("", noun)
    noun = re.sub(r"^(.+) of (?:my|our|the) (.+)$", r"\2 \1", noun)
    while noun not in _SYNONYMS and (found := _LEADING.match(noun)) and len(noun) > found.end():
        noun = noun[found.end() :]
    return noun


def key_of(noun: str) -> str:
    """Return a noun phrase as the part of a slot's name."""
    return re.sub(r"[^\w]+", "_", noun_of(noun)).strip("_")


def slot_of(phrase: str) -> str:
    """Return the slot of a noun phrase; empty where it is too long to name one."""
    noun = noun_of(phrase)
    if noun in _SYNONYMS:
        return _SYNONYMS[noun]
    return f"slot.{key_of(noun)}" if 0 < len(noun.split()) <= NOUN_MAX_WORDS and key_of(noun) else ""


def is_known_noun(phrase: str) -> bool:
    """Tell whether a noun phrase is a usual name of a slot."""
    return noun_of(phrase) in _SYNONYMS


def told(slot: str, subject: str, value: str, *, noun: str = "", ended: bool = False, sentence: str = "") -> str:
    """Return the sentence that tells a value, in the third person."""
    who, whose = subject_words(subject)
    attribute = ATTRIBUTES.get(slot)
    noun = noun or slot.rpartition(".")[2].replace("_", " ")
    if not sentence and attribute is not None:
        sentence = attribute.ended if ended else attribute.holds
    if not sentence and not ended:
        sentence = next((says for prefix, says in _BY_PREFIX if slot.startswith(prefix)), "")
    if not sentence:
        sentence = (
            "{P} {x} is no longer {v}." if ended and value else "{P} {x} has ended." if ended else "{P} {x} is {v}."
        )
    text = sentence.replace("{S}", who).replace("{P}", whose).replace("{x}", noun).replace("{v}", value)
    return re.sub(r"\s+([.,])", r"\1", " ".join(text.split()))


def subject_words(subject: str) -> tuple[str, str]:
    """Return how a subject is called in a sentence, and its possessive."""
    who = "User" if not subject else subject if subject[:1].isupper() else f"User's {subject}"
    return who, f"{who}'" if who.endswith("s") and not who.endswith("ss") else f"{who}'s"
