"""What the recall benchmark stores and asks: our own fixture always, LoCoMo and archon where the public data lie.

Rules: labels are read, never made. A memory has a readable id; a question has the ids that answer it, with grades.
Memories that say one and the same thing (`group`) count once. LoCoMo gives a session's time only, so its turns follow
each other by half a minute; each conversation is a memory of its own. Nothing of an answer key reaches the product.
It does not know how memories are stored or ranked.
Source: fixtures/README.md; LoCoMo's questions with evidence that names no turn are left out (4 of category 3, and two
malformed ids), as elsewhere.
"""

import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from candor.ingest.v1.memories_pb2 import NewMemory
from candor.memory.v1.memory_pb2 import KIND_NOTE, KIND_TURN
from google.protobuf.json_format import ParseDict

ROOT = Path(__file__).resolve().parents[3]
FIXTURE = ROOT / "fixtures" / "recall"
DATA = ROOT.parent / "shared" / "data"
TURN_SECONDS = 30
ANSWERS = 2  # the grade of a memory that answers, or is a needed part of the answer
ADVERSARIAL = "5"  # LoCoMo: the question names the wrong one of the two speakers

_CATEGORIES = {"1": "multi-hop", "2": "temporal", "3": "open", "4": "single-hop", "5": "adversarial"}


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what answers it: readable ids with grades (2 answers, 1 helps)."""

    id: str
    text: str
    relevant: Mapping[str, int]
    slices: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One memory and the questions asked of it. `groups`: ids that say the same, by id."""

    name: str
    memories: Mapping[str, NewMemory]
    questions: Sequence[Question]
    groups: Mapping[str, str] = field(default_factory=dict)
    query_vectors: Mapping[str, Sequence[float]] = field(default_factory=dict)  # by text, where they are given
    rerank_scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # by text and readable id
    model: str = ""  # of the vectors given


def fixture() -> Corpus:
    """Return our own labelled fixture."""
    memories, groups = {}, {}
    for item in _read(FIXTURE / "memories.json"):
        given = dict(item["memory"])
        given["kind"] = f"KIND_{given['kind'].upper()}"
        if "metadata" in given:
            given["metadata"] = json.dumps(given["metadata"])
        memories[item["id"]] = ParseDict(given, NewMemory())
        if "paraphraseGroup" in item:
            groups[item["id"]] = item["paraphraseGroup"]
    questions = [
        Question(
            item["id"],
            item["query"],
            item["relevant"],
            {"genre": item["genre"], "language": item["language"]},
        )
        for item in _read(FIXTURE / "queries.json")
    ]
    return Corpus("fixture", memories, questions, groups)


def locomo() -> list[Corpus]:
    """Return the conversations of LoCoMo; none where the data are absent."""
    path = DATA / "locomo" / "locomo10.zip"
    if not path.exists():
        return []
    with zipfile.ZipFile(path) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".json"))
        return [_conversation(Path(name).stem, json.loads(archive.read(name))) for name in names]


def _conversation(name: str, told: Mapping[str, Any]) -> Corpus:
    memories: dict[str, NewMemory] = {}
    sessions = sorted(int(match[1]) for key in told if (match := re.fullmatch(r"session_(\d+)", key)))
    for session in sessions:
        begun = datetime.strptime(told[f"session_{session}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for place, turn in enumerate(told[f"session_{session}"]):
            caption = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            memory = NewMemory(
                kind=KIND_TURN, content=turn["text"] + caption, speaker=turn["speaker"], session=f"session {session}"
            )
            memory.observed_at.FromDatetime(begun + timedelta(seconds=TURN_SECONDS * place))
            memories[turn["dia_id"]] = memory
    questions = []
    for number, item in enumerate(told["qa"]):
        named = {part for evidence in item.get("evidence") or () for part in re.split(r"[;,\s]+", evidence)}
        relevant = dict.fromkeys(sorted(named & memories.keys()), ANSWERS)
        if relevant:
            category = str(item["category"])
            slices = {"category": f"{category} {_CATEGORIES[category]}"}
            questions.append(Question(f"{name}-{number}", item["question"], relevant, slices))
    return Corpus(f"locomo-{name}", memories, questions)


def archon() -> Corpus | None:
    """Return archon's retrieval set with its own vectors; None where the data are absent."""
    folder = DATA / "archon"
    if not folder.exists():
        return None
    labelled, vectors = _read(folder / "retrieval.json"), _read(folder / "retrieval_embeddings.json")
    scores = _read(folder / "retrieval_rerank_scores.json")["scores"]
    memories = {
        item["id"]: NewMemory(
            kind=KIND_NOTE,
            content=item["content"],
            embedding=_bytes(vectors["memories"][item["id"]]),
            embedding_model=vectors["model"],
        )
        for item in labelled["memories"]
    }
    questions = [
        Question(item["id"], item["text"], dict.fromkeys(item["gold"], ANSWERS), {"genre": item["genre"]})
        for item in labelled["queries"]
    ]
    return Corpus(
        "archon",
        memories,
        questions,
        query_vectors={item["text"]: vectors["queries"][item["id"]] for item in labelled["queries"]},
        rerank_scores={item["text"]: scores[item["id"]] for item in labelled["queries"]},
        model=vectors["model"],
    )


def _bytes(vector: Sequence[float]) -> bytes:
    return np.asarray(vector, dtype="<f4").tobytes()


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
