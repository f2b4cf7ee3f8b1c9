"""An answer as a page shows it: its words with links to what they cite, and the evidence in the order of the marks.

Rules: everything is escaped; a mark `[n]` becomes a link where evidence n is listed. It does not know where an answer
comes from.
"""

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from gateway.explorer.api import Json

_MARK = re.compile(r"\[(\d{1,3})\]")


def linked(text: str, citations: Sequence[Json]) -> list[Markup]:
    """Return the answer's paragraphs, each mark a link to its evidence."""
    known = {citation["marker"] for citation in citations}

    def paragraph(line: str) -> Markup:
        parts, end = [], 0
        for match in _MARK.finditer(line):
            parts.append(escape(line[end : match.start()]))
            parts.append(_link(match) if match.group() in known else escape(match.group()))
            end = match.end()
        return Markup("").join([*parts, escape(line[end:])])

    return [paragraph(line) for line in text.splitlines() if line.strip()]


def _link(match: re.Match[str]) -> Markup:
    number = match.group(1)
    return Markup('<a class="mark" href="#evidence-{0}" aria-label="evidence {0}">{0}</a>').format(number)


def evidence(answer: Json) -> list[Json]:
    """Return what was found, in the order of the marks, the other sides of conflicts behind it.

    Each has its number, the memory's fields that are shown, and whether the answer cites it.
    """
    cited = {citation["marker"] for citation in answer["citations"]}
    shown = []
    for number, hit in enumerate(answer["hits"], 1):
        fields = {
            name: hit["memory"][name] for name in ("id", "content", "kind", "sourceRef", "observedAt", "recordedAt")
        }
        shown.append({**fields, "number": number, "score": hit["score"], "cited": f"[{number}]" in cited})
    for citation in answer["citations"]:
        number = int(citation["marker"].strip("[]"))
        if number > len(shown):
            fields = {name: citation[name] for name in ("content", "kind", "sourceRef")}
            more = {"id": citation["memoryId"], "observedAt": None, "recordedAt": None, "score": None, "cited": True}
            shown.append({**fields, **more, "number": number})
    return shown
