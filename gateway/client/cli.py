"""The command `candor`: all its subcommands; here remember, recall, ask and status, the others in files of their own.

Rules: every command sends calls of the SDK; `--json` prints the server's own JSON. Exit codes stand in `terminal`. It
does not know the wire.
Source: docs/cli.md.
"""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from . import auditing, calls, chat, deciding, job_commands, key_commands, mcp, moving_commands, starting, tables
from .connection import config_file, connection
from .instants import instant
from .options import AskOptions, MemoryFields, RecallOptions
from .reading import parse
from .results import WrittenMemory
from .terminal import AsJson, connected, console, show

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)
app.add_typer(key_commands.app, name="keys")
app.command("audit")(auditing.audit)
app.command("resolve")(deciding.resolve)
app.command("chat")(chat.chat)
app.command("mcp")(mcp.serve)
app.command("jobs")(job_commands.jobs)
app.command("import")(moving_commands.import_file)
app.command("export")(moving_commands.export)
app.command("up")(starting.up)
app.command("down")(starting.down)

Company = Annotated[str, typer.Option(help="Only of this company.")]
Limit = Annotated[int, typer.Option(help="How many at most.")]


@app.callback()
def main(
    context: typer.Context,
    url: Annotated[str, typer.Option(envvar="CANDOR_URL", help="Where the gateway listens.")] = "",
    key_file: Annotated[Path | None, typer.Option(help="A file with the key; else CANDOR_KEY.")] = None,
    key: Annotated[str, typer.Option(envvar="CANDOR_KEY", hidden=True)] = "",
) -> None:
    """Memory that audits itself. Settings: flag, else environment, else config.toml."""
    context.obj = connection(url, key, key_file, config_file())


@app.command()
def remember(
    context: typer.Context,
    content: Annotated[str, typer.Argument(help="What to remember.")],
    kind: Annotated[str, typer.Option(help="document, note, insight, invoice …")] = "note",
    company: Annotated[str, typer.Option(help="Whose record it is.")] = "",
    record: Annotated[str, typer.Option(help="The record it speaks of.")] = "",
    source: Annotated[str, typer.Option(help="Where it comes from.")] = "",
    values: Annotated[list[str] | None, typer.Option("--set", help="attribute=value, what audits compare.")] = None,
    observed: Annotated[str, typer.Option(help="When it was so: a day, or an instant.")] = "",
    as_json: AsJson = False,
) -> None:
    """Remember one thing."""
    given: dict[str, Any] = {"company": company, "record": record, "source_ref": source}
    fields = MemoryFields(**{name: value for name, value in given.items() if value})  # type: ignore[typeddict-item]
    if values:
        fields["metadata"] = dict(_pair(value) for value in values)
    if observed:
        fields["observed_at"] = instant(observed, "--observed")
    with connected(context) as candor:
        call = calls.remember(content, kind, fields, candor.new_request_id())
    show(context, call, as_json, _written)


@app.command()
def recall(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="What to look for.")],
    limit: Limit = 10,
    company: Company = "",
    as_json: AsJson = False,
) -> None:
    """Find memories, and where they disagree."""
    options: RecallOptions = {"limit": limit}
    if company:
        options["company"] = company
    show(context, calls.recall(query, options), as_json, tables.recall)


@app.command()
def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="What to answer.")],
    limit: Limit = 5,
    company: Company = "",
    as_json: AsJson = False,
) -> None:
    """Answer a question in sentences that cite memories."""
    options: AskOptions = {"limit": limit}
    if company:
        options["company"] = company
    with connected(context) as candor:
        call = calls.ask(question, options, candor.new_request_id())
    show(context, call, as_json, tables.answer)


@app.command()
def status(context: typer.Context, as_json: AsJson = False) -> None:
    """Say whether it is ready, and how much it remembers."""
    with connected(context) as candor:
        ready = parse(candor.text(calls.Call("GET", "/ready", object)))
        count = parse(candor.text(calls.Call("GET", "/v1/memories:count", object)))["count"]
    if as_json:
        typer.echo(json.dumps({**ready, "memories": count}))
        return
    tables.line(console(), f"{context.obj.url}: {ready['status']}, {count} memories")
    for name, state in ready.get("checks", {}).items():
        tables.line(console(), f"  {name}: {state}")


def _pair(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not name or not sign:
        raise typer.BadParameter(f"{text} is no attribute=value", param_hint="--set")
    try:
        read = parse(value)
    except ValueError:
        return name, value
    return name, value if isinstance(read, dict | list | float) else read  # NaN and the like are words


def _written(out: Any, written: WrittenMemory) -> None:
    tables.line(out, f"{'known already' if written.existing else 'remembered'}: memory {written.memory_id}")
