"""Paths of fields: what services name as the contract does reaches callers under the names they sent."""

from functools import cache

import pytest

from gateway.contracts import Binding, bindings
from gateway.paths import PublicPaths
from shared.domain.errors import InvalidArgument, Violation


@cache
def paths(method: str, template: str) -> PublicPaths:
    def is_meant(binding: Binding) -> bool:
        return (binding.method.name, binding.template) == (method, template)

    return PublicPaths(next(binding for binding in bindings() if is_meant(binding)))


BATCH = ("BatchCreateMemories", "/v1/memories:batch")
CREATE = ("CreateMemory", "/v1/memories")
RECALL = ("RecallMemories", "/v1/recall")


@pytest.mark.parametrize(
    ("binding", "path", "public"),
    [
        (BATCH, "memories[3].observed_at", "memories[3].observedAt"),
        (BATCH, "memories[3].derived_from[0]", "memories[3].derivedFrom[0]"),
        (BATCH, "memories[3].metadata.due_date.in_days", "memories[3].metadata.due_date.in_days"),
        (BATCH, "memories", "memories"),
        (CREATE, "memory.observed_at", "observedAt"),  # the body is the memory itself
        (CREATE, "observed_at", "observedAt"),
        (CREATE, "metadata.total_sum", "metadata.total_sum"),
        (CREATE, "request_id", "requestId"),
        (CREATE, "tags[2]", "tags[2]"),
        (RECALL, "token_budget", "tokenBudget"),
        (RECALL, "query", "query"),
        (RECALL, "no_such_field.at_all", "no_such_field.at_all"),
        (RECALL, "", ""),
        (RECALL, "..", ".."),
    ],
)
def test_a_path_has_the_names_of_json(binding: tuple[str, str], path: str, public: str) -> None:
    assert paths(*binding).public(path) == public


def test_an_error_says_the_same_under_public_names() -> None:
    found = InvalidArgument.of_all(
        (
            Violation("memories[1].source_ref", "LABEL_TOO_LONG", "is long"),
            Violation("memories[2].tags", "B", "is wrong"),
        )
    )
    named = paths(*BATCH).named(found)
    assert [v.field for v in named.violations] == ["memories[1].sourceRef", "memories[2].tags"]
    assert named.message == "memories[1].sourceRef: is long; memories[2].tags: is wrong"
    assert (named.reason, named.metadata) == ("LABEL_TOO_LONG", {"field": "memories[1].sourceRef"})
    own_words = InvalidArgument("A", "own words", violations=(Violation("token_budget", "A", "x"),))
    assert paths(*RECALL).named(own_words).message == "own words"
    nothing_named = InvalidArgument("A", "own words")
    assert paths(*RECALL).named(nothing_named) is nothing_named
