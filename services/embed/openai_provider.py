"""Vectors from an OpenAI-compatible API: DashScope by default, any other by its base URL.

Rules: the answer is believed only after count, order, dimensions and finiteness are checked. Connection errors, 408,
429 and 5xx are tried again, a bounded number of times and within one deadline for the whole call; a short Retry-After
is waited for, a long one is passed on to the caller at once. Other refusals are not retried. Neither the texts nor the
provider's own words appear in an error. `dimensions` is asked for only where it is configured to be, since some models
refuse the parameter.
It does not know who calls, batching across callers or caching.
Source: the API reference of OpenAI's embeddings endpoint and its DashScope compatible mode (10 texts a request).
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import openai
import orjson
import stamina

from services.embed.provider import (
    RETRY_AFTER_SECONDS,
    Batching,
    Embedded,
    Generation,
    Vectors,
    mismatch,
    unavailable,
    unit_rows,
)
from shared.domain.errors import CandorError, FailedPrecondition

RETRIED_STATUSES = frozenset({408, 409, 429})
"""Beside every 5xx. 409 is a lock timeout in this API."""

REFUSED_STATUSES = frozenset({400, 413, 422})
"""Refusals that may be about a text: too long for the model, or stopped by its content filter."""


@dataclass(frozen=True, slots=True)
class CallPolicy:
    """How one call to the provider is made. All numbers chosen, untested, but the batch: DashScope's limit."""

    batch_texts: int = 10
    concurrent_calls: int = 8
    window_seconds: float = 0.002
    attempts: int = 4
    attempt_timeout_seconds: float = 10.0
    deadline_seconds: float = 30.0
    first_wait_seconds: float = 0.25
    longest_wait_seconds: float = 4.0


class OpenAIProvider:
    """Asks the API for vectors, `batch_texts` at a time."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        generation: Generation,
        ask_dimensions: bool,
        policy: CallPolicy | None = None,
    ) -> None:
        self._generation = generation
        self._ask_dimensions = ask_dimensions
        self._policy = policy or CallPolicy()
        self._client = openai.AsyncOpenAI(
            base_url=base_url, api_key=api_key, timeout=self._policy.attempt_timeout_seconds, max_retries=0
        )

    @property
    def generation(self) -> Generation:
        """Return the configured generation, which every answer is checked against."""
        return self._generation

    @property
    def batching(self) -> Batching:
        """Return one request a slice; its size in characters is bounded by the length of a text."""
        policy = self._policy
        return Batching(policy.concurrent_calls, policy.batch_texts, sys.maxsize, policy.window_seconds)

    async def embed(self, texts: Sequence[str]) -> Embedded:
        """Embed the texts in order, request after request, all or none."""
        size = self._policy.batch_texts
        parts: list[Vectors] = []
        try:
            async with asyncio.timeout(self._policy.deadline_seconds):
                for start in range(0, len(texts), size):
                    parts.append(await self._embed_batch(texts[start : start + size]))
        except TimeoutError as error:
            raise unavailable("the embedding provider did not answer in time") from error
        except openai.APIStatusError as error:
            raise _refusal(error) from error
        except openai.APIConnectionError as error:
            raise unavailable("the embedding provider cannot be reached, or broke off") from error
        return Embedded(np.concatenate(parts), np.zeros(len(texts), dtype=np.float32))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _embed_batch(self, texts: Sequence[str]) -> Vectors:
        """Ask for one batch, again where that may help.

        Shapes: n texts -> (n, d).
        """
        async for attempt in stamina.retry_context(
            on=self._wait_before_retry,
            attempts=self._policy.attempts,
            timeout=self._policy.deadline_seconds,
            wait_initial=self._policy.first_wait_seconds,
            wait_max=self._policy.longest_wait_seconds,
        ):
            with attempt:
                response = await self._client.embeddings.with_raw_response.create(
                    model=self._generation.model,
                    input=list(texts),
                    encoding_format="float",
                    dimensions=self._generation.dimensions if self._ask_dimensions else openai.omit,
                )
                return _vectors(response.content, len(texts), self._generation)
        raise AssertionError("stamina ends by an answer or an error")

    def _wait_before_retry(self, error: Exception) -> bool | float:
        """Return whether to try again, or the seconds the provider asks to wait before."""
        if isinstance(error, openai.APIStatusError):
            if error.status_code not in RETRIED_STATUSES and error.status_code < 500:
                return False
            asked_seconds = _retry_after_seconds(error)
            if asked_seconds is None:
                return True
            return asked_seconds <= self._policy.longest_wait_seconds and asked_seconds
        return isinstance(error, openai.APIConnectionError)


def _retry_after_seconds(error: openai.APIStatusError) -> float | None:
    """Return the seconds of a Retry-After header; a date or nonsense counts as none."""
    try:
        seconds = float(error.response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _refusal(error: openai.APIStatusError) -> CandorError:
    """Return our error for a status that retries did not mend."""
    metadata = {"status": str(error.status_code)}
    if error.status_code in REFUSED_STATUSES:
        message = f"the embedding provider refused the texts with status {error.status_code}"
        return FailedPrecondition("EMBEDDER_REFUSED", message, metadata=metadata)
    return unavailable(
        f"the embedding provider answered with status {error.status_code}",
        metadata=metadata,
        retry_after_seconds=_retry_after_seconds(error) or RETRY_AFTER_SECONDS,
    )


def _vectors(body: bytes, expected: int, generation: Generation) -> Vectors:
    """Read the vectors of an answer, in the order of the texts whatever the order of the answer.

    Shapes: -> (expected, d).
    Raises: UpstreamUnavailable EMBEDDER_UNAVAILABLE for what is not an answer, EMBEDDER_MISMATCH for other dimensions.
    """
    try:
        rows = {int(item["index"]): item["embedding"] for item in orjson.loads(body)["data"]}
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise unavailable("the embedding provider gave an answer that is not a list of embeddings") from error
    if sorted(rows) != list(range(expected)):
        raise unavailable(f"the embedding provider gave {len(rows)} embeddings for {expected} texts")
    lengths = {len(row) if isinstance(row, list) else -1 for row in rows.values()}
    if lengths != {generation.dimensions}:
        raise mismatch(generation, f"vectors of {', '.join(map(str, sorted(lengths)))} dimensions")
    try:
        with np.errstate(over="ignore"):  # an overflow becomes infinite, which is refused below
            vectors = np.array([rows[index] for index in range(expected)], dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise unavailable("the embedding provider gave a vector that is not made of numbers") from error
    return unit_rows(vectors, generation)
