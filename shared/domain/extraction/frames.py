"""What a frame is: a clause of one shape that tells a value of one slot; and how a frame is written down.

Rules: a frame is a regular expression over a plain clause, from its beginning, with marks in braces for what clauses
share: {S} whoever it is about, {P} whose, {be} and {have} in any person, {v} the value, {o} the value before, {x} what
the slot is about, {n} a person, {d} a day. An adverbial of place, time or reason may stand in front. Upper and lower
case are one to a frame; values and persons are checked by spans.py and people.py.
It does not know which frames there are (frames_*.py).
"""

import re
from dataclasses import dataclass

from shared.domain.extraction.kinds import Kind
from shared.domain.extraction.moments import MARK
from shared.domain.extraction.people import KIN, STAFF
from shared.domain.extraction.spans import Sort

_SOMEBODY = (
    rf"(?:i|we|(?:my|our) (?:[\w-]+ ){{0,3}}?(?:{KIN}|{STAFF})(?:,? [\w'-]+,?)?|(?!(?:i|we|my|our|the|it|he"
    rf"|she|they|this|that|there|and|but|so|no|not)\b)(?:dr\.? |mrs?\.? |ms\.? )?[\w'-]+(?: at work| (?!(?:have"
    rf"|has|had|is"
    rf"|am|are|was|were|will|do|does|did|not|can)\b)[\w'-]+)?)"
)
_WHOSE = rf"(?:my|our|(?:my|our) (?:[\w-]+ ){{0,3}}?(?:{KIN}|{STAFF})'s?|[\w-]+'s?|the)"
_FRONT = (
    r"(?:(?:at|for|in|on|after|as|as of|since|from|with|by|until|to|besides|apart|beside|next to|over|when it "
    r"comes to)\b [^,]{1,40}?,? )?"
)
_MARKS = {
    "{S}": rf"(?P<s>{_SOMEBODY})",
    "{P}": rf"(?P<p>{_WHOSE})",
    "{be}": r"(?:am|is|are)",
    "{have}": r"(?:have|has|own|owns|have got|has got)",
    "{v}": r"(?P<v>.+)",
    "{vv}": r"(?P<v>.+?)",
    "{o}": r"(?P<o>.+?)",
    "{x}": r"(?P<x>[\w'&/ -]+?)",
    "{n}": r"(?P<n>(?:(?:dr|mrs?|ms)\.? )?[\w'-]+(?: [A-Z][\w'-]+)?)",
    "{d}": rf"(?P<d>{MARK})",
    "{kin}": KIN,
    "{staff}": STAFF,
}


@dataclass(frozen=True, slots=True)
class Frame:
    """A clause of one shape. `slot` may hold {x}; `says` takes the place of the slot's own sentence. `needs` must be
    found in the written-out sentence, `never` must not; `any_mood`: plans and conditions count as told.
    """

    slot: str
    pattern: re.Pattern[str]
    sort: Sort | Kind
    says: str = ""
    needs: re.Pattern[str] | None = None
    never: re.Pattern[str] | None = None
    any_mood: bool = False
    ends: bool = False


def frame(
    slot: str,
    sort: Sort | Kind,
    *shapes: str,
    says: str = "",
    needs: str = "",
    never: str = "",
    any_mood: bool = False,
    ends: bool = False,
) -> Frame:
    """Write a frame down: shapes that tell the same."""
    return Frame(
        slot,
        re.compile(
            _FRONT + "(?:" + "|".join(f"(?:{_numbered(shape, n)})" for n, shape in enumerate(shapes)) + ")", re.I
        ),
        sort,
        says,
        re.compile(needs, re.I) if needs else None,
        re.compile(never, re.I) if never else None,
        any_mood,
        ends,
    )


def groups(match: re.Match[str]) -> dict[str, str]:
    """Return the marks of the shape that matched, by their letters."""
    return {name[0]: text for name, text in match.groupdict().items() if text is not None}


def _numbered(shape: str, number: int) -> str:
    """Return the expression of a shape; group names are numbered, since each may stand once in an expression."""
    for mark, expression in _MARKS.items():
        shape = shape.replace(mark, expression)
    return re.sub(r"\(\?P<(\w)>", rf"(?P<\g<1>{number}>", shape)
