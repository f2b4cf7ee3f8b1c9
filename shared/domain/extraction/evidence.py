"""What the words of a sentence show together: a topic's words, one value of the right sort, and whose it is.

Rules: for wordings that no frame foresees. A sentence that is told as a fact and speaks of the user or somebody near,
with the words of a topic and exactly one value of its sort that still holds, gives the topic's slot that value; one
that is left behind is the former one. Words of events and of other people rule a topic out (evidence_topics.py).
It does not know grammar beyond that: frames go first. Source: own word lists.
"""

import re
from collections.abc import Iterator, Sequence

from shared.domain.extraction.evidence_things import RELATIVE, health, status, team, things, tongues
from shared.domain.extraction.evidence_topics import TOPICS
from shared.domain.extraction.found import Finding, Sentence
from shared.domain.extraction.kinds import PATTERNS, Kind
from shared.domain.extraction.sightings import one, persons

_NEAR = re.compile(
    r"\b(?:i|me|my|mine|we|us|our|work is|at work|on the job|the office|the usual|remember|business card|as "
    r"(?:ever|always|usual|before|you know)|here|for the record)\b",
    re.IGNORECASE,
)


def evident(sentence: Sentence) -> Iterator[Finding]:
    """Yield what the words of a told sentence show."""
    relative = RELATIVE.search(sentence.plain)
    own = sentence.kept or _NEAR.search(sentence.written) is not None
    for topic in TOPICS:
        if (relative and not topic.whose) or not (own or relative):
            continue
        if topic.slot == "slot.role" and (persons(sentence) or PATTERNS[Kind.EDITOR].search(sentence.plain)):
            continue
        values = topic.values(sentence)
        around = _without(sentence.written, values)
        if not values or not topic.cue.search(around) or (topic.never and topic.never.search(around)):
            continue
        subject = relative.group(1).lower() if relative else ""
        yield from one(topic.slot, values, subject=subject, may_end=topic.may_end, says=topic.says)
    yield from things(sentence)
    if own:
        yield from tongues(sentence)
        yield from team(sentence)
    yield from health(sentence)
    if not relative:
        yield from status(sentence)


def _without(text: str, values: Sequence[tuple[str, bool]]) -> str:
    """Return a text without its values, whose words speak of no topic: "Second Shift" is no work."""
    for value, _ in values:
        text = text.replace(value, "%")
    return text
