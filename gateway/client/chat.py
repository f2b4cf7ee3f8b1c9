"""A talk in the terminal: what is typed is said, and the reply is printed as it comes.

    python -m gateway.client.chat [--as-of 2026-05-01T09:00:00Z] [--session NAME] [MESSAGE]

Rules: everything goes over HTTP, with a key, as for any other client. With a message one thing is said, else line by
line until the input ends. `--as-of` is the instant that is taken for now, where the server allows it
(CANDOR_CLOCK=request). The last event of a stream counts: a reply that differs from what was printed is printed whole.
It does not know how a reply comes about.
Source: REQUIREMENTS D8.
"""

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import httpx2
import typer
from rich.console import Console

TIMEOUT_SECONDS = 120.0  # of a reply; chosen, untested
CONTENT_CHARS = 100  # of a cited memory that is shown

_app = typer.Typer(add_completion=False)
_console = Console(highlight=False, soft_wrap=True)


@_app.command()
def chat(
    message: Annotated[str, typer.Argument(help="What to say; without it, lines are read.")] = "",
    as_of: Annotated[str, typer.Option(help="The instant that is taken for now (simulated time).")] = "",
    session: Annotated[str, typer.Option(help="The talk to go on with.")] = "",
    url: Annotated[str, typer.Option(help="Where the gateway listens.")] = "http://127.0.0.1:7100",
    key_file: Annotated[Path, typer.Option(help="A file with the key.")] = Path(".candor/key"),
) -> None:
    """Talk with an assistant that remembers."""
    if not key_file.is_file():
        raise typer.BadParameter(f"{key_file} is not there: make up, or --key-file", param_hint="--key-file")
    headers = {"Authorization": f"Bearer {key_file.read_text().strip()}", "Accept": "text/event-stream"}
    if as_of:
        headers["X-Now-Time"] = instant(as_of).isoformat()
    with httpx2.Client(base_url=url, headers=headers, timeout=TIMEOUT_SECONDS) as client:
        for said in [message] if message else _typed():
            session = say(client, _console, said, session)


def say(client: httpx2.Client, console: Console, message: str, session: str) -> str:
    """Say something, print the reply, and return the name of the talk. Raises: typer.Exit for a refused request."""
    printed, body = "", {"message": message, "session": session or None}
    with client.stream("POST", "/v1/chat:stream", json=body) as answer:
        if answer.status_code != 200:
            answer.read()
            _refused(console, answer.json())
        for item in _events(answer):
            if "heard" in item:
                session = item["heard"]["session"]
            elif "text" in item:
                printed += item["text"]
                console.print(item["text"], end="", markup=False)
            else:
                _tell(console, item["reply"], printed)
    return session


def instant(text: str) -> datetime:
    """Return the instant of a day or a time; without a zone it is UTC. Raises: typer.BadParameter."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text} is no instant, as 2026-05-01T09:00:00Z is", param_hint="--as-of") from error
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _tell(console: Console, reply: dict[str, Any], printed: str) -> None:
    if reply["text"].strip() != printed.strip():
        console.print(("\n" if printed else "") + reply["text"], end="", markup=False)
    console.print()
    if reply["degraded"]:
        console.print(f"({reply['degradationCode']}: {reply['degraded']})", style="yellow", markup=False)
    for citation in reply["citations"]:
        content = " ".join(citation["content"].split())
        cut = content if len(content) <= CONTENT_CHARS else content[:CONTENT_CHARS] + "…"
        console.print(f"  {citation['marker']} {cut}", style="dim", markup=False)


def _events(answer: httpx2.Response) -> Iterator[dict[str, Any]]:
    for line in answer.iter_lines():
        if line.startswith("data: "):
            event = json.loads(line.removeprefix("data: "))
            if "problem" in event:
                _refused(_console, event["problem"])
            yield event["result"]


def _refused(console: Console, problem: dict[str, Any]) -> None:
    console.print(f"{problem['reason']}: {problem['detail']}", style="red", markup=False)
    raise typer.Exit(1)


def _typed() -> Iterator[str]:
    while True:
        if sys.stdin.isatty():
            _console.print("> ", end="", style="bold")
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


if __name__ == "__main__":
    _app()
