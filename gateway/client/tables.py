"""Results as a person reads them in a terminal.

Rules: what memory holds is data: signs that could steer a terminal are left out, and nothing in it is markup. No key is
printed here. It does not know where results come from.
Source: chosen.
"""

from collections.abc import Iterable
from datetime import datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .reports import AuditReport, Decision, Job, Key, MeaningReport, SemanticContradiction
from .results import Answer, Contradiction, Recall

CONTENT_CHARS = 100  # of a memory in a table; chosen, untested


def plain(value: object, most: int = 0) -> str:
    """Return a value on one line without control characters, cut after `most` characters."""
    text = " ".join("".join(c if c.isprintable() else " " for c in str("" if value is None else value)).split())
    return text if not most or len(text) <= most else text[: most - 1] + "…"


def recall(console: Console, found: Recall) -> None:
    """Print hits and the conflicts they take part in."""
    table = _table("score", "observed", "kind", "record", "content")
    for hit in found.hits:
        m = hit.memory
        table.add_row(
            *_cells(f"{hit.score:.2f}", _day(m.observed_at or m.recorded_at), m.kind, m.record),
            Text(plain(m.content, CONTENT_CHARS), overflow="fold"),
        )
    if found.hits:
        console.print(table)
    else:
        line(console, "Nothing was found.")
    conflicts(console, found.conflicts)


def answer(console: Console, told: Answer) -> None:
    """Print an answer and what it cites."""
    for sentence in told.answer.splitlines():
        line(console, sentence)
    for citation in told.citations:
        line(console, f"  {citation.marker} {citation.source_ref or citation.memory_id}", "dim")
    if told.degraded:
        line(console, f"({told.degradation_code}: {told.degraded})", "yellow")


def conflicts(console: Console, found: Iterable[Contradiction]) -> None:
    """Print where memory disagrees with itself; a star marks what the policy would trust."""
    for one in found:
        company = f" of {one.company}" if one.company else ""
        line(console, "")
        line(console, f"conflict {one.subject} {one.attribute}{company}", "bold yellow")
        advised = one.resolution
        for value in one.values:
            star = "*" if advised and value.memory_id == advised.recommended_memory_id else " "
            day = _day(value.observed_at or value.recorded_at)
            line(console, f"  {star} {plain(value.value)}  {day}  {value.source_ref or ''}  memory {value.memory_id}")
        if advised:
            line(console, f"  {advised.rule} ({advised.confidence:.2f}): {advised.rationale}")


def audit(console: Console, report: AuditReport) -> None:
    """Print an audit."""
    counts = {
        "memories": report.audited,
        "records": report.subjects,
        "contradictions": len(report.contradictions),
        "superseded": len(report.superseded),
        "duplicates": len(report.duplicates),
        "absences": len(report.absences),
        "stale": len(report.stale),
    }
    line(console, ", ".join(f"{name}: {count}" for name, count in counts.items()))
    line(console, "ok" if report.ok else "not ok", "green" if report.ok else "yellow")
    conflicts(console, report.contradictions)
    for absence in report.absences:
        line(console, f"absent {absence.subject}: named by {absence.referrer_count}, never captured")
    for stale in report.stale:
        line(console, f"stale memory {stale.memory_id}: rests on {stale.attribute} of {stale.depends_on}")
    if report.truncated:
        line(console, "There are more findings than a report holds.", "yellow")
    if report.next_since:
        line(console, f"what is written from now on: --since={report.next_since}", "dim")


def meaning(console: Console, report: MeaningReport) -> None:
    """Print an audit by meaning."""
    counts = {
        "memories": report.total_memories,
        "pairs": report.candidate_pairs,
        "judged": report.judged,
        "contradictions": len(report.semantic_contradictions),
        "superseded": len(report.superseded),
        "without a verdict": report.failed,
    }
    line(console, ", ".join(f"{name}: {count}" for name, count in counts.items()))
    line(console, f"{'ok' if report.ok else 'not ok'} ({report.status})", "green" if report.ok else "yellow")
    for one in report.semantic_contradictions:
        _pair(console, one, "opposed")
    for one in report.superseded:
        _pair(console, one, "superseded")
    for error in report.errors:
        line(console, f"no verdict on {' and '.join(error.memory_ids)}: {error.reason}")
    if report.resume_token:
        line(console, f"the next pairs: --resume={report.resume_token}", "dim")


def decision(console: Console, made: Decision) -> None:
    """Print what a decision changed."""
    line(console, f"{made.action}: {made.subject} {made.attribute} is settled by memory {made.selected_memory_id}")
    line(console, f"  ended for this attribute: {', '.join(made.superseded_memory_ids) or 'nothing'}")
    line(console, f"  decision {made.decision_id}")


def jobs(console: Console, listed: Iterable[Job]) -> None:
    """Print jobs."""
    table = _table("job", "kind", "status", "tried", "progress", "due", "last error")
    for job in listed:
        done = f"{job.progress}/{job.total}" if job.total else job.progress
        error = plain(job.last_error, CONTENT_CHARS)
        table.add_row(*_cells(job.id, job.kind, job.status, job.attempts, done, _minute(job.due_at), error))
    console.print(table)


def keys(console: Console, listed: Iterable[Key]) -> None:
    """Print keys; never their text."""
    table = _table("key id", "name", "scopes", "made", "ends", "last used", "30 days")
    for key in listed:
        ends = "revoked" if key.revoked_at else _day(key.expires_at)
        made, used = _day(key.created_at), _minute(key.last_used_at)
        table.add_row(*_cells(key.key_id, key.name, " ".join(key.scopes), made, ends, used, key.recent_requests))
    console.print(table)


def line(console: Console, text: str, style: str = "") -> None:
    """Print a line that may hold anything."""
    indent = " " * (len(text) - len(text.lstrip(" ")))
    console.print(Text(indent + plain(text), style=style), soft_wrap=True)


def passage(console: Console, text: str) -> None:
    """Print a part of a text as it comes, with its line ends and without other control characters."""
    shown = "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    console.print(Text(shown), end="", soft_wrap=True)


def _pair(console: Console, one: SemanticContradiction, word: str) -> None:
    advised = one.resolution
    line(console, "")
    line(console, f"{word}, similarity {one.similarity:.2f}", "bold yellow")
    for memory in one.memories:
        star = "*" if advised and memory.memory_id == advised.recommended_memory_id else " "
        day = _day(memory.observed_at or memory.recorded_at)
        line(console, f"  {star} {plain(memory.content, CONTENT_CHARS)}  {day}  memory {memory.memory_id}")
    if one.judge:
        line(console, f"  judge ({one.judge.confidence:.2f}): {one.judge.reason}")
    if advised:
        line(console, f"  {advised.rule} ({advised.confidence:.2f}): {advised.rationale}")


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _cells(*values: object) -> tuple[Text, ...]:
    return tuple(Text(plain(value), no_wrap=len(plain(value)) <= 36) for value in values)


def _day(instant: datetime | None) -> str:
    return instant.date().isoformat() if instant else ""


def _minute(instant: datetime | None) -> str:
    return f"{instant:%Y-%m-%d %H:%M}" if instant else ""
