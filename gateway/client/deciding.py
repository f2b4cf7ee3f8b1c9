"""`candor resolve`: settle a conflict by what the policy recommends, by a memory of one's own choice, or not yet.

Rules: with `--accept` the conflict is looked up, and what was seen is sent along, so that a decision never rests
on what has changed since. Of several conflicts about one attribute none is guessed. It does not know what a decision
does.
Source: docs/api.md, "Deciding".
"""

from typing import Annotated

import typer

from . import calls, tables
from .options import ResolveOptions
from .problems import NotFound
from .results import Contradiction
from .synchronous import Candor
from .terminal import AsJson, connected, show


def resolve(
    context: typer.Context,
    subject: Annotated[str, typer.Argument(help="The record, as the conflict names it.")],
    attribute: Annotated[str, typer.Argument(help="The attribute.")],
    reason: Annotated[str, typer.Option(help="Why.")],
    accept: Annotated[bool, typer.Option("--accept", help="Take what the policy recommends.")] = False,
    memory: Annotated[str, typer.Option(help="Take what this memory says.")] = "",
    company: Annotated[str, typer.Option(help="Of this company.")] = "",
    as_json: AsJson = False,
) -> None:
    """Settle a conflict: what the other sides say of this attribute ends, nothing else."""
    if accept == bool(memory):
        raise typer.BadParameter("say which side holds: --accept or --memory ID", param_hint="--accept")
    options: ResolveOptions = {"company": company} if company else {}
    with connected(context) as candor:
        if accept:
            found = _conflict(candor, subject, attribute, company)
            assert found.resolution is not None  # such are passed over
            memory = found.resolution.recommended_memory_id
            subject, attribute = found.subject, found.attribute  # as it is spelled there
            options["action"] = "accept"
            options["finding_id"] = found.finding_id
            others = [value for value in found.values if value.memory_id != memory]
            if found.value_count == len(found.values) and all(
                value.carrier_count == len(value.carrier_memory_ids) for value in others
            ):
                options["target_memory_ids"] = [one for value in others for one in value.carrier_memory_ids]
        call = calls.resolve(subject, attribute, memory, reason, options, candor.new_request_id())
    show(context, call, as_json, tables.decision)


def _conflict(candor: Candor, subject: str, attribute: str, company: str) -> Contradiction:
    report = candor.audit(company=company) if company else candor.audit()
    asked = (subject.casefold(), attribute.casefold())
    found = [one for one in report.contradictions if (one.subject.casefold(), one.attribute.casefold()) == asked]
    found = [one for one in found if one.resolution is not None]
    if not found:
        more = " among the first 1,000 findings" if report.truncated else ""
        raise NotFound(f"Memory does not disagree about {attribute} of {subject}{more}.", reason="CONFLICT_NOT_FOUND")
    if len(found) > 1:
        sides = "; ".join(f"{one.company or 'no company'} {one.counterparty or ''}".strip() for one in found)
        raise typer.BadParameter(f"{len(found)} conflicts are about it ({sides}): --company, or --memory ID")
    return found[0]
