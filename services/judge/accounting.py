"""What models cost: tokens, calls and seconds, by model and purpose.

Rules: label values come from settings and from the code, never from a request or an answer. A call that failed, or
whose answer could not be read, counts like any other. It does not know prices.
"""

from typing import Final

from prometheus_client import Counter, Histogram

from services.judge.provider import Purpose, Usage

TOKENS: Final = Counter(
    "candor_model_tokens_total",
    "Tokens, as the provider counted them: prompt, completion.",
    ("model", "purpose", "part"),
)
CALLS: Final = Counter(
    "candor_model_calls_total",
    "Requests to a model: answered, invalid (answered, not usable), rate_limited, timeout, refused, unavailable.",
    ("model", "purpose", "outcome"),
)
SECONDS: Final = Histogram(
    "candor_model_seconds",
    "Time of one request to a model, to the end of its answer.",
    ("model", "purpose"),
    buckets=(0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 40, 60),
)

NOTHING = Usage()


def count(model: str, purpose: Purpose, outcome: str, usage: Usage = NOTHING) -> None:
    """Count one request."""
    CALLS.labels(model, purpose.value, outcome).inc()
    TOKENS.labels(model, purpose.value, "prompt").inc(usage.prompt_tokens)
    TOKENS.labels(model, purpose.value, "completion").inc(usage.completion_tokens)
