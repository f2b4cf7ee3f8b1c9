"""How often an answer without a model cites what answers: the offline narrator over our labelled questions.

    python -m tests.bench.narrator [--misses] [--write]

Rules: everything goes through the product on an embedded PostgreSQL of its own, with the local embedder and judge; a
question counts when a memory labelled as its answer (grade 2), or one that says the same, is cited.
It does not know how the narrator chooses.
Source: fixtures/README.md, section recall.
"""

import argparse
import asyncio
import json
import logging
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import structlog
from candor.retrieve.v1 import answer_pb2 as pb

from services.judge.local_narrator import LocalNarrator
from services.judge.narration import Narration
from services.retrieve.answers import Answers
from services.retrieve.hints import Hints
from services.retrieve.narrating import Narrator
from services.retrieve.ranking import Ranker
from services.retrieve.reinforcement import Reinforcement
from services.retrieve.reranking import Reranker
from shared import clock
from shared.rpc import clients
from shared.stemmer import stemmer
from shared.store import embedded, migrate
from tests.bench.meaning import wilson
from tests.bench.recall import cases
from tests.bench.recall.product import Product, Remembered, product
from tests.services.running import role

PARTITIONS = 4
MINILM = ("all-MiniLM-L6-v2", 384)
LIMIT = 5  # hits, as AnswerQuestion brings by default
RESULTS = cases.ROOT / "docs" / "benchmarks" / "narrator.json"


async def ask(asked: Product, remembered: Remembered) -> list[dict[str, Any]]:
    """Ask every question; say of each what was cited and what would have answered."""
    rows = []
    async with role("judge", Narration(LocalNarrator(stemmer()))) as judge:
        ranker = Ranker(asked.pool, asked.questions, Hints())
        unused = Reinforcement(clients.reinforcement(judge))
        answers = Answers(
            asked.pool,
            Reranker(ranker, clients.reranker(judge), 1.0),
            Narrator(clients.narrator(judge)),
            unused,
            clock.now,
        )
        async with role("retrieve", answers) as retrieve:
            for question in remembered.corpus.questions:
                request = pb.AnswerQuestionRequest(
                    tenant_id=str(remembered.tenant_id),
                    question=question.text,
                    limit=LIMIT,
                    rerank=False,
                    reinforce=False,
                )
                response = await clients.answers(retrieve).AnswerQuestion(request)
                groups = remembered.corpus.groups
                names = [remembered.ids[citation.memory_id] for citation in response.citations]
                hits = [remembered.ids[hit.memory.id] for hit in response.hits]
                right = {groups.get(name, name) for name, grade in question.relevant.items() if grade == cases.ANSWERS}
                rows.append(
                    {
                        "id": question.id,
                        "genre": question.slices["genre"],
                        "language": question.slices["language"],
                        "hit": bool(right & {groups.get(name, name) for name in hits}),
                        "cited": bool(right & {groups.get(name, name) for name in names}),
                        "citations": len(names),
                        "degraded": bool(response.degradation_code),
                        "question": question.text,
                        "answer": response.answer,
                    }
                )
    return rows


async def measure(dsn: str) -> list[dict[str, Any]]:
    """Start the product on a database of its own, write the fixture, ask."""
    passwords = {name: f"{name}-of-the-benchmark" for name in migrate.ROLES}
    database = await migrate.migrate(
        dsn, partitions=PARTITIONS, passwords=passwords, generations=[MINILM], database="narrator"
    )
    async with product(database) as asked:
        (remembered,) = await asked.remember([cases.fixture()])
        return await ask(asked, remembered)


def report(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Print and return the shares by genre and language."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        for group in ("all", f"genre {row['genre']}", f"language {row['language']}"):
            groups[group].append(row)
    figures = {}
    print(f"{'':20s} {'questions':>9s} {'among hits':>10s} {'cited':>22s} {'citations':>9s} {'degraded':>8s}")
    for group, members in sorted(groups.items()):
        cited, of = sum(row["cited"] for row in members), len(members)
        low, high = wilson(cited, of)
        hit, degraded = sum(row["hit"] for row in members), sum(row["degraded"] for row in members)
        mean = sum(row["citations"] for row in members) / of
        share = f"{100 * cited / of:.1f} % [{100 * low:.0f}, {100 * high:.0f}]"
        print(f"{group:20s} {of:9d} {hit:10d} {cited:4d} {share:>17s} {mean:9.2f} {degraded:8d}")
        figures[group] = {
            "questions": of,
            "among hits": hit,
            "cited": cited,
            "wilson95": [round(low, 3), round(high, 3)],
            "citations": round(mean, 2),
            "degraded": degraded,
        }
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    home = Path(tempfile.mkdtemp(prefix="candor-narrator-"))
    try:
        rows = asyncio.run(measure(embedded.start(home).dsn()))
    finally:
        embedded.stop(home)
        embedded.remove(home)
    figures = report(rows)
    for row in rows if options.misses else ():
        if row["hit"] and not row["cited"]:
            print(f"{row['id']}: {row['question']}\n   {row['answer']}")
    if options.write:
        RESULTS.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
