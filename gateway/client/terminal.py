"""What all commands share: the connection, how results are printed, and what becomes of a problem.

Rules: results go to standard output, problems to standard error. Exit codes: 0 done; 1 `audit --check` found something;
2 used wrongly; 3 the key is missing, wrong or lacks a scope; 4 not found; 5 not reachable or not able for now; 6
refused, or a job failed; 7 a defect of the server. It does not know the commands.
Source: docs/cli.md.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypeAlias, TypeVar

import stamina.instrumentation
import typer
from rich.console import Console

from . import problems, tables
from .calls import Call
from .connection import Connection
from .synchronous import Candor

T = TypeVar("T")
FOUND, USAGE, DENIED, NOT_FOUND, UNAVAILABLE, REFUSED, FAULT = range(1, 8)
PIPE_COLUMNS = 140  # where no terminal says how wide it is; chosen so that an id and its neighbours fit

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the server's JSON.")]

_CODES: tuple[tuple[type[problems.Problem], int], ...] = (
    (problems.Unauthenticated, DENIED),
    (problems.PermissionDenied, DENIED),
    (problems.NotFound, NOT_FOUND),
    (problems.Unavailable, UNAVAILABLE),
    (problems.RateLimited, UNAVAILABLE),
    (problems.ServerFault, FAULT),
)


def console(*, error: bool = False) -> Console:
    """Return a console for results, or for problems."""
    made = Console(stderr=error, highlight=False, soft_wrap=not error)
    return made if made.is_terminal else Console(stderr=error, highlight=False, width=PIPE_COLUMNS)


@contextmanager
def connected(context: typer.Context) -> Iterator[Candor]:
    """Connect, and end with the exit code of a problem. Raises: typer.Exit, typer.BadParameter."""
    chosen: Connection = context.obj
    stamina.instrumentation.set_on_retry_hooks([])  # or each repeated request is a line in the results
    try:
        with Candor(chosen.url, chosen.key) as candor:
            yield candor
    except problems.Problem as problem:
        _tell(problem)
        raise typer.Exit(next((code for kind, code in _CODES if isinstance(problem, kind)), REFUSED)) from problem
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def show(context: typer.Context, call: Call[T], as_json: bool, table: Callable[[Console, T], None]) -> None:
    """Send a call and print what it gives."""
    with connected(context) as candor:
        if as_json:
            typer.echo(candor.text(call))
        else:
            table(console(), candor.send(call))


def show_each(context: typer.Context, call: Call[T], as_json: bool, table: Callable[[Console, Any], None]) -> None:
    """Send a call for all its pages; as JSON, the answer of one page is a line."""
    with connected(context) as candor:
        if not as_json:
            table(console(), list(candor.each(call)))
            return
        for text in candor.pages(call):
            typer.echo(text)


def _tell(problem: problems.Problem) -> None:
    out = console(error=True)
    tables.line(out, f"{problem.reason}: {problem.detail}" if problem.reason else problem.detail, "red")
    for violation in problem.violations:
        tables.line(out, f"  {violation.field}: {violation.description}")
    if problem.retry_after_seconds is not None:
        tables.line(out, f"  try again in {problem.retry_after_seconds:.0f} s")
    if problem.request_id:
        tables.line(out, f"  request {problem.request_id}", "dim")
