"""`candor audit`: where memory disagrees with itself, by its fields or by meaning.

Rules: nothing is written. An audit of fields looks at everything, or with `--since` at what was written after an
earlier one; one of meaning judges at most 25 pairs, the nearest first, and `--resume` goes on. It does not know what a
contradiction is.
Source: docs/audit.md; docs/meaning.md.
"""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar, cast

import typer
from rich.console import Console

from . import calls, sending, tables
from .options import AuditOptions, MeaningOptions
from .reports import AuditReport, MeaningReport
from .synchronous import Candor
from .terminal import FOUND, AsJson, connected, console

R = TypeVar("R", AuditReport, MeaningReport)


def audit(
    context: typer.Context,
    company: Annotated[str, typer.Option(help="Only of this company.")] = "",
    period: Annotated[str, typer.Option(help="Only of this period, or without one.")] = "",
    kind: Annotated[str, typer.Option(help="Only of this kind.")] = "",
    since: Annotated[str, typer.Option(help="Only what was written since the audit that gave this word.")] = "",
    semantic: Annotated[bool, typer.Option("--semantic", help="By meaning: what is opposed in words.")] = False,
    max_pairs: Annotated[int | None, typer.Option(min=1, max=25, help="By meaning: pairs to judge.")] = None,
    resume: Annotated[str, typer.Option(help="By meaning: go on behind the audit that gave this word.")] = "",
    check: Annotated[bool, typer.Option("--check", help="Exit with 1 where the audit is not ok.")] = False,
    as_json: AsJson = False,
) -> None:
    """Audit the whole memory; nothing is written."""
    if semantic and since:
        raise typer.BadParameter("is for audits of fields; --semantic goes on with --resume", param_hint="--since")
    if not semantic and (max_pairs is not None or resume):
        raise typer.BadParameter("needs --semantic", param_hint="--resume" if resume else "--max-pairs")
    given: dict[str, Any] = {"company": company, "period": period, "kind": kind}
    if semantic:
        given |= {"max_pairs": max_pairs, "resume_token": resume}
    else:
        given |= {"since": since}
    options = {name: value for name, value in given.items() if value}
    with connected(context) as candor:
        if semantic:
            ok = _shown(candor, calls.audit_meaning(cast(MeaningOptions, options)), as_json, tables.meaning)
        else:
            ok = _shown(candor, calls.audit(cast(AuditOptions, options)), as_json, tables.audit)
    if check and not ok:
        raise typer.Exit(FOUND)


def _shown(candor: Candor, call: calls.Call[R], as_json: bool, table: Callable[[Console, R], None]) -> bool:
    """Send a call, print its report, and say whether all is well."""
    text = candor.text(call)
    report = sending.result(call, text)
    if as_json:
        typer.echo(text)
    else:
        table(console(), report)
    return report.ok
