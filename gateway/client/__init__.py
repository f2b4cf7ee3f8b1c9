"""Clients of the public HTTP interface: `Candor` and `AsyncCandor` for Python, `candor` for a terminal.

Rules: everything goes over HTTP with a key, as for any other client; nothing of the server is imported. `make setup`
makes it importable as `candor_client`, so modules here name each other relatively. It does not know what answers.
Source: DESIGN 3; docs/cli.md.
"""

from .asynchronous import AsyncCandor
from .problems import (
    Conflict,
    InvalidRequest,
    NotFound,
    PermissionDenied,
    Problem,
    QuotaExhausted,
    RateLimited,
    ServerFault,
    Unauthenticated,
    Unavailable,
    Unreachable,
)
from .synchronous import Candor

__all__ = [
    "AsyncCandor",
    "Candor",
    "Conflict",
    "InvalidRequest",
    "NotFound",
    "PermissionDenied",
    "Problem",
    "QuotaExhausted",
    "RateLimited",
    "ServerFault",
    "Unauthenticated",
    "Unavailable",
    "Unreachable",
]
