"""How often the guard passes honest answers and refuses lies, by half, language and kind.

    python -m tests.bench.guard [--split build|report] [--errors] [--write]

Rules: `build` is the half the guard may be mended by, `report` the half only figures are taken of, so `--errors` is
refused there. An answer is refused when the guard finds anything in it, whatever the code. Intervals are Wilson's at
95 %. Every look at the reporting half that is written is kept in `docs/benchmarks/guard.json`, in order.
It does not know the narrator.
Source: fixtures/README.md, section guard.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shared.domain.guard import Contested, ContestedSide, check
from shared.domain.support import Source
from tests.bench.meaning import wilson

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures" / "guard"
RESULTS = ROOT / "docs" / "benchmarks" / "guard.json"


@dataclass(frozen=True, slots=True)
class Narration:
    """A labelled answer over its memories."""

    scene: str
    language: str
    kind: str
    honest: bool
    text: str
    memories: tuple[Source, ...]
    contested: tuple[Contested, ...]

    def refusals(self) -> list[str]:
        """Return what the guard finds, as code and detail."""
        return [str(failure) for failure in check(self.text, self.memories, self.contested).failures]


def narrations(half: str) -> Iterator[Narration]:
    """Read the labelled answers of a half."""
    for scene in json.loads((FIXTURES / f"{half}.json").read_text(encoding="utf-8")):
        memories = tuple(
            Source(
                memory["content"],
                metadata=tuple((name, value) for name, value in memory.get("metadata", ())),
                dates=tuple(memory.get("dates", ())),
                source_ref=memory.get("sourceRef"),
            )
            for memory in scene["memories"]
        )
        contested = tuple(
            Contested(
                tuple(ContestedSide(side["value"], tuple(side["memories"]), side["day"]) for side in contest["sides"]),
                attribute=contest["attribute"],
                record=contest["record"],
                recommended=contest["recommended"],
                rule=contest["rule"],
            )
            for contest in scene.get("contested", ())
        )
        for honest, answers in ((True, scene["honest"]), (False, scene["lies"])):
            for answer in answers:
                yield Narration(
                    scene["id"], scene["language"], answer["kind"], honest, answer["text"], memories, contested
                )


def right(half: str) -> dict[str, list[bool]]:
    """Say of each answer whether the guard judged it as labelled, by group."""
    groups: dict[str, list[bool]] = defaultdict(list)
    for narration in narrations(half):
        passed = not narration.refusals()
        side = "honest passed" if narration.honest else "lies refused"
        for group in (side, f"{side}, {narration.language}", f"{side}: {narration.kind}"):
            groups[group].append(passed == narration.honest)
    return groups


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--split", choices=("build", "report"), default="build")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.errors and options.split == "report":
        sys.exit("the reporting half is for figures only")
    groups = right(options.split)
    figures: dict[str, Any] = {}
    for group in sorted(groups, key=lambda name: (":" in name, "," in name, name)):
        hits, of = sum(groups[group]), len(groups[group])
        low, high = wilson(hits, of)
        figures[group] = {"hits": hits, "of": of, "wilson95": [round(low, 3), round(high, 3)]}
        print(f"{group:32s} {hits:3d}/{of:<3d} {100 * hits / of:5.1f} % [{100 * low:.0f}, {100 * high:.0f}]")
    if options.errors:
        for narration in narrations(options.split):
            if (found := narration.refusals()) and narration.honest:
                print(f"refused  {narration.scene}: {narration.text}\n         {found}")
            elif not narration.honest and not found:
                print(f"passed   {narration.scene} ({narration.kind}): {narration.text}")
    if options.write:
        kept: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        if options.split == "report":  # every look at it counts
            kept.setdefault("report_runs", []).append(figures)
        else:
            kept["build"] = figures
        RESULTS.write_text(json.dumps(kept, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
