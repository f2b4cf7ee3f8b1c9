"""Decoding undoes encoding, for every public message; numbers and raw JSON survive as they were written."""

import json
from collections.abc import Iterator
from typing import Any, cast

import orjson
import pytest
from candor.audit.v1.fields_pb2 import AuditFieldsResponse
from candor.ingest.v1.memories_pb2 import NewMemory
from candor.memory.v1.memory_pb2 import Memory
from candor.retrieve.v1.recall_pb2 import Explanation
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway import contracts, json_text
from gateway.decode import Faults, MessageDecoder
from gateway.encode import compile_message
from shared.domain.errors import InvalidArgument
from tests.gateway.strategies import LEAST_SECONDS, MOST_SECONDS, RAW, messages


def _types() -> Iterator[Descriptor]:
    """Every message that a public method reads or prints, and every message below."""
    seen: set[str] = set()

    def below(descriptor: Descriptor) -> Iterator[Descriptor]:
        if descriptor.full_name in seen:
            return
        seen.add(descriptor.full_name)
        yield descriptor
        for field in descriptor.fields:
            if message := contracts.object_type(field):
                yield from below(message)

    for binding in contracts.bindings():
        yield from below(binding.method.input_type)
        yield from below(binding.method.output_type)


def decode(message: Message, body: bytes) -> Message:
    faults = Faults()
    MessageDecoder(cast("Descriptor", message.DESCRIPTOR)).decode(message, json_text.parse(body), "", faults)
    faults.raise_any()
    return message


@pytest.mark.parametrize("descriptor", list(_types()), ids=lambda d: d.full_name)
def test_decoding_undoes_encoding(descriptor: Descriptor) -> None:
    encode = compile_message(descriptor)
    message_type = GetMessageClass(descriptor)

    @settings(max_examples=40)
    @given(messages(descriptor))
    def check(message: Message) -> None:
        body = orjson.dumps(encode(message))
        assert decode(message_type(), body) == message

    check()


@given(RAW)
def test_a_raw_value_is_read_and_written_verbatim(text: str) -> None:
    assert json_text.verbatim(json_text.parse(text.encode())) == text


@given(st.binary(max_size=40) | st.text(max_size=40).map(lambda t: t.encode(errors="surrogatepass")))
def test_no_body_breaks_the_decoder(body: bytes) -> None:
    try:
        decode(NewMemory(), body)
    except InvalidArgument as error:
        assert error.violations


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from([name for field in NewMemory.DESCRIPTOR.fields for name in (field.name, field.json_name)])


@given(st.dictionaries(KEYS, JSON_VALUES, max_size=4))
def test_no_value_breaks_the_decoder(value: dict[str, Any]) -> None:
    try:
        decode(NewMemory(), json.dumps(value).encode())
    except InvalidArgument as error:
        orjson.dumps([violation.field for violation in error.violations])


def test_a_wide_value_is_read_and_a_deep_one_refused() -> None:
    wide = b"[" + b",".join([b"[]"] * 10_000) + b"]"
    assert json_text.verbatim(json_text.parse(wide)).encode() == wide
    with pytest.raises(InvalidArgument, match="deeper"):
        json_text.parse(b'{"a":' * 100_000)


def test_absent_is_null_only_where_the_message_says_so() -> None:
    assert compile_message(Explanation.DESCRIPTOR)(Explanation(dense=0.0)) == {
        "dense": 0.0,
        "denseRank": None,
        "lexical": None,
        "lexicalRank": None,
        "reranked": None,
        "fused": 0.0,
        "structure": 0.0,
        "subject": 0.0,
        "salience": None,
        "predecessorOf": None,
    }
    new_memory = compile_message(NewMemory.DESCRIPTOR)(NewMemory(company=""))
    assert new_memory == {
        "kind": "unspecified",
        "content": "",
        "company": "",
        "tags": [],
        "memoryType": "unspecified",
        "references": [],
        "derivedFrom": [],
    }


def test_two_members_of_a_oneof_are_refused() -> None:
    for body, path in ((b'{"absence":{},"summary":{}}', "summary"), (b'{"summary":{},"summary":{}}', "summary")):
        with pytest.raises(InvalidArgument) as caught:
            decode(AuditFieldsResponse(), body)
        assert [(v.field, v.reason) for v in caught.value.violations] == [(path, "DUPLICATE_FIELD")]
    assert decode(AuditFieldsResponse(), b'{"absence":null,"summary":{}}').WhichOneof("item") == "summary"


def test_times_print_three_digits() -> None:
    encode = compile_message(Memory.DESCRIPTOR)
    for seconds, nanos, text in (
        (0, 0, "1970-01-01T00:00:00.000Z"),
        (-1, 999_999_999, "1969-12-31T23:59:59.999Z"),
        (LEAST_SECONDS, 0, "0001-01-01T00:00:00.000Z"),
        (MOST_SECONDS, 1_000_000, "9999-12-31T23:59:59.001Z"),
    ):
        assert encode(Memory(observed_at=Timestamp(seconds=seconds, nanos=nanos)))["observedAt"] == text


def test_an_enum_number_that_only_a_newer_service_knows_is_printed_as_it_is() -> None:
    memory = Memory.FromString(b"\x18\x63")  # field 3, kind: 99
    assert compile_message(Memory.DESCRIPTOR)(memory)["kind"] == 99
