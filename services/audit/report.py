"""An audit in one message: at most 1,000 findings (500 of the public tenant), the decisive before what only informs.

Rules: contradictions, absences and stale dependencies displace supersessions and duplicates; among equals the first in
the stream stay. When anything is left out, `truncated` is true and `ok` is false. Contradictions, supersessions and
stale dependencies are listed by subject, then attribute; absences and duplicates by subject. It does not know how
findings are made.
Source: DESIGN 5; order as in the reference product's field audit.
"""

from collections.abc import Iterable
from typing import TypeVar

from candor.audit.v1.fields_pb2 import AuditFieldsResponse, AuditSummary, GetAuditReportResponse
from candor.memory.v1.finding_pb2 import Absence, Contradiction, Duplicate, StaleDependency, Supersession

MAX_FINDINGS = 1000
PUBLIC_MAX_FINDINGS = 500  # the contract's
PUBLIC_SECONDS = 5.0  # the contract's
MAX_BYTES = 8 * 1024 * 1024
"""Of the findings of one report: well under the size of a message. A finding may list 50 values of 100 memories."""


class Report:
    """Collects lines of an audit."""

    def __init__(self, max_findings: int = MAX_FINDINGS) -> None:
        self._max_findings = max_findings
        self._decisive: list[AuditFieldsResponse] = []
        self._informing: list[AuditFieldsResponse] = []
        self._decisive_bytes = 0
        self._truncated = False

    def take(self, line: AuditFieldsResponse) -> bool:
        """Take a line; return whether another can still change the report."""
        if line.WhichOneof("item") in ("contradiction", "absence", "stale"):
            self._decisive_bytes += line.ByteSize()
            if len(self._decisive) == self._max_findings or self._decisive_bytes > MAX_BYTES:
                self._truncated = True
                return False
            self._decisive.append(line)
        elif len(self._informing) < self._max_findings:
            self._informing.append(line)
        else:
            self._truncated = True
        return True

    def stop(self) -> None:
        """Take no more: there was no time to read all."""
        self._truncated = True

    def message(self, summary: AuditSummary) -> GetAuditReportResponse:
        """Return the report; `summary` says how much was looked at."""
        size_bytes = self._decisive_bytes
        lines = list(self._decisive)
        for line in self._informing:
            size_bytes += line.ByteSize()
            if len(lines) == self._max_findings or size_bytes > MAX_BYTES:
                self._truncated = True
                break
            lines.append(line)
        report = GetAuditReportResponse(
            audited=summary.audited,
            subjects=summary.subjects,
            contradictions=_by_attribute(line.contradiction for line in lines if line.HasField("contradiction")),
            superseded=_by_attribute(line.superseded for line in lines if line.HasField("superseded")),
            duplicates=_by_subject(line.duplicate for line in lines if line.HasField("duplicate")),
            absences=_by_subject(line.absence for line in lines if line.HasField("absence")),
            stale=_by_attribute(line.stale for line in lines if line.HasField("stale")),
            truncated=self._truncated,
            policy_version=summary.policy_version,
            settings_version=summary.settings_version,
            next_since=summary.next_since,
            delta=summary.delta,
        )
        if summary.HasField("known_at"):
            report.known_at.CopyFrom(summary.known_at)
        report.ok = not (report.contradictions or report.absences or report.stale or report.truncated)
        return report


_Attributed = TypeVar("_Attributed", Contradiction, Supersession, StaleDependency)
_Subjected = TypeVar("_Subjected", Absence, Duplicate)


def _by_attribute(found: Iterable[_Attributed]) -> list[_Attributed]:
    return sorted(found, key=lambda one: (one.subject, one.attribute, one.finding_id))


def _by_subject(found: Iterable[_Subjected]) -> list[_Subjected]:
    return sorted(found, key=lambda one: (one.subject, one.finding_id))
