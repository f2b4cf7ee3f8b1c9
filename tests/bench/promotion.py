"""The promotion of a judge of meaning: baseline and candidate over the frozen set, three runs each, and the evidence.

    python -m tests.bench.promotion CANDIDATE [--baseline MODEL] [--attempt ID]

Rules: one attempt has one id, spent as soon as it is begun, and is made on a clean tree: what ran is what is committed.
The frozen set is known by its hash. All pairs go to the same judge that the service mounts, a few at a time, in the
order of the protocol. Evidence is appended, never rewritten. Exit 1: not promoted, or refused.
Source: REQUIREMENTS C7; gates and order in shared/domain/promotion.py.
"""

import argparse
import asyncio
import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from services.judge import online
from services.judge.contradictions import Contradictions
from services.judge.contradictions_model import ModelJudge
from services.judge.contradictions_pair import Pair, Statement, Verdict
from services.judge.evidence import hashes
from shared import clock, config
from shared.domain.promotion import (
    BASELINE,
    DATA_SET,
    DATA_SET_SHA256,
    INJECTION,
    ORDER,
    PROTOCOL,
    SHARES,
    Frozen,
    Outcome,
    Said,
    attempt_ids,
    chained,
    judge_runs,
    read_evidence,
    why_not_promoted,
)
from shared.rpc.server import StartRefused

ROOT = Path(__file__).resolve().parents[2]
NOT_PROMOTED = 1
LETTERS = {
    Verdict.CONTRADICTION: Said.CONTRADICTION,
    Verdict.SUPERSEDED: Said.SUPERSEDED,
    Verdict.CONSISTENT: Said.CONSISTENT,
    Verdict.INCONCLUSIVE: Said.INCONCLUSIVE,
}


class Refused(Exception):
    """The attempt may not be made."""


class Repository(Protocol):
    """What is committed."""

    def commit(self) -> str:
        """Return the commit that is checked out."""
        ...

    def changes(self, but: Path) -> list[str]:
        """Return what is not as committed, apart from one file."""
        ...


class Git:
    """The repository this file is in."""

    def commit(self) -> str:
        return self._ask("rev-parse", "HEAD").strip()

    def changes(self, but: Path) -> list[str]:
        lines = self._ask("status", "--porcelain", "--untracked-files=all").splitlines()
        return [line for line in lines if (ROOT / line[3:]).resolve() != but.resolve()]

    def _ask(self, *words: str) -> str:
        git = ["git", "-c", f"safe.directory={ROOT}", *words]
        return subprocess.run(git, cwd=ROOT, check=True, capture_output=True, text=True).stdout


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is tried, on what, and where the evidence goes."""

    candidate: str
    baseline: str
    attempt_id: str
    settings: config.Settings
    evidence: Path
    data: Path = ROOT / DATA_SET
    data_sha256: str = DATA_SET_SHA256


def cases_of(attempt: Attempt) -> list[dict[str, Any]]:
    """Read the frozen set. Raises: Refused when it is not the frozen one."""
    raw = attempt.data.read_bytes()
    if hashlib.sha256(raw).hexdigest() != attempt.data_sha256:
        raise Refused(f"{attempt.data.name} is not the frozen set: its hash differs")
    cases: list[dict[str, Any]] = json.loads(raw)
    return cases


def pair_of(case: Mapping[str, Any]) -> Pair:
    """Return a case as the judge is given it: never with the subject that the fixture notes."""

    def side(name: str) -> Statement:
        observed = case.get(f"observed_{name}")
        at = datetime.fromisoformat(observed) if observed else None
        return Statement(case[name], period=case.get(f"period_{name}"), observed_at=at)

    return Pair(side("a"), side("b"))


async def promote(attempt: Attempt, repository: Repository) -> Outcome:
    """Make the attempt and append its evidence. Raises: Refused before anything is asked."""
    cases = cases_of(attempt)
    lines = read_evidence(attempt.evidence.read_text(encoding="utf-8")) if attempt.evidence.exists() else []
    if attempt.attempt_id in attempt_ids(lines):
        raise Refused(f"the attempt {attempt.attempt_id} was made before")
    if changed := repository.changes(attempt.evidence):
        raise Refused(f"the tree is not clean: {changed[0].strip()} and {len(changed) - 1} more")
    if attempt.candidate == attempt.baseline:
        raise Refused("the candidate is the baseline")
    reason = why_not_promoted(lines, attempt.baseline, hashes())
    if reason is not None:
        raise Refused(f"{attempt.baseline} cannot be the baseline: {reason or 'it was never promoted'}")
    if not attempt.settings.openai_api_key.get_secret_value():
        raise Refused("there is no model to ask: OPENAI_API_KEY is not set")
    about = {
        "attempt": attempt.attempt_id,
        "protocol": PROTOCOL,
        "candidate": attempt.candidate,
        "baseline": attempt.baseline,
        "commit": repository.commit(),
        "host": urlsplit(attempt.settings.openai_base_url).hostname,
        "hashes": asdict(hashes()) | {"data_set": attempt.data_sha256},
    }
    _append(attempt.evidence, {"kind": "begun", "at": clock.now().isoformat(), **about})
    runs: list[tuple[str, str]] = []
    causes: Counter[str] = Counter()
    for number, arm in enumerate(ORDER, 1):
        run = await _run(attempt.baseline if arm == BASELINE else attempt.candidate, cases, attempt.settings, causes)
        runs.append((arm, run))
        print(f"run {number} of {len(ORDER)}, {arm}: {_told(Counter(run))}", flush=True)
    frozen = Frozen(
        "".join(LETTERS[Verdict(case["label"])] for case in cases),
        tuple(case["category"] == INJECTION for case in cases),
    )
    outcome = judge_runs(frozen, runs)
    result = {
        "kind": "result",
        "at": clock.now().isoformat(),
        **about,
        "labels": frozen.labels,
        "injections": "".join("1" if tries else "0" for tries in frozen.injections),
        "runs": runs,
        "causes": dict(sorted(causes.items())),
        "scores": {name: [asdict(score) for score in arm.scores] for name, arm in outcome.arms.items()},
        "stable": {name: arm.stable for name, arm in outcome.arms.items()},
        "failures": outcome.failures,
        "promoted": outcome.promoted,
    }
    _append(attempt.evidence, result)
    return outcome


async def _run(model: str, cases: Sequence[Mapping[str, Any]], settings: config.Settings, causes: Counter[str]) -> str:
    chat = online.chat(settings, model)
    seconds, concurrent = settings.judge_timeout_seconds, settings.judge_concurrent_pairs
    judge = Contradictions(ModelJudge(chat), timeout_seconds=seconds, concurrent_pairs=concurrent)
    try:
        words = await judge.judge_all([pair_of(case) for case in cases], seconds)
    finally:
        await chat.close()
    causes.update(word.cause for word, _ in words if word.cause)
    return "".join(LETTERS[word.verdict] for word, _ in words)


def _append(path: Path, line: Mapping[str, object]) -> None:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    previous = text.splitlines()[-1] if text else ""
    with path.open("a", encoding="utf-8") as file:
        file.write(chained(line, previous) + "\n")


def _told(letters: Counter[str]) -> str:
    return ", ".join(f"{letters[each.value]} {each.name.lower()}" for each in Said)


def _report(outcome: Outcome) -> None:
    for name, arm in outcome.arms.items():
        for number, score in enumerate(arm.scores, 1):
            shares = "  ".join(f"{share} {100 * getattr(score, share):6.2f}" for share in SHARES)
            print(f"{name:9s} {number}  {shares}  inconclusive {score.inconclusive}")
        print(f"{name:9s} stable {100 * arm.stable:.2f}, orders followed {arm.injection_false_positives}")
    for failure in outcome.failures:
        print(f"not passed: {failure}")
    print("promoted" if outcome.promoted else "not promoted")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("candidate")
    parser.add_argument("--baseline", default="qwen-plus")
    parser.add_argument("--attempt", default="")
    given = parser.parse_args()
    git, settings = Git(), config.load()
    attempt_id = given.attempt or f"{given.candidate}-{git.commit()[:12]}"
    attempt = Attempt(given.candidate, given.baseline, attempt_id, settings, settings.judge_evidence)
    try:
        outcome = asyncio.run(promote(attempt, git))
    except (Refused, StartRefused, ValueError) as error:
        print(f"refused: {error}", file=sys.stderr)
        return NOT_PROMOTED
    _report(outcome)
    return 0 if outcome.promoted else NOT_PROMOTED


if __name__ == "__main__":
    sys.exit(main())
