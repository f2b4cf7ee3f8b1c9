"""Instants as they are typed.

Rules: a day or a time in ISO 8601; without a zone it is UTC. It does not know what they are for.
Source: chosen.
"""

from datetime import UTC, datetime

import typer


def instant(text: str, flag: str) -> datetime:
    """Return the instant of a day or a time. Raises: typer.BadParameter."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text} is no instant, as 2026-05-01T09:00:00Z is", param_hint=flag) from error
    return read if read.tzinfo else read.replace(tzinfo=UTC)
