"""How well recall finds what answers: `make bench-recall`.

    python -m tests.bench.recall [--quick] [--out docs/benchmarks/recall.json]

Rules: everything goes through the product on an embedded PostgreSQL of its own. Our fixture always; LoCoMo and archon
where the public data lie beside the project, else it is said that they are absent. `--quick`: the fixture only.
"""

import argparse
import asyncio
import json
import logging
import platform
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import structlog
from rich.console import Console

from shared.domain.ranking_weights import WEIGHTS
from shared.store import embedded, migrate
from tests.bench.recall import cases, conditions, picture, weighing
from tests.bench.recall.archon_rrf import published_order
from tests.bench.recall.metrics import NAMES, difference, measures
from tests.bench.recall.product import Condition, Given, Product, Remembered, product
from tests.bench.recall.report import Rows, as_json, difference_of, rows_of, show, show_slices
from tests.bench.recall.token_match import HALF_BYTES, Encoder, Matches

PARTITIONS = 4
MINILM, V4 = ("all-MiniLM-L6-v2", 384), ("text-embedding-v4", 1024)
ARMS = (conditions.SHUFFLED, conditions.LEXICAL, conditions.DENSE_WITH_NAMES, conditions.DENSE, conditions.HYBRID)
PLACES = (conditions.WITHOUT_SUBJECT, conditions.FULL)
OFFERED = "5 adversarial"

out = Console(highlight=False, width=200)


async def ask(asked: Product, condition: Condition, corpora: Sequence[Remembered]) -> Rows:
    """Ask every question of every corpus under one condition."""
    started = time.perf_counter()
    figures, slices = [], []
    for remembered in corpora:
        for question in remembered.corpus.questions:
            order = await asked.order(condition, remembered, question.text)
            figures.append(measures(order, question.relevant, remembered.corpus.groups))
            slices.append(question.slices)
    out.print(f"   {condition.name}: {len(figures):,} questions in {time.perf_counter() - started:.0f} s")
    return rows_of(condition.name, figures, slices)


async def no_memory(asked: Product, corpus: cases.Corpus) -> Rows:
    """Ask a tenant that remembers nothing."""
    (empty,) = await asked.remember([cases.Corpus("nothing", {}, corpus.questions[:3])])
    orders = [await asked.order(conditions.FULL, empty, question.text) for question in empty.corpus.questions]
    figures = [measures(order, q.relevant, {}) for order, q in zip(orders, empty.corpus.questions, strict=True)]
    return rows_of("no memory", figures, [q.slices for q in empty.corpus.questions])


async def fixture(asked: Product) -> dict[str, Any]:
    """Measure our own fixture."""
    corpus = cases.fixture()
    remembered = await asked.remember([corpus])
    rows = [await no_memory(asked, corpus)]
    rows += [await ask(asked, condition, remembered) for condition in (*ARMS, *PLACES, conditions.GROUPED)]
    show(out, f"Own fixture: {len(corpus.memories)} memories, {len(corpus.questions)} questions", rows)
    for name in ("genre", "language"):
        show_slices(out, f"Own fixture by {name}: R@5 / MRR", rows[1:], name, ("R@5", "MRR"))
    return as_json(rows)


async def locomo(asked: Product) -> dict[str, Any] | None:
    """Measure evidence retrieval on LoCoMo, one conversation a tenant."""
    conversations = cases.locomo()
    if not conversations:
        out.print("LoCoMo: the public data are absent")
        return None
    started = time.perf_counter()
    remembered = await asked.remember(conversations)
    out.print(f"   {sum(len(c.memories) for c in conversations):,} turns in {time.perf_counter() - started:.0f} s")
    rows = [await ask(asked, condition, remembered) for condition in (*ARMS, *PLACES)]
    plain = [_without(row, OFFERED) for row in rows]
    brought = [await weighing.bring(asked, one) for one in remembered]
    own, weights = weighing.held_out(remembered, brought)
    plain.append(Rows("the same, weights held out", own.figures, plain[0].slices))
    encoder = Encoder()
    matches = [Matches(encoder, one) for one in remembered]
    tokens = weighing.tokens_held_out(remembered, brought, weights, matches)
    plain.append(Rows("the same, tokens matched", tokens.figures, plain[0].slices))
    stored = float(np.mean([count for match in matches for count in match.tokens])) * MINILM[1] * HALF_BYTES
    gain = difference(tokens.figures, own.figures)
    show(out, f"LoCoMo, categories 1 to 4: {len(plain[0].figures):,} questions of 10 conversations", plain)
    show_slices(out, "LoCoMo by category: R@10 / MRR", rows, "category", ("R@10", "MRR"))
    cost = difference_of(rows[-1], rows[-2], "category", OFFERED, "MRR")
    out.print(
        f"Category 5, names against none: MRR {cost['difference']:+.3f} [{cost['low']:+.3f}, {cost['high']:+.3f}]"
    )
    for choice in sorted({*own.chosen, *tokens.chosen}):
        out.print(f"   chosen for {[*own.chosen, *tokens.chosen].count(choice)} of {len(own.chosen)}: {choice}")
    for name in ("R@10", "MRR"):
        found = gain[NAMES.index(name)]
        out.print(f"Tokens matched: {name} {found.value:+.4f} [{found.low:+.4f}, {found.high:+.4f}]")
    out.print(f"Tokens stored: {stored:,.0f} bytes a turn in half precision")
    return {
        "categories 1 to 4": as_json(plain),
        "with category 5": as_json(rows),
        "names against none, category 5, MRR": cost,
        "weights chosen on the other conversations": own.chosen,
        "tokens matched": {
            "weights chosen on the other conversations": tokens.chosen,
            "bytes a turn, half precision": round(stored),
            **{
                name: [round(part, 4) for part in (f.value, f.low, f.high)] for name, f in zip(NAMES, gain, strict=True)
            },
        },
    }


def _without(rows: Rows, category: str) -> Rows:
    kept = [found["category"] != category for found in rows.slices]
    return Rows(rows.condition, rows.figures[kept], [s for s, keep in zip(rows.slices, kept, strict=True) if keep])


async def archon(database: migrate.Dsns, corpus: cases.Corpus) -> dict[str, Any]:
    """Measure archon's set with the vectors that came with it."""
    async with product(database, Given(corpus.model, corpus.query_vectors)) as asked:
        remembered = await asked.remember([corpus])
        shown = (conditions.LEXICAL, conditions.DENSE, conditions.HYBRID, conditions.FULL, conditions.RERANKED)
        rows = [await ask(asked, condition, remembered) for condition in shown]
    orders = [published_order(corpus, question.text) for question in corpus.questions]
    figures = [measures(order, q.relevant, {}) for order, q in zip(orders, corpus.questions, strict=True)]
    rows.append(rows_of("published hybrid-rrf, by our function", figures, [q.slices for q in corpus.questions]))
    show(out, f"archon: {len(corpus.memories)} memories, {len(corpus.questions)} questions, text-embedding-v4", rows)
    return as_json(rows)


async def measure(server: embedded.Server, quick: bool) -> dict[str, Any]:
    """Run everything and return the report."""

    async def database(name: str, generation: tuple[str, int]) -> migrate.Dsns:
        passwords = {role: f"{role}-of-the-benchmark" for role in migrate.ROLES}
        return await migrate.migrate(
            server.dsn(), partitions=PARTITIONS, passwords=passwords, generations=[generation], database=name
        )

    report: dict[str, Any] = {
        "measured_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": {"machine": platform.machine(), "python": platform.python_version()},
        "figures": {"names": NAMES, "of": "mean, then the ends of its 95 % bootstrap interval"},
        "weights": {model: str(row) for model, row in WEIGHTS.items()},
    }
    async with product(await database("recall", MINILM)) as asked:
        report["fixture"] = await fixture(asked)
        if not quick:
            report["locomo"] = await locomo(asked)
    corpus = None if quick else cases.archon()
    if corpus is not None:
        report["archon"] = await archon(await database("recall_given", V4), corpus)
    elif not quick:
        out.print("archon: the public data are absent")
    return report


def main() -> None:
    """Read the arguments, start a database, measure, write the report."""
    parser = argparse.ArgumentParser(description="Measure recall.")
    parser.add_argument("--quick", action="store_true", help="our own fixture only")
    parser.add_argument("--out", type=Path, default=Path("docs/benchmarks/recall.json"))
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory(prefix="candor-recall-") as folder:
        home = Path(folder) / "pg"
        server = embedded.start(home, settings={"fsync": "off", "full_page_writes": "off"})
        try:
            report = asyncio.run(measure(server, given.quick))
        finally:
            embedded.stop(home)
            embedded.remove(home)
    if not given.quick:
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
        picture.draw(report, given.out.with_suffix(".png"))
        out.print(f"written to {given.out}")


if __name__ == "__main__":
    main()
