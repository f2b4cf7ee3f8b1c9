"""`candor keys`: list, create, rotate, revoke.

Rules: a key's text is printed where it is made and nowhere else, alone on standard output, so that it can be kept in a
file; what is said about it goes to standard error. It does not know how keys are checked.
Source: docs/api.md, "Credentials".
"""

from typing import Annotated

import typer

from . import calls, sending, tables
from .terminal import AsJson, connected, console, show_each

app = typer.Typer(no_args_is_help=True, help="The keys of your memory.")

KeyId = Annotated[str, typer.Argument(help="The key's id, as the list has it.")]


@app.command("list")
def list_keys(context: typer.Context, as_json: AsJson = False) -> None:
    """List keys: what they may do and how they are used."""
    show_each(context, calls.keys(), as_json, tables.keys)


@app.command()
def create(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Who will use it.")],
    scopes: Annotated[list[str], typer.Option("--scope", help="read, write, audit or admin; may be repeated.")],
    as_json: AsJson = False,
) -> None:
    """Make a key and print it, this once."""
    with connected(context) as candor:
        call = calls.create_key(name, scopes, None, candor.new_request_id())
        text = candor.text(call)
        made = sending.result(call, text)
    _once(text if as_json else made.key, f"key {made.key_id} of {name}: it is shown this once")


@app.command()
def rotate(
    context: typer.Context,
    key_id: KeyId,
    grace_seconds: Annotated[int | None, typer.Option(help="How long the old one works on.")] = None,
    as_json: AsJson = False,
) -> None:
    """Replace a key and print the new one, this once."""
    with connected(context) as candor:
        call = calls.rotate_key(key_id, grace_seconds, candor.new_request_id())
        text = candor.text(call)
        made = sending.result(call, text)
    _once(text if as_json else made.key, f"key {made.key_id} takes the place of {key_id}: it is shown this once")


@app.command()
def revoke(
    context: typer.Context,
    key_id: KeyId,
    force: Annotated[bool, typer.Option("--force", help="Even the last one that makes others.")] = False,
) -> None:
    """End a key."""
    with connected(context) as candor:
        candor.revoke_key(key_id, force=force)
    tables.line(console(error=True), f"key {key_id} is revoked")


def _once(text: str, note: str) -> None:
    typer.echo(text)
    tables.line(console(error=True), note)
