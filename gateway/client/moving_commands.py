"""`candor import` and `candor export`: a memory as a file of lines.

Rules: what takes long shows how far it is and how long it will take, on standard error. An import has an id, told
before it begins; the same file under the same id goes on behind what is there. An export is written beside its place
and takes it only when its last line has come; nobody else may read it. It does not know what a line says.
Source: docs/moving.md; docs/api.md, "Uploads".
"""

import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

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

from . import import_files, sending, tables, uploading
from .calls import Call
from .import_files import Source
from .moving import LineError
from .synchronous import Candor
from .terminal import REFUSED, AsJson, connected, console

OWNER_ONLY = 0o600


ImportId = Annotated[str, typer.Option("--id", help="The import to go on with.")]


def import_file(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="Memories, or an archive.")],
    import_id: ImportId = "",
    bulk: Annotated[bool, typer.Option("--bulk", help="Faster; a job moves the vectors into the index.")] = False,
    source: Annotated[Source | None, typer.Option("--from", help="Another system's export.")] = None,
    zone: Annotated[str, typer.Option(help="Where times without an offset are, e.g. Europe/Berlin.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only look through an archive.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remember what a file holds: memories, one a line; another system's export; an archive of `candor export`."""
    whole = source is None and import_files.is_archive(file)
    if dry_run and not whole:
        raise typer.BadParameter("only an archive can be looked through", param_hint="--dry-run")
    if zone and source is None:
        raise typer.BadParameter("goes with --from", param_hint="--zone")
    if whole:
        if bulk:
            raise typer.BadParameter("an archive says itself what goes where", param_hint="--bulk")
        _fill(context, file, import_id, dry_run, as_json)
        return
    if source is None:
        _remember(context, file, import_id, bulk, as_json)
        return
    with tempfile.TemporaryDirectory(prefix="candor-import-") as folder:
        lines = Path(folder) / "lines.ndjson"
        wrong = import_files.convert(file, source, _zone(zone), lines)
        for item in wrong:
            tables.line(console(error=True), f"item {item.number}: {item.description} ({item.reason})", "red")
        _remember(context, lines, import_id, bulk, as_json)
    if wrong:
        raise typer.Exit(REFUSED)


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError) as error:
        raise typer.BadParameter(f"{name} is no time zone that is known here", param_hint="--zone") from error


def _sent(candor: Candor, call: Call[Any], file: Path, import_id: str) -> str:
    """Send a file with a bar and the time that is left; return the answer."""
    if "dryRun" not in call.query:
        tables.line(console(error=True), f"import {import_id}: with --id it goes on, should it break off", "dim")
    columns = (TextColumn("sent"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(error=True), transient=True) as progress:
        task = progress.add_task("", total=file.stat().st_size)
        return candor.upload(call.path, file, call.query, import_id, lambda sent: progress.update(task, completed=sent))


def _tell(wrong: Sequence[LineError]) -> None:
    for line in wrong:
        tables.line(console(error=True), f"line {line.line}: {line.field}: {line.description} ({line.reason})", "red")


def _remember(context: typer.Context, file: Path, import_id: str, bulk: bool, as_json: bool) -> None:
    call = uploading.memories(bulk)
    with connected(context) as candor:
        text = _sent(candor, call, file, import_id or candor.new_request_id())
        done = sending.result(call, text)
    counts = f"{done.written} remembered, {done.existing} known already, {done.failed} wrong"
    if as_json:
        typer.echo(text)
    else:
        tables.line(console(), f"{done.lines} lines: {counts}")
    _tell(done.errors)
    if done.failed:
        raise typer.Exit(REFUSED)


def _fill(context: typer.Context, file: Path, import_id: str, dry_run: bool, as_json: bool) -> None:
    call = uploading.archive(dry_run)
    with connected(context) as candor:
        text = _sent(candor, call, file, import_id or candor.new_request_id())
        done = sending.result(call, text)
    found = f"{done.memories} memories" + (" would come, nothing was written" if dry_run else "")
    end = "" if done.complete or done.failed else "; the archive is cut off before its end"
    if as_json:
        typer.echo(text)
    else:
        tables.line(console(), f"{done.lines} lines: {found}, {done.failed} wrong{end}")
    _tell(done.errors)
    if done.failed or not done.complete:
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
