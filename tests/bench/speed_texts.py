"""What the speed benchmark stores and asks: real texts where the public data lie beside the project, else made ones.

Rules: seeded, so that two runs store the same. The mass of memories are perturbations of the real texts and of their
vectors: a text gets some words of another one and a number of its own, a vector gets noise, because random vectors
cost an HNSW index more and random words never match. Every tenth memory is about a record and asserts an amount; of
these every tenth contradicts the one before it.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import numpy as np
from candor.ingest.v1.memories_pb2 import NewMemory
from candor.memory.v1.memory_pb2 import KIND_NOTE, KIND_TURN
from numpy.typing import NDArray

from shared.domain.vectors import normalise

DATA = Path(__file__).parents[3] / "shared" / "data"
SEED = 2026
COMPANIES = 200
NOISE = 0.5  # length of the noise beside a unit vector: cosine 0.89 to its origin; chosen
SWAPPED_WORDS = 3  # of each perturbed text; chosen
RECORD_EVERY = 10
CONTRADICTION_EVERY = 100
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])(?=\S)")
_WORDS = "invoice vendor payment ledger office lease audit contract delivery budget quarter salary client order".split()


@dataclass(frozen=True, slots=True)
class Texts:
    """What is stored first, what is asked, and where both come from."""

    stored: list[str]
    asked: list[str]
    origin: str


def read(count: int) -> Texts:
    """Return `count` distinct texts to store, and questions."""
    if not DATA.exists():
        made = [_made(number) for number in range(count)]
        return Texts(
            made, [f"what about the {text.split('.')[0]}?" for text in made], "made: the public data are absent"
        )
    chats = [
        turn["content"].strip()
        for path in sorted((DATA / "evercore_chats").glob("*.json"))
        for turn in json.loads(path.read_text())["conversation_list"]
    ]
    facts = re.findall(r"^\d+\. (.+)$", (DATA / "factconsolidation" / "context_6k.txt").read_text(), re.MULTILINE)
    sentences = [part for chat in chats for part in _SENTENCE.split(chat) if len(part) > 20]
    distinct = list(dict.fromkeys(text for text in (*facts, *chats, *sentences) if text))[:count]
    asked = [text for text in (*facts, *sentences) if 20 < len(text) < 200]
    return Texts(distinct, asked, "public data: facts, chat turns, then sentences of the turns")


def memories(texts: Sequence[str]) -> Iterator[dict[str, object]]:
    """Yield what is written over HTTP, without vectors."""
    for number, text in enumerate(texts):
        yield {
            "kind": "turn",
            "content": text,
            "company": f"Company {number % COMPANIES}",
            "session": f"chat-{number // 50}",
        }


def perturbed(
    texts: Sequence[str], vectors: NDArray[np.float32], model: str, rows: int, size: int
) -> Iterator[list[NewMemory]]:
    """Yield batches of memories with vectors, `rows` in all."""
    chance = np.random.default_rng(SEED)
    vocabulary = [word for text in texts for word in text.split()]
    for start in range(0, rows, size):
        numbers = range(start, min(start + size, rows))
        origins = chance.integers(len(texts), size=len(numbers))
        noise = chance.standard_normal((len(numbers), vectors.shape[1])) / np.sqrt(vectors.shape[1])
        near = normalise(vectors[origins] + NOISE * noise).astype("<f4")
        words = chance.integers(len(vocabulary), size=(len(numbers), SWAPPED_WORDS))
        yield [
            _memory(number, texts[origin], [vocabulary[word] for word in swapped], vector.tobytes(), model)
            for number, origin, swapped, vector in zip(numbers, origins, words, near, strict=True)
        ]


def new_questions(texts: Texts, start: int) -> Iterator[str]:
    """Yield questions that nobody asked before: a known one with a word of another and a number."""
    others = islice(cycle(texts.asked), 7, None)
    for number, (asked, other) in enumerate(zip(cycle(texts.asked), others, strict=False), start):
        yield f"{asked} {other.split()[0]} {number}"


def _memory(number: int, text: str, swapped: Sequence[str], vector: bytes, model: str) -> NewMemory:
    words = text.split()
    places = range(0, len(words), max(1, len(words) // SWAPPED_WORDS))
    for place, word in zip(places, swapped, strict=False):
        words[place] = word
    memory = NewMemory(
        kind=KIND_NOTE if number % 2 else KIND_TURN,
        content=f"{' '.join(words)} ({number})",
        company=f"Company {number % COMPANIES}",
        session=f"session-{number // 50}",
        embedding=vector,
        embedding_model=model,
    )
    if number % RECORD_EVERY == 0:
        contradicts = number % CONTRADICTION_EVERY == 0 and number >= COMPANIES
        # The same company again: its numbers are COMPANIES apart.
        memory.record = f"REC-{number - COMPANIES if contradicts else number}"
        memory.metadata = json.dumps({"amount": 100 + number, "currency": "EUR"})
    return memory


def _made(number: int) -> str:
    words = [_WORDS[number // len(_WORDS) ** place % len(_WORDS)] for place in range(5)]
    return f"{' '.join(words)}. Noted as item {number}, to be settled by the {words[0]} team."
