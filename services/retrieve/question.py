"""A question made ready for both arms: its vector from embed, its terms by the tokeniser that wrote the memories' own.

Rules: an arm that cannot take part is named with the reason; the other one goes on alone. Only when none is left, or
the caller insisted on vectors, is a failure of the embedder an error. It does not know the database.
Source: REQUIREMENTS B1.
"""

from dataclasses import dataclass
from uuid import UUID

from candor.embed.v1.embeddings_pb2_grpc import EmbeddingsServiceStub
from candor.retrieve.v1.recall_pb2 import MODE_DENSE, MODE_LEXICAL, Mode

from services.retrieve.hints import NOTHING_KNOWN, Known
from services.retrieve.query_vectors import Embedding, QueryVectors
from shared.domain import tokens
from shared.domain.errors import CandorError, UpstreamUnavailable
from shared.domain.languages import LANGUAGES
from shared.domain.lexicon import Lexicon, Stems, language_term
from shared.domain.names import without_names

UNKNOWN_TOKENS_MAX_SHARE = 0.3  # unrelated sentences of Han signs reach cosine 0.45 to 0.61 (measured with MiniLM)


@dataclass(frozen=True, slots=True)
class Question:
    """What the arms get, None for one that is left out. `degraded` names those that were asked for and cannot help."""

    embedding: Embedding | None
    words: tuple[tuple[int, ...], ...] | None  # each with the terms that may stand for it
    degraded: tuple[str, ...]

    @property
    def term_ids(self) -> tuple[int, ...] | None:
        """The terms of all words, each once."""
        return None if self.words is None else tuple(dict.fromkeys(term for word in self.words for term in word))


class Questions:
    """Makes questions ready."""

    def __init__(self, embeddings: EmbeddingsServiceStub, term_key: bytes, stems: Stems) -> None:
        self._vectors = QueryVectors(embeddings)
        self._term_key = term_key
        self._stems = stems

    async def read(self, tenant_id: UUID, text: str, mode: Mode.ValueType, known: Known = NOTHING_KNOWN) -> Question:
        """Return a question ready for the arms that a mode asks for; the dense one gets it without speakers' names.

        Raises: UpstreamUnavailable EMBEDDER_UNAVAILABLE when no arm can rank.
        """
        degraded: list[str] = []
        words = None if mode == MODE_DENSE else self._words(tenant_id, text, known)
        if words == ():
            words = None
            degraded.append("lexical: NO_TERMS")
        embedding = None
        if mode != MODE_LEXICAL:
            try:
                embedding = await self._vectors.of(tenant_id, without_names(text, known.speakers), known)
                if embedding.unknown_share > UNKNOWN_TOKENS_MAX_SHARE:
                    degraded.append("dense: UNKNOWN_TOKENS")
            except CandorError as error:
                failure = _unavailable(error)
                if words is None:
                    raise failure from error
                degraded.append(f"dense: {failure.reason}")
        return Question(embedding, words, tuple(degraded))

    def language_ids(self, tenant_id: UUID) -> dict[int, str]:
        """Return by which term the memories of each language are told from others."""
        return {tokens.term_id(tenant_id, language_term(name), self._term_key): name for name in LANGUAGES}

    def _words(self, tenant_id: UUID, text: str, known: Known) -> tuple[tuple[int, ...], ...]:
        words = Lexicon.of(known.model, self._stems).question(text, known.languages)
        return tuple(tuple(tokens.term_id(tenant_id, term, self._term_key) for term in word) for word in words)


def _unavailable(error: CandorError) -> UpstreamUnavailable:
    """Return what a failed call of the embedder means to the caller: he can do nothing about it but wait."""
    return UpstreamUnavailable(
        "EMBEDDER_UNAVAILABLE",
        "the embedder gives no vector for the query",
        metadata={"cause": error.reason},
        retry_after_seconds=error.retry_after_seconds or 1.0,
    )
