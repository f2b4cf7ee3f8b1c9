"""The event loop of a process: uvloop where there is one, else asyncio's own.

It does not know what runs on it.
"""

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run to the end what a process does."""
    if sys.platform == "win32":
        asyncio.run(work)
    else:
        import uvloop  # not on every platform

        uvloop.run(work)
