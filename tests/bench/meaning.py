"""How right the local meaning judge is: precision, recall and false alarms, by category and language, and what a pair
costs.

    python -m tests.bench.meaning [--set first|fresh|third] [--split build|report] [--noise] [--errors]

Rules: `build` is the half the rules were made on, `report` the half only figures are taken of, so `--errors` is
refused there; every state of the judge that looked at a reporting half is kept, once, with the hash of its source.
Positive means a reported contradiction; superseded counts as silent. Intervals are Wilson's at 95 %. The judge is given
text, period and time of observation, never the fixture's subject. `--noise` takes LoCoMo dialogue from the file
CANDOR_LOCOMO names: neighbouring turns and each turn's nearest ones, above the MiniLM gate of 0.50.
It does not know any rule.
Source: fixtures/README.md, "Pairs", "Fresh pairs" and "Third pairs"; REQUIREMENTS C6.
"""

import argparse
import asyncio
import hashlib
import json
import math
import os
import re
import sys
import tempfile
import time
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

for _name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(_name, None)  # before numpy is loaded

import numpy as np  # noqa: E402

from shared.domain.meaning.judge import JUDGE_VERSION, Judgement, MeaningVerdict, Stated, judge_pair  # noqa: E402
from shared.domain.meaning.reading import read  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures" / "audit"
RESULTS = ROOT / "docs" / "benchmarks" / "meaning.json"
SETS = ("first", "fresh", "third")
GATE_COSINE = 0.50  # MiniLM, REQUIREMENTS C5
Z = 1.96


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one group of pairs, by reported contradiction."""

    pairs: int
    true_positive: int
    false_positive: int
    false_negative: int
    true_negative: int
    three_way: int

    def line(self, name: str) -> str:
        precision = _share(self.true_positive, self.true_positive + self.false_positive)
        recall = _share(self.true_positive, self.true_positive + self.false_negative)
        rate = _share(self.false_positive, self.false_positive + self.true_negative)
        return f"{name:22s} {self.pairs:4d}  {precision:>20s}  {recall:>20s}  {rate:>20s}  {self.three_way:4d}"


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return Wilson's interval at 95 %."""
    if of == 0:
        return 0.0, 1.0
    share, square = hits / of, Z * Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = Z * math.sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def _share(hits: int, of: int) -> str:
    if of == 0:
        return "-"
    low, high = wilson(hits, of)
    return f"{100 * hits / of:5.1f} [{100 * low:.0f}, {100 * high:.0f}] {hits}/{of}"


def stated(pair: dict[str, Any], side: str) -> Stated:
    seen = pair.get(f"observed_{side}")
    return Stated(
        pair[side], period=pair.get(f"period_{side}"), observed_at=datetime.fromisoformat(seen) if seen else None
    )


def score(judged: Iterable[tuple[str, Judgement]]) -> Score:
    counts: dict[str, int] = defaultdict(int)
    for label, judgement in judged:
        found = judgement.verdict is MeaningVerdict.CONTRADICTION and judgement.reported
        true = label == "contradiction"
        counts[f"{'true' if found == true else 'false'}_{'positive' if found else 'negative'}"] += 1
        given = judgement.verdict.value if judgement.reported else "consistent"
        counts["three_way"] += given == label
        counts["pairs"] += 1
    return Score(**{name: counts[name] for name in Score.__dataclass_fields__})


def judge_all(pairs: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], Judgement]]:
    return [(pair, judge_pair(stated(pair, "a"), stated(pair, "b"))) for pair in pairs]


def cost_ms(pairs: Sequence[dict[str, Any]]) -> float:
    """Return the CPU time of one pair whose texts were not read before."""
    sides = [(stated(pair, "a"), stated(pair, "b")) for pair in pairs]
    read.cache_clear()
    begun = time.process_time()
    for a, b in sides:
        judge_pair(a, b)
    return (time.process_time() - begun) / len(sides) * 1e3


def table(name: str, judged: Sequence[tuple[dict[str, Any], Judgement]]) -> dict[str, Any]:
    print(f"\n{name}: {JUDGE_VERSION}; percent [95 % interval] counts; last column: right three-way verdicts")
    print(f"{'':22s} {'n':>4s}  {'precision':>20s}  {'recall':>20s}  {'false alarms':>20s}")
    groups: dict[str, list[tuple[str, Judgement]]] = defaultdict(list)
    for pair, judgement in judged:
        for group in ("all", pair["category"], f"language {pair['language']}"):
            groups[group].append((pair["label"], judgement))
    result = {}
    for group in sorted(groups, key=lambda g: (g != "all", g.startswith("language"), g)):
        figures = score(groups[group])
        result[group] = asdict(figures)
        print(figures.line(group))
    return result


def archon() -> list[dict[str, Any]] | None:
    """Return the 16 pairs of the reference's semantic set, from the file CANDOR_ARCHON names."""
    path = os.environ.get("CANDOR_ARCHON")
    if not path:
        return None
    data = json.loads(Path(path).read_text())
    gold = {frozenset(pair.split("|")) for pair in data["goldPairs"]}
    memories = data["memories"]
    pairs = []
    for a, b in zip(memories[::2], memories[1::2], strict=True):
        label = "contradiction" if frozenset((a["id"], b["id"])) in gold else "consistent"
        pair = {"id": a["id"], "category": "archon", "language": "en", "label": label}
        pairs.append(pair | {"a": a["content"], "b": b["content"], "period_a": a["period"], "period_b": b["period"]})
    return pairs


def dialogues(path: Path) -> list[list[tuple[str, str]]]:
    """Return the conversations as (speaker, text) turns."""
    found = []
    with zipfile.ZipFile(path) as archive:
        for name in sorted(n for n in archive.namelist() if n.endswith(".json") and "__MACOSX" not in n):
            data = json.loads(archive.read(name))
            talk = data.get("conversation", data)
            keys = [key for key in talk if re.fullmatch(r"session_\d+", key) and isinstance(talk[key], list)]
            keys.sort(key=lambda key: int(key.split("_")[1]))
            found.append(
                [(turn["speaker"], turn.get("clean_text") or turn["text"]) for key in keys for turn in talk[key]]
            )
    return found


async def _vectors(texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
    from services.embed.onnx_provider import OnnxProvider

    provider = OnnxProvider(1)
    try:
        rows = [
            np.asarray((await provider.embed(texts[i : i + 64])).vectors, dtype=np.float32)
            for i in range(0, len(texts), 64)
        ]
    finally:
        await provider.close()
    return np.concatenate(rows)


def noise(path: Path, *, show: bool) -> dict[str, Any]:
    cache = Path(tempfile.gettempdir()) / "candor_locomo_vectors.npz"
    talks = dialogues(path)
    texts = [f"{speaker}: {text}" for talk in talks for speaker, text in talk]
    if cache.exists():
        vectors = np.load(cache)["v"]
    else:
        vectors = asyncio.run(_vectors(texts))
        np.savez(cache, v=vectors)
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    result: dict[str, Any] = {}
    offset = 0
    pairs: dict[str, list[tuple[tuple[str, str], tuple[str, str]]]] = {"neighbouring turns": [], "nearest turns": []}
    for talk in talks:
        own = vectors[offset : offset + len(talk)]
        offset += len(talk)
        cosines = own @ own.T
        np.fill_diagonal(cosines, -1)
        pairs["neighbouring turns"] += [
            (talk[i], talk[i + 1]) for i in range(len(talk) - 1) if cosines[i, i + 1] > GATE_COSINE
        ]
        best = {
            tuple(sorted((i, int(j))))
            for i in range(len(talk))
            for j in np.argsort(-cosines[i])[:5]
            if cosines[i, j] > GATE_COSINE
        }
        pairs["nearest turns"] += [(talk[i], talk[j]) for i, j in sorted(best)]
    for name, found in pairs.items():
        for told in (True, False):
            begun = time.process_time()
            judged = [
                (x, y, judge_pair(Stated(x[1], x[0] if told else None), Stated(y[1], y[0] if told else None)))
                for x, y in found
            ]
            each = (time.process_time() - begun) / len(found) * 1e3
            flagged = [(x, y, j) for x, y, j in judged if j.reported]
            label = f"{name}, speaker {'known' if told else 'unknown'}"
            low, high = wilson(len(flagged), len(found))
            print(
                f"{label:44s} {len(flagged)}/{len(found)} flagged = {100 * len(flagged) / len(found):.2f} % "
                f"[{100 * low:.2f}, {100 * high:.2f}]  {each:.2f} ms"
            )
            result[label] = {"flagged": len(flagged), "pairs": len(found)}
            if show:
                for x, y, j in flagged[:60]:
                    print(f"   {j.rule} {j.confidence} {j.reason}\n      {x[0]}: {x[1]}\n      {y[0]}: {y[1]}")
    return result


def source_hash() -> str:
    """Return the hash of everything the judge's verdicts depend on: two runs with one hash are one look."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "shared" / "domain").rglob("*.py")):
        if ".".join(path.relative_to(ROOT).with_suffix("").parts) in sys.modules:
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _keep_look(kept: dict[str, Any], name: str, all_pairs: dict[str, Any]) -> None:
    looks = kept.setdefault(f"{name}_runs", [])
    look = {"judge": JUDGE_VERSION, "source": source_hash(), **all_pairs}
    if look not in looks:
        looks.append(look)


def _show_errors(judged: Sequence[tuple[dict[str, Any], Judgement]]) -> None:
    for pair, judgement in judged:
        given = judgement.verdict.value if judgement.reported else "consistent"
        if given != pair["label"]:
            print(
                f"  {pair['id']}: {pair['label']} -> {given} {judgement.rule} {judgement.confidence} "
                f"{judgement.reason}\n     {pair['a']}\n     {pair['b']}"
            )


def measure(of: str, split: str, kept: dict[str, Any], *, errors: bool) -> None:
    """Judge one half of one set, print its table and put it into what is kept."""
    name = split if of == "first" else f"{of}_{split}"
    pairs = json.loads((FIXTURES / f"meaning_{name}.json").read_text())
    sets = {name: pairs} | ({"archon": found} if (found := archon()) and name == "build" else {})
    for label, chosen in sets.items():
        judged = judge_all(chosen)
        kept[label] = table(label, judged)
        if split == "report":
            _keep_look(kept, name, kept[label]["all"])
        if errors:
            _show_errors(judged)
    kept["ms_per_pair"] = round(cost_ms(pairs), 3)
    print(f"\n{kept['ms_per_pair']} ms CPU a pair, texts not read before")


def main() -> None:
    """Read the arguments, measure, keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--set", choices=SETS, action="append", help="default: all; the third has no build half")
    parser.add_argument("--split", choices=("build", "report"), action="append", help="default: build")
    parser.add_argument("--noise", action="store_true")
    parser.add_argument("--errors", action="store_true")
    options = parser.parse_args()
    splits = options.split or ["build"]
    if options.errors and "report" in splits:
        sys.exit("the reporting half is for figures only")
    kept: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    kept["judge"] = JUDGE_VERSION
    if options.noise:
        source = os.environ.get("CANDOR_LOCOMO")
        if not source:
            sys.exit("set CANDOR_LOCOMO to locomo10.zip")
        kept["noise"] = noise(Path(source), show=options.errors)
    else:
        for of in options.set or SETS:
            for split in [split for split in splits if (of, split) != ("third", "build")]:
                measure(of, split, kept, errors=options.errors)
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
