"""`candor import` and `candor export`: a memory as a file of lines.

Rules: what takes long shows how far it is and how long it will take, on standard error. An import has an id, told
before it begins; the same file under the same id goes on behind what is there. An export is written beside its place
and takes it only when its last line has come; nobody else may read it. It does not know what a line says.
Source: docs/moving.md; docs/api.md, "Uploads".
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from . import sending, tables, uploading
from .synchronous import Candor
from .terminal import REFUSED, AsJson, connected, console

OWNER_ONLY = 0o600


def import_lines(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="Memories, one a line.")],
    import_id: Annotated[str, typer.Option("--id", help="The import to go on with.")] = "",
    bulk: Annotated[bool, typer.Option("--bulk", help="Faster; a job moves the vectors into the index.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remember what a file holds, one memory a line."""
    call = uploading.memories(bulk)
    with connected(context) as candor:
        named = import_id or candor.new_request_id()
        tables.line(console(error=True), f"import {named}: with --id it goes on, should it break off", "dim")
        columns = (TextColumn("sent"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console(error=True), transient=True) as progress:
            task = progress.add_task("", total=file.stat().st_size)
            text = candor.upload(call.path, file, call.query, named, lambda sent: progress.update(task, completed=sent))
        done = sending.result(call, text)
    if as_json:
        typer.echo(text)
    else:
        tables.line(
            console(),
            f"{done.lines} lines: {done.written} remembered, {done.existing} known already, {done.failed} wrong",
        )
    for wrong in done.errors:
        tables.line(
            console(error=True), f"line {wrong.line}: {wrong.field}: {wrong.description} ({wrong.reason})", "red"
        )
    if done.failed:
        raise typer.Exit(REFUSED)


def export(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(dir_okay=False, help="Where to; - is standard output.")],
    force: Annotated[bool, typer.Option("--force", help="Take the place of a file that is there.")] = False,
) -> None:
    """Write all there is into a file, from which an empty memory can be filled."""
    with connected(context) as candor:
        if str(file) == "-":
            for line in candor.archive():
                typer.echo(line.text)
            return
        if file.exists() and not force:
            raise typer.BadParameter(f"{file} is there already: --force, or another name", param_hint="FILE")
        count = _written(candor, file)
    tables.line(console(error=True), f"{count} lines in {file}")


def _written(candor: Candor, file: Path) -> int:
    """Write an export and return how many lines it has. Raises: typer.BadParameter, Problem."""
    beside, count = file.with_name(file.name + ".part"), 0
    columns = (TextColumn("lines"), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with suppress(FileNotFoundError):
            beside.unlink()
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        try:
            with (
                os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out,
                Progress(*columns, console=console(error=True), transient=True) as progress,
            ):
                task = progress.add_task("", total=None)
                for line in candor.archive():
                    out.write(line.text + "\n")
                    count += 1
                    progress.update(task, completed=count)
            beside.replace(file)
        finally:
            with suppress(FileNotFoundError):
                beside.unlink()
    except OSError as error:
        raise typer.BadParameter(f"{file} cannot be written: {error.strerror}", param_hint="FILE") from error
    return count
