"""Parts `exactness` and `limits`: what the indexes cost in recall, and what filters cost in time (B4).

Rules: recall at 20 is of what the product answers, arm by arm over HTTP, against exact scores of every memory in scope.
A hybrid answer counts places in sessions too, which the oracle does not know; so of it the candidates are compared,
before those, in the order of both scores. Filters that leave FIFTY memories each, wide ones, and scopes about as large
as EXACT_LIMIT: through the indexes and scored whole, so that the limit can be chosen. One client, questions whose
vectors are cached.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias
from unittest.mock import patch
from uuid import UUID

import numpy as np
import orjson
from numpy.typing import NDArray

from shared.store.reads import recall
from tests.bench.speed.direct import directly
from tests.bench.speed.exact import Exact, K
from tests.bench.speed.figures import percentile
from tests.bench.speed.homes import Home
from tests.bench.speed.labels import FIFTY, PLANTED, Labels
from tests.bench.speed.load import Http
from tests.bench.speed.recalls import CACHED_QUESTIONS
from tests.bench.speed.texts import Texts

UNFILTERED = "none"
Filters: TypeAlias = Mapping[str, Mapping[str, object]]
FILTERS: Filters = {
    "kind, every 2nd": {"kind": "turn"},
    "speaker, every 20th": {"speaker": "Aldo"},
    "tag, every 60th": {"tags": ["topic-3"]},
    "company, every 200th": {"company": "Company 7"},
    **{f"{name}, {FIFTY}": given for name, given in PLANTED.items()},
}
TIMED_ROUNDS = 2  # after one that warms up


async def measure(home: Home, tenant: str, texts: Texts, filters: Filters, questions: int) -> dict[str, Any]:
    """Compare a tenant's recalls with exact ones, whole and filtered."""
    async with directly(home, tenant) as direct:
        exact = await Exact.of(direct, tenant, texts.asked[: min(questions, CACHED_QUESTIONS)])
        http = Http(home.address, await home.api_key(tenant))
        try:
            told = [await _filtered(exact, http, name, given) for name, given in {UNFILTERED: {}, **filters}.items()]
        finally:
            http.close()
    unfiltered = told[0]["p95_ms"]
    for row in told:
        row["p95_over_unfiltered"] = round(row["p95_ms"] / unfiltered, 2)
    return {"memories": len(exact.oracle.ids), "questions": len(exact.asked), "filters": told}


async def limits(home: Home, tenant: str, texts: Texts, rows: int, questions: int) -> list[dict[str, Any]]:
    """Ask scopes of some sizes through the indexes and whole."""
    async with directly(home, tenant) as direct:
        exact = await Exact.of(direct, tenant, texts.asked[: min(questions, CACHED_QUESTIONS)])
        return [await _scope(exact, rows, period) for period, _ in Labels(rows, "").scopes()]


async def _filtered(exact: Exact, http: Http, name: str, given: Mapping[str, object]) -> dict[str, Any]:
    """Measure recall and time under one filter."""
    inside = await exact.inside(given)
    times: list[float] = []
    for again in range(1 + TIMED_ROUNDS):
        for question in exact.asked:
            began = time.perf_counter()
            await http.post("/v1/recall", {"query": question.text, **given})
            if again:
                times.append((time.perf_counter() - began) * 1000)
    shares: dict[str, list[float]] = {"dense": [], "lexical": [], "hybrid": []}
    scope = exact.scope(given)
    for number, question in enumerate(exact.asked):
        for mode, scores in (("dense", exact.cosines[number]), ("lexical", exact.bm25[number])):
            body = {"query": question.text, "limit": K, "mode": mode, "ungrouped": True, **given}
            shares[mode].append(exact.share(_ids(await http.post("/v1/recall", body)), scores, inside))
        found = await exact.candidates(number, scope)
        shares["hybrid"].append(exact.fused_share(found.memories, number, inside))
    return {
        "filter": name,
        "memories": int(inside.sum()),
        **{f"{mode}_recall_at_20": _mean(of) for mode, of in shares.items()},
        **{f"p{p}_ms": round(percentile(times, p), 2) for p in (50, 95)},
    }


async def _scope(exact: Exact, rows: int, period: str) -> dict[str, Any]:
    """Ask one scope through the indexes and whole."""
    inside = await exact.inside({"period": period})
    whole, _ = await _asked(exact, period, inside, recall.NO_LIMIT)
    indexed, gave_up = await _asked(exact, period, inside, 0)
    figures = {f"whole_{name}": value for name, value in whole.items()}
    figures |= {f"indexed_{name}": value for name, value in indexed.items()}
    return {"scope": f"{int(inside.sum()):,} of {rows:,}", **figures, "indexed_gave_up": gave_up}


async def _asked(exact: Exact, period: str, inside: NDArray[np.bool_], limit: int) -> tuple[dict[str, float], float]:
    """Ask a scope with another EXACT_LIMIT; also how often it was scored whole."""
    scope, numbers = exact.scope({"period": period}), range(len(exact.asked))
    times, found = [], []
    with patch.object(recall, "EXACT_LIMIT", limit):
        for number in (*numbers, *numbers):  # the first time is a warm-up
            began = time.perf_counter()
            found.append(await exact.candidates(number, scope))
            times.append((time.perf_counter() - began) * 1000)
    times, found = times[len(numbers) :], found[len(numbers) :]
    shares = [exact.fused_share(found[n].memories, n, inside) for n in numbers]
    cpu_ms = [one.cpu_ms for one in found]
    told = {"recall": _mean(shares), "cpu_ms": _mean(cpu_ms), "p95_ms": round(percentile(times, 95), 2)}
    return told, _mean([float(one.is_exact) for one in found])


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4)


def _ids(answer: bytes) -> list[UUID]:
    return [UUID(hit["memory"]["id"]) for hit in orjson.loads(answer)["hits"]]
