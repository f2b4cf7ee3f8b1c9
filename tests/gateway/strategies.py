"""Random messages of any contract, with what public callers may set and JSON can say."""

import json
from collections.abc import Callable
from typing import Any

import orjson
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import strategies as st

from gateway import contracts

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
NUMBERS = st.from_regex(r"-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?", fullmatch=True)
RAW = st.recursive(
    st.one_of(
        st.sampled_from(["null", "true", "false"]), NUMBERS, TEXT.map(lambda t: json.dumps(t, ensure_ascii=False))
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{','.join(items)}]"),
        st.dictionaries(TEXT, inner, max_size=3).map(
            lambda d: "{" + ",".join(f"{_quoted(k)}:{v}" for k, v in d.items()) + "}"
        ),
    ),
    max_leaves=6,
)
MOST_SECONDS, LEAST_SECONDS = 253_402_300_799, -62_135_596_800  # years 1 to 9999
TIMES = st.builds(
    lambda seconds, ms: Timestamp(seconds=seconds, nanos=ms * 1_000_000),
    st.integers(LEAST_SECONDS, MOST_SECONDS),
    st.integers(0, 999),
)
MASKS = st.lists(st.sampled_from(["content", "source_ref", "memory_type", "a.b_c"]), max_size=3)


def messages(descriptor: Descriptor) -> st.SearchStrategy[Any]:
    fields = [field for field in descriptor.fields if not contracts.is_private(field)]
    oneofs = {contracts.real_oneof(field) for field in fields} - {None}

    @st.composite
    def build(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Any:
        message: Any = GetMessageClass(descriptor)()
        chosen = {
            name: draw(st.sampled_from(list(descriptor.oneofs_by_name[name].fields))).name for name in oneofs if name
        }
        for field in fields:
            oneof = contracts.real_oneof(field)
            if oneof is not None and chosen[oneof] != field.name:
                continue
            if field.is_repeated:
                getattr(message, field.name).extend(draw(st.lists(_one(field), max_size=2)))
            elif draw(st.booleans()):
                value = draw(_one(field))
                if contracts.string_type(field) == "FieldMask":
                    message.update_mask.paths.extend(value)
                elif field.message_type is not None:
                    getattr(message, field.name).CopyFrom(value)
                else:
                    setattr(message, field.name, value)
        return message

    return build()


def _one(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if message := contracts.object_type(field):
        return messages(message)
    if contracts.string_type(field):
        return TIMES if contracts.string_type(field) == "Timestamp" else MASKS
    if contracts.is_raw_json(field):
        return RAW.filter(lambda text: text != "null")  # a raw null is absent
    if field.enum_type is not None:
        return st.sampled_from([value.number for value in field.enum_type.values])
    if field.type == FieldDescriptor.TYPE_BYTES:
        return st.binary(max_size=20)
    return {
        FieldDescriptor.CPPTYPE_STRING: TEXT,
        FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
        FieldDescriptor.CPPTYPE_INT32: st.integers(-(2**31), 2**31 - 1),
        FieldDescriptor.CPPTYPE_DOUBLE: st.floats(allow_nan=False, allow_infinity=False),
    }[field.cpp_type]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def plain(encoded: dict[str, object]) -> Any:
    """What a client reads of an encoded message."""
    return json.loads(orjson.dumps(encoded))
