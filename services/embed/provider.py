"""What an embedding provider is to this role: texts in, unit vectors out, of one named generation.

Rules: a vector never travels without its generation; a provider refuses to start, or to answer, when what it produces
is not what was configured. It does not know tenants, caches, batching or the wire.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from shared.domain.errors import UpstreamUnavailable

Vectors = npt.NDArray[np.float32]

RETRY_AFTER_SECONDS = 5.0
"""Advice to callers when the provider gives none. Chosen, untested."""

MISMATCH = "EMBEDDER_MISMATCH"

MISMATCH_RETRY_AFTER_SECONDS = 60.0
"""A mismatch ends when an operator ends it. Chosen, untested."""


@dataclass(frozen=True, slots=True)
class Generation:
    """The space a vector lives in: vectors of two generations are never compared."""

    model: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class Batching:
    """How texts of many callers are best given to a provider: `workers` slices at a time, none above the two sizes."""

    workers: int
    slice_texts: int
    slice_chars: int
    window_seconds: float
    waiting_texts_limit: int = 8_192
    """Four calls of the largest size. Chosen, untested."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors in the order of the texts, and the share of each text's tokens that the model does not know.

    Shapes: vectors (n, d) float32, each row of length 1; unknown_token_shares (n,) float32 in [0, 1], all zero where
    the provider does not tell.
    """

    vectors: Vectors
    unknown_token_shares: Vectors


class Provider(Protocol):
    """A model that turns texts into vectors; safe to call concurrently."""

    @property
    def generation(self) -> Generation:
        """Return the generation of every vector this provider gives."""
        ...

    @property
    def batching(self) -> Batching:
        """Return how texts are best given to this provider."""
        ...

    async def embed(self, texts: Sequence[str]) -> Embedded:
        """Embed the texts in order, all or none.

        Raises: UpstreamUnavailable EMBEDDER_UNAVAILABLE, EMBEDDER_MISMATCH; FailedPrecondition EMBEDDER_REFUSED.
        """
        ...

    async def close(self) -> None:
        """Let go of threads and connections."""
        ...


def mismatch(expected: Generation, found: str) -> UpstreamUnavailable:
    """Return the error for a provider whose vectors are not of the configured generation."""
    wanted = f"{expected.model} with {expected.dimensions} dimensions"
    return UpstreamUnavailable(
        MISMATCH,
        f"the embedder is configured as {wanted}, but gave {found}",
        metadata={"model": expected.model, "dimensions": str(expected.dimensions), "found": found},
        retry_after_seconds=MISMATCH_RETRY_AFTER_SECONDS,
    )


def unit_rows(vectors: Vectors, generation: Generation) -> Vectors:
    """Scale every row to length 1 after checking that rows are what the generation promises.

    Shapes: (n, d) -> (n, d).
    Raises: UpstreamUnavailable EMBEDDER_MISMATCH (dimensions), EMBEDDER_UNAVAILABLE (not finite, or a zero row).
    """
    if vectors.ndim != 2 or vectors.shape[1] != generation.dimensions:
        raise mismatch(generation, f"vectors of shape {vectors.shape}")
    lengths = np.sqrt(np.square(vectors, dtype=np.float64).sum(axis=1))
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise unavailable("the embedder gave a vector that is not finite, or has no direction")
    units: Vectors = (vectors / lengths[:, None]).astype(np.float32)
    return units


def unavailable(
    message: str, *, metadata: dict[str, str] | None = None, retry_after_seconds: float = RETRY_AFTER_SECONDS
) -> UpstreamUnavailable:
    """Return the error for an embedder that does not answer, or does not answer sense."""
    return UpstreamUnavailable(
        "EMBEDDER_UNAVAILABLE", message, metadata=metadata, retry_after_seconds=retry_after_seconds
    )


class StartUpCheck:
    """Passes from the first right vector of the provider on; until then each call asks for one.

    It asks no more after that: a probe every few seconds would cost a call to an API each time.
    """

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._passed = False

    async def __call__(self) -> None:
        """Raise what the provider raises, until it has answered right once."""
        if not self._passed:
            await self._provider.embed(["start-up check"])
            self._passed = True

    async def refuse_mismatch(self) -> None:
        """Ask once; an embedder that does not answer now may do so later, but one that answers wrong never starts.

        Raises: UpstreamUnavailable EMBEDDER_MISMATCH; FailedPrecondition EMBEDDER_REFUSED.
        """
        try:
            await self()
        except UpstreamUnavailable as error:
            if error.reason == MISMATCH:
                raise
