"""`candor chat`: a talk in the terminal; what is typed is said, and the reply is printed as it comes.

Rules: with a message one thing is said, else line by line until the input ends. `--as-of` is the instant that is taken
for now, where the server allows it (CANDOR_CLOCK=request). The last event of a stream counts: a reply that differs from
what was printed is printed whole. As JSON, each message gives one line. It does not know how a reply comes about.
Source: REQUIREMENTS D8.
"""

import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

import typer
from rich.console import Console

from . import calls, sending, tables
from .instants import instant
from .options import ChatOptions
from .results import Heard, Reply, Text
from .synchronous import Candor
from .terminal import AsJson, connected, console


def chat(
    context: typer.Context,
    message: Annotated[str, typer.Argument(help="What to say; without it, lines are read.")] = "",
    as_of: Annotated[str, typer.Option(help="The instant that is taken for now (simulated time).")] = "",
    session: Annotated[str, typer.Option(help="The talk to go on with.")] = "",
    as_json: AsJson = False,
) -> None:
    """Talk with an assistant that remembers."""
    now = instant(as_of, "--as-of") if as_of else None
    with connected(context) as candor:
        for said in [message] if message else _typed():
            session = (_as_json if as_json else _say)(candor, said, session, now)


def _as_json(candor: Candor, said: str, session: str, now: datetime | None) -> str:
    call = calls.chat(said, _options(session), now, candor.new_request_id())
    text = candor.text(call)
    typer.echo(text)
    return sending.result(call, text).heard.session


def _say(candor: Candor, said: str, session: str, now: datetime | None) -> str:
    """Say something, print the reply, and return the name of the talk."""
    out, printed = console(), ""
    for event in candor.chat_stream(said, now=now, **_options(session)):
        match event:
            case Heard():
                session = event.session
            case Text():
                printed += event.text
                tables.passage(out, event.text)
            case Reply():
                _tell(out, event, printed)
    return session


def _options(session: str) -> ChatOptions:
    return {"session": session} if session else {}


def _tell(out: Console, reply: Reply, printed: str) -> None:
    if reply.text.strip() != printed.strip():
        tables.passage(out, ("\n" if printed else "") + reply.text)
    out.print()
    if reply.degraded:
        tables.line(out, f"({reply.degradation_code}: {reply.degraded})", "yellow")
    for citation in reply.citations:
        tables.line(out, f"  {citation.marker} {tables.plain(citation.content, tables.CONTENT_CHARS)}", "dim")


def _typed() -> Iterator[str]:
    while True:
        if sys.stdin.isatty():
            console().print("> ", end="", style="bold")
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()
