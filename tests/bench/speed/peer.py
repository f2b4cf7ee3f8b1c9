"""One peer in its own process and virtual environment: loads what lies in a folder, then searches.

Rules: this runs without Candor's packages. Loading may use a peer's low-level calls; a search is its public one, by
some threads. The embedder is a table of the vectors that Candor's own embedder gave, so a search costs no embedding. It
tells when it has loaded, runs one round for each line it is given (a number of clients and of searches), and answers
each with a line of JSON.
"""

import json
import sys
import threading
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import numpy as np


class Peer(Protocol):
    """What a peer's adapter does."""

    def load(self, texts: Sequence[str], vectors: Any) -> None:
        """Store memories; their numbers are their places."""

    def search(self, question: str, k: int) -> list[int]:
        """Return the numbers of the best memories."""


class Vectors:
    """The embedder of a peer: known texts only."""

    def __init__(self, folder: Path) -> None:
        questions = json.loads((folder / "questions.json").read_text())
        self.known = dict(zip(questions, np.load(folder / "questions.npy").tolist(), strict=True))

    def of(self, text: str) -> list[float]:
        """Return the vector of a question."""
        found: list[float] = self.known[text]
        return found


def serve(made: Callable[[str, Vectors], Peer]) -> None:
    """Load, then run the rounds that are asked for. Arguments: the folder, the database's address."""
    folder, dsn = Path(sys.argv[1]), sys.argv[2]
    embedder = Vectors(folder)
    peer = made(dsn, embedder)
    began = time.perf_counter()
    peer.load(json.loads((folder / "texts.json").read_text()), np.load(folder / "texts.npy"))
    _say({"loaded_seconds": round(time.perf_counter() - began, 1)})
    for line in sys.stdin:
        asked = json.loads(line)
        _say(_round(peer, list(embedder.known), asked["clients"], asked["searches"], asked["k"]))


def _round(peer: Peer, questions: Sequence[str], clients: int, searches: int, k: int) -> dict[str, Any]:
    times: list[float] = []
    found: dict[int, list[int]] = {}
    numbers, lock = count(), threading.Lock()

    def client() -> None:
        while True:
            with lock:
                number = next(numbers)
            if number >= searches:
                return
            began = time.perf_counter()
            hits = peer.search(questions[number % len(questions)], k)
            times.append((time.perf_counter() - began) * 1000)
            found[number % len(questions)] = hits

    threads = [threading.Thread(target=client) for _ in range(clients)]
    cpu, began = time.process_time(), time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    spent = (time.process_time() - cpu) * 1000 / searches
    return {"seconds": seconds, "times": times, "cpu_ms": spent, "found": [found[n] for n in sorted(found)]}


def _say(told: object) -> None:
    print(json.dumps(told), flush=True)
