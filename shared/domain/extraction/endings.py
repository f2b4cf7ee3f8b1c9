"""A clause that says that something is no longer so, turned into the one that said that it was.

Rules: "I no longer drink chai", "I stopped drinking chai", "I do not drink chai any more" become "I drink chai". A bare
"I do not drink chai" ends nothing. It does not know slots. Source: English verbs and adverbs of ending.
"""

import re

_BASES = {"being": "am", "having": "have", "living": "live", "using": "use", "writing": "write", "driving": "drive"}
_BASES |= {"taking": "take", "coding": "code", "moving": "move", "riding": "ride", "making": "make", "smoking": "smoke"}
_BASES |= {"running": "run", "getting": "get", "cycling": "cycle", "practicing": "practice", "practising": "practise"}
_END = r"(?:any ?more|any longer|at all now)"
_FORMS = (
    (re.compile(r"^(?P<a>.*?\b)no longer (?P<b>.+)$", re.IGNORECASE), r"\g<a>\g<b>"),
    (
        re.compile(rf"^(?P<a>.*?\b)(?:do|does|can|could|will|would) not (?P<b>.+?) {_END}\b(?P<c>.*)$", re.IGNORECASE),
        r"\g<a>\g<b>\g<c>",
    ),
    (re.compile(rf"^(?P<a>.*?\b(?:am|is|are)) not (?P<b>.+?) {_END}\b(?P<c>.*)$", re.IGNORECASE), r"\g<a> \g<b>\g<c>"),
    (
        re.compile(r"^(?P<a>.*?\b(?:am|is|are)) not (?P<b>a \w+|an \w+) (?:now|since)\b(?P<c>.*)$", re.IGNORECASE),
        r"\g<a> \g<b>\g<c>",
    ),
)
_STOPPED = re.compile(
    r"^(?P<a>.*?\b)(?:(?:have |has |had )?(?:stopped|quit|ceased|gave up|given up|finished|retired from|done with"
    r"|left off)|(?:am|is|are) (?:done|through|finished)(?: with)?) "
    r"(?P<verb>\w+ing)\b(?P<c>.*)$",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"^(?:i|we) (?:have )?(?:gave up|given up|quit|dropped|ditched|stopped|sold|left|am done with|are done with"
    r"|have had enough of|kicked|cut out|got rid of|abandoned"
    r"|resigned from|lost|cancelled|ended|parted with|scrapped|handed in my notice at|said goodbye to|am off"
    r"|forgot|have forgotten"
    r"|retired)\b",
    re.IGNORECASE,
)


def undone(clause: str) -> str | None:
    """Return the clause that held before one that ends it, or None where it ends nothing."""
    for pattern, held in _FORMS:
        if pattern.match(clause):
            return " ".join(pattern.sub(held, clause).split())
    stopped = _STOPPED.match(clause)
    if stopped:
        return " ".join(f"{stopped['a']}{_base(stopped['verb'].lower())}{stopped['c']}".split())
    return None


def lets_go(clause: str) -> bool:
    """Tell whether a clause is of the user's giving up, selling or leaving something."""
    return _GONE.match(clause) is not None


def _base(verb: str) -> str:
    if verb in _BASES:
        return _BASES[verb]
    stem = verb.removesuffix("ing")
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls" else stem
