"""Who a clause is about: the user, somebody the user names, or what a person is to the user.

Rules: "I" and "we" are the user. "My older sister" is "older sister"; a name told with a relation or alone is the name.
A noun of a thing is nobody. It does not know what is said of them.
Source: English nouns of kinship and of work.
"""

import re

from shared.domain.stop_words import ENGLISH_STOP_WORDS

_KIN = """
mother mom mum mummy father dad daddy parent parents sister brother sibling son daughter child kid kids wife
husband spouse partner girlfriend boyfriend fiance fiancé fiancee fiancée ex cousin aunt uncle niece nephew
grandmother grandma granny grandfather grandpa grandson granddaughter grandchild stepmother stepfather stepson
stepdaughter stepsister stepbrother godson goddaughter godmother godfather twin mother-in-law father-in-law
sister-in-law brother-in-law friend friends colleague coworker co-worker neighbour neighbor roommate flatmate
housemate classmate teammate buddy mate family in-laws
""".split()
_STAFF = """
manager boss supervisor designer tester lead developer engineer mentor assistant director ceo cto analyst
architect accountant lawyer landlord landlady tutor teacher coach trainer therapist doctor dentist physio
physiotherapist optician hairdresser barber gp vet nurse midwife plumber electrician cleaner nanny babysitter
agent broker advisor adviser recruiter editor publisher supplier client customer owner chief head coordinator
intern trainee successor predecessor counterpart reviewer pm sponsor representative secretary buddy scrum-master
co-founder cofounder
""".split()
KIN = rf"(?:{'|'.join(sorted(map(re.escape, _KIN), key=len, reverse=True))})"
STAFF = rf"(?:{'|'.join(sorted(map(re.escape, _STAFF), key=len, reverse=True))})"
_ADJECTIVES = (
    r"(?:(?:older|elder|eldest|oldest|younger|youngest|big|little|twin|half|step|late|best|close|old|good|dear|new"
    r"|former|next-door"
    r"|upstairs|downstairs|line|tech|technical|team|project|product|qa|family|lead|senior|direct|current) )*"
)
RELATED = re.compile(rf"^(?:my|our) (?P<relation>{_ADJECTIVES}(?:{KIN}|{STAFF}))(?:,? (?P<name>[A-Z][\w'-]+))?,?$")
_KIN_ONLY = re.compile(rf"^(?:\w+ )*{KIN}$")
_ROLE_ONLY = re.compile(rf"^{_ADJECTIVES}{STAFF}$")
_NAMED = re.compile(
    r"^(?P<name>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)(?: (?:at work|from work|next door"
    r"|from the office))?$"
)
_PLAIN = re.compile(r"^(?:new|dear|current|late|good|old) ")


def subject_of(words: str) -> str | None:
    """Return the subject that words stand for: empty for the user, None where they are nobody."""
    words = words.strip()
    lowered = words[:1].lower() + words[1:]
    if lowered.lower() in ("i", "we", "me", "us"):
        return ""
    related = RELATED.match(lowered)
    if related:
        return related["name"] or _PLAIN.sub("", related["relation"])
    named = _NAMED.match(words)
    if named and named["name"].split()[0].lower() not in ENGLISH_STOP_WORDS | _NOBODY:
        return named["name"]
    return None


def is_kin(noun: str) -> bool:
    """Tell whether a noun phrase is a relative or friend."""
    return _KIN_ONLY.match(noun) is not None


def is_staff(noun: str) -> bool:
    """Tell whether a noun phrase is a person who has a role for the user."""
    return _ROLE_ONLY.match(noun) is not None


_NOBODY = frozenset(
    """
    everyone everybody someone somebody nobody people work home life things living day days monday tuesday
    wednesday thursday friday saturday sunday january february march april may june july august september
    october november december today tomorrow yesterday big new old good nice great sadly happy please thanks
    remember note honestly most half rent dinner lunch breakfast
    """.split()
)
