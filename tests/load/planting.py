"""What the load test knows is stored: invoices whose sums and conflicts follow from their numbers.

Rules: invoice n of company `Load <n mod 10>` is of n * 10 euros; every tenth was remembered again nine days later with
7 euros more. candor.js asks by the same arithmetic.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import httpx2

CONTESTED_EVERY = 10
BATCH = 500  # memories a call; the contract allows 1,000


def invoices(count: int) -> Iterator[dict[str, Any]]:
    """Yield the memories of a number of invoices."""
    for n in range(1, count + 1):
        yield _invoice(n, n * 10, "2026-04-01T09:00:00Z", "post")
        if n % CONTESTED_EVERY == 0:
            yield _invoice(n, n * 10 + 7, "2026-04-10T09:00:00Z", "mail")


def _invoice(n: int, euros: int, observed_at: str, way: str) -> dict[str, Any]:
    return {
        "kind": "document",
        "content": f"Invoice INV-{n} from Halden Paper came by {way}: EUR {euros} is due.",
        "company": f"Load {n % CONTESTED_EVERY}",
        "record": f"INV-{n}",
        "sourceRef": f"{way}/{n}.pdf",
        "metadata": {"amount": euros, "currency": "EUR"},
        "observedAt": observed_at,
    }


def plant(client: httpx2.Client, count: int) -> int:
    """Store the invoices and return how many memories they are; again it changes nothing."""
    planted = 0
    waiting = invoices(count)
    while batch := list(islice(waiting, BATCH)):
        key = {"Idempotency-Key": f"load-{count}-{planted}"}
        client.post("/v1/memories:batch", json={"memories": batch}, headers=key).raise_for_status()
        planted += len(batch)
    return planted
