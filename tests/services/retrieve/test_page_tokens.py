"""Page and resume tokens: what they open for, and what is refused."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from candor.retrieve.v1.memories_pb2 import ListMemoriesRequest, StreamMemoriesRequest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from services.retrieve.page_tokens import Tokens, from_instant, to_instant
from shared.domain.errors import InvalidArgument

KEY, TENANT = b"k" * 32, UUID(int=1)
PLACE = ("2026-01-01", 7, "Zürich 東京")


def tokens(
    request: Message | None = None, *, key: bytes = KEY, tenant: UUID = TENANT, field: str = "page_token"
) -> Tokens:
    return Tokens(key, tenant, request or ListMemoriesRequest(company="Acme", limit=5), field)


def test_a_token_opens_for_its_own_request_on_any_page() -> None:
    token = tokens().seal(PLACE)
    assert tokens().open(token) == list(PLACE)
    later = ListMemoriesRequest(tenant_id=str(TENANT), company="Acme", limit=50, page_token=token)
    assert tokens(later).open(token) == list(PLACE)
    assert tokens().open("") is None


@pytest.mark.parametrize(
    "other",
    [
        tokens(key=b"o" * 32),
        tokens(tenant=UUID(int=2)),
        tokens(ListMemoriesRequest(company="Globex")),
        tokens(ListMemoriesRequest(company="Acme", tags=["x"])),
        tokens(StreamMemoriesRequest(company="Acme")),
    ],
    ids=["key", "tenant", "filter", "more filters", "rpc"],
)
def test_a_token_opens_for_nothing_else(other: Tokens) -> None:
    with pytest.raises(InvalidArgument) as caught:
        other.open(tokens().seal(PLACE))
    assert caught.value.reason == "PAGE_TOKEN_INVALID"
    assert caught.value.violations[0].field == "page_token"


@given(st.data())
def test_a_token_that_was_touched_is_refused(data: st.DataObject) -> None:
    token = tokens().seal(PLACE)
    place = data.draw(st.integers(0, len(token) - 1))
    letter = data.draw(st.sampled_from("ABCxyz019-_=é \0"))
    touched = token[:place] + letter + token[place + 1 :]
    try:
        opened = tokens().open(touched)
    except InvalidArgument as error:
        assert error.reason == "PAGE_TOKEN_INVALID"
    else:  # the last letter carries bits that mean nothing
        assert opened == list(PLACE)
        assert touched[:-1] == token[:-1]


@given(st.text())
def test_any_text_is_a_token_or_a_named_error(text: str) -> None:
    if text:
        with pytest.raises(InvalidArgument):
            tokens(field="resume_token").open(text)


def test_the_error_names_the_kind_of_token() -> None:
    with pytest.raises(InvalidArgument) as caught:
        tokens(StreamMemoriesRequest(), field="resume_token").open("x")
    assert caught.value.reason == "RESUME_TOKEN_INVALID"


@given(st.datetimes(timezones=st.just(UTC)))
def test_an_instant_comes_back_to_the_microsecond(moment: datetime) -> None:
    assert to_instant(from_instant(moment)) == moment
