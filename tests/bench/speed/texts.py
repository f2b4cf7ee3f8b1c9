"""What the speed benchmark stores and asks: real texts where the public data lie beside the project, else our fixtures.

Rules: seeded, so that two runs store the same. The mass of memories are perturbations of some thousand real texts and
of their vectors, because random vectors cost an HNSW index more. A text gets some words of others, as often as they
occur, and two made names of an open vocabulary, the n-th as often as Zipf's law says: so words that are everywhere,
words that are rare and words that occur once grow with the number of memories as in real text. Questions are real ones
about the real texts; half of them ask for a made name too. It does not know what else a memory tells (labels.py).
Source: Zipf's and Heaps' laws; REQUIREMENTS A4 and the field notes on inserting into a graph.
"""

import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shared.domain.vectors import normalise

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT.parent / "shared" / "data"
SEED = 2026
NOISE = 0.5  # length of the noise beside a unit vector: cosine 0.89 to its origin; chosen
SWAPPED_WORDS = 3  # of each perturbed text; chosen
NAMES_EACH = 2  # made names of each perturbed text; chosen
NAMES_SHAPE, NAMES_SCALE = 0.6, 200  # Zipf-Mandelbrot with exponent 1.6: the commonest name is in 0.6 % of memories
NAMES_MAX = 50_000_000
ORIGINS_MAX = 10_000
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])(?=\S)")
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "el", "or", "is", "und")]


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts that all others are made of, what is asked, and where both come from."""

    origins: list[str]
    asked: list[str]
    source: str


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A made memory: its number, its text, its vector."""

    number: int
    text: str
    vector: bytes


def read(count: int = ORIGINS_MAX) -> Texts:
    """Return at most `count` distinct texts, and questions about them."""
    if not DATA.exists():
        return _fixtures(count)
    chats = [
        turn["content"].strip()
        for path in sorted((DATA / "evercore_chats").glob("*.json"))
        for turn in json.loads(path.read_text())["conversation_list"]
    ]
    facts = re.findall(r"^\d+\. (.+)$", (DATA / "factconsolidation" / "context_6k.txt").read_text(), re.MULTILINE)
    turns, questions = _locomo()
    sentences = [part for text in (*turns, *chats) for part in _SENTENCE.split(text) if len(part) > 40]
    distinct = list(dict.fromkeys(text for text in (*facts, *turns, *chats, *sentences) if text))[:count]
    return _asked(distinct, questions, "public data: facts, turns of conversations, then sentences of the turns")


def perturbed(texts: Texts, vectors: NDArray[np.float32], numbers: range, size: int) -> Iterator[list[Perturbed]]:
    """Yield batches of made memories with these numbers. A batch does not depend on those before it."""
    words = [word for text in texts.origins for word in text.split()]
    for start in range(numbers.start, numbers.stop, size):
        batch = range(start, min(start + size, numbers.stop))
        chance = np.random.default_rng([SEED, start])
        origins = chance.integers(len(vectors), size=len(batch))
        noise = chance.standard_normal((len(batch), vectors.shape[1])) / np.sqrt(vectors.shape[1])
        near = normalise(vectors[origins] + NOISE * noise).astype("<f4")
        swapped = chance.integers(len(words), size=(len(batch), SWAPPED_WORDS))
        names = _ranks(chance, (len(batch), NAMES_EACH))
        yield [
            Perturbed(
                number,
                _mixed(texts.origins[origin], [words[place] for place in places], map(name, drawn), number),
                vector.tobytes(),
            )
            for number, origin, places, drawn, vector in zip(batch, origins, swapped, names.tolist(), near, strict=True)
        ]


@lru_cache(maxsize=100_000)
def name(rank: int) -> str:
    """Return the made name of a rank: distinct ranks, distinct names."""
    letters, rest = "", int(rank)
    while rest or len(letters) < 4:
        rest, place = divmod(rest, len(_SYLLABLES))
        letters += _SYLLABLES[place]
    return letters.capitalize()


def new_questions(texts: Texts, start: int) -> Iterator[str]:
    """Yield questions that nobody asked before: a known one with a word of another and a number."""
    others = islice(cycle(texts.asked), 7, None)
    for number, (asked, other) in enumerate(zip(cycle(texts.asked), others, strict=False), start):
        yield f"{asked} {other.split()[0]} {number}"


def _ranks(chance: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int64]:
    return np.minimum(chance.pareto(NAMES_SHAPE, size=shape) * NAMES_SCALE, NAMES_MAX).astype(np.int64)


def _mixed(text: str, swapped: Sequence[str], names: Iterator[str], number: int) -> str:
    words = text.split()
    places = range(0, len(words), max(1, len(words) // SWAPPED_WORDS))
    for place, word in zip(places, swapped, strict=False):
        words[place] = word
    return f"{' '.join(words)} With {' and '.join(names)}. ({number})"


def _asked(origins: list[str], questions: Sequence[str], source: str) -> Texts:
    chance = np.random.default_rng(SEED)
    asked = [questions[place] for place in chance.permutation(len(questions))]
    ranks = _ranks(chance, (len(asked),)).tolist()
    named = [
        f"{text} {name(rank)}" if place % 2 else text
        for place, (text, rank) in enumerate(zip(asked, ranks, strict=True))
    ]
    return Texts(origins, named, source)


def _locomo() -> tuple[list[str], list[str]]:
    turns: list[str] = []
    questions: list[str] = []
    with zipfile.ZipFile(DATA / "locomo" / "locomo10.zip") as archive:
        for path in sorted(path for path in archive.namelist() if path.endswith(".json")):
            told: dict[str, Any] = json.loads(archive.read(path))
            questions.extend(str(asked["question"]) for asked in told["qa"])
            sessions = (told[key] for key in told if re.fullmatch(r"session_\d+", key))
            turns.extend(str(turn["text"]).strip() for session in sessions for turn in session)
    return turns, questions


def _fixtures(count: int) -> Texts:
    folder = ROOT / "fixtures" / "recall"
    memories = [item["memory"]["content"] for item in json.loads((folder / "memories.json").read_text())]
    sentences = [part for text in memories for part in _SENTENCE.split(text) if len(part) > 40]
    questions = [item["query"] for item in json.loads((folder / "queries.json").read_text())]
    distinct = list(dict.fromkeys([*memories, *sentences]))[:count]
    return _asked(distinct, questions, "our own fixture: the public data are absent, so few words and few vectors")
