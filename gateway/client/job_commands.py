"""`candor jobs`: what goes on in the background, and waiting for it.

Rules: waiting shows how far a job is and, where its size is known, how long it will take. It does not know
what a job does.
Source: chosen.
"""

import threading
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from . import calls, tables
from .reports import Job
from .synchronous import Candor
from .terminal import REFUSED, AsJson, connected, console, show, show_each

POLL_SECONDS = 0.5  # between two looks at a job; chosen, untested
ENDED = frozenset({"done", "failed"})


def jobs(
    context: typer.Context,
    job_id: Annotated[str, typer.Argument(help="One job; without it, all are listed.")] = "",
    status: Annotated[str, typer.Option(help="Only queued, running, done or failed.")] = "",
    wait: Annotated[bool, typer.Option("--wait", help="Wait until the job has ended.")] = False,
    as_json: AsJson = False,
) -> None:
    """List background jobs, or follow one."""
    if wait and not job_id:
        raise typer.BadParameter("name the job to wait for", param_hint="--wait")
    if not job_id:
        show_each(context, calls.jobs(status, ""), as_json, tables.jobs)
        return
    failed = False
    if wait:
        with connected(context) as candor:
            failed = _wait(candor, job_id).status == "failed"
    show(context, calls.job(job_id), as_json, lambda out, job: tables.jobs(out, [job]))
    if failed:
        raise typer.Exit(REFUSED)


def _wait(candor: Candor, job_id: str) -> Job:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(error=True), transient=True) as progress:
        task = progress.add_task("waiting", total=None)
        pause = threading.Event()
        while (job := candor.job(job_id)).status not in ENDED:
            progress.update(task, description=job.kind, total=job.total, completed=job.progress)
            pause.wait(POLL_SECONDS)
    return job
