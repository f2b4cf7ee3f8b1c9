"""What stored token vectors would gain: each word of a question matched with the best token of a turn (MaxSim).

Rules: the local model's own last states, of what the product embeds of a turn, each of length 1, the frame around a
text left out. A turn's match is the mean over the question's tokens of the best cosine; `weight` of it is added to the
score of each of the first TOP turns. It is measured here only: the product stores no token vectors.
Source: Khattab & Zaharia, "ColBERT", 2020, with an encoder that was not trained for it.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC

import numpy as np
from candor.ingest.v1.memories_pb2 import NewMemory
from numpy.typing import NDArray

from services.embed import onnx_provider
from shared.domain.passages import cut, embedded_text
from tests.bench.recall.product import Remembered

TOP = 50
HALF_BYTES = 2  # of a stored number
WEIGHTS = (0.0, 0.1, 0.25, 0.5, 1.0)

States = NDArray[np.float16]


class Encoder:
    """The states of a text's tokens, by the files that the product embeds with."""

    def __init__(self) -> None:
        tokenizer = onnx_provider._installed(*onnx_provider.TOKENIZER, onnx_provider.TOKENIZER_SHA256)
        weights = onnx_provider._installed(*onnx_provider.WEIGHTS, onnx_provider.WEIGHTS_SHA256)
        self._tokenizer = onnx_provider._tokenizer(tokenizer)
        self._session = onnx_provider._session(weights)

    def states(self, text: str) -> States:
        """Return unit vectors. Shapes: (tokens, 384)."""
        ids = np.array([self._tokenizer.encode(text).ids], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        found = np.asarray(self._session.run(None, inputs)[0], np.float32)[0, 1:-1]
        unit: States = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float16)
        return unit


class Matches:
    """How well the turns of one conversation match its questions, each pair worked out once."""

    def __init__(self, encoder: Encoder, remembered: Remembered) -> None:
        memories = remembered.corpus.memories
        self._turns = {readable: encoder.states(_embedded(memory)) for readable, memory in memories.items()}
        self._questions = {q.id: encoder.states(q.text) for q in remembered.corpus.questions}
        self._known: dict[tuple[str, str], float] = {}

    @property
    def tokens(self) -> list[int]:
        """How many tokens each turn has."""
        return [len(states) for states in self._turns.values()]

    def of(self, question_id: str, turn: str) -> float:
        """Return the match of one pair."""
        found = self._known.get((question_id, turn))
        if found is None:
            asked, held = self._questions[question_id].astype(np.float32), self._turns[turn].astype(np.float32)
            found = self._known[question_id, turn] = float((asked @ held.T).max(axis=1).mean())
        return found

    def order(self, question_id: str, ranked: Sequence[tuple[str, float]], weight: float) -> list[str]:
        """Return ranked turns in the order that their matches give."""
        first: Mapping[str, float] = {turn: score + weight * self.of(question_id, turn) for turn, score in ranked[:TOP]}
        return [*sorted(first, key=lambda turn: -first[turn]), *(turn for turn, _ in ranked[TOP:])]


def _embedded(memory: NewMemory) -> str:
    first = next(iter(cut(memory.content)))  # a turn is one passage
    return embedded_text(memory.content, first, speaker=memory.speaker, valid_from=memory.observed_at.ToDatetime(UTC))
