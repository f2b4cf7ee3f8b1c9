"""Bad input: each gives the named problem, names the field, and reaches no service."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from gateway.json_text import MAX_NESTING_LEVELS
from tests.gateway.conftest import Gateway

pytestmark = pytest.mark.anyio
JSON = {"content-type": "application/json"}


@dataclass(frozen=True)
class Bad:
    """A request, and the (field, reason) of each violation it gives."""

    name: str
    body: str | bytes | None
    violations: tuple[tuple[str, str], ...]
    path: str = "/v1/memories"
    method: str = "POST"
    headers: dict[str, str] = field(default_factory=lambda: JSON)
    status: int = 400


def memory(text: str) -> str:
    """A memory that is right but for what the text adds."""
    return f'{{"kind":"note","content":"c",{text}}}'


def get(name: str, path: str, *violations: tuple[str, str]) -> Bad:
    return Bad(name, None, violations, path=path, method="GET", headers={})


DEEP = "[" * MAX_NESTING_LEVELS + "]" * MAX_NESTING_LEVELS
BAD = [
    Bad("not JSON", '{"kind":', (("body", "JSON_INVALID"),)),
    Bad("two values", "{} {}", (("body", "JSON_INVALID"),)),
    Bad("not UTF-8", b'{"content":"\xff"}', (("body", "JSON_INVALID"),)),
    Bad("UTF-8 of a surrogate", b'{"content":"\xed\xa0\x80"}', (("body", "JSON_INVALID"),)),
    Bad("byte order mark", "\ufeff{}", (("body", "JSON_INVALID"),)),
    Bad("control character", '{"content":"\x00"}', (("body", "JSON_INVALID"),)),
    Bad("no object", "[]", (("body", "WRONG_TYPE"),)),
    Bad("null", "null", (("body", "WRONG_TYPE"),)),
    Bad("number", "12", (("body", "WRONG_TYPE"),)),
    Bad("very deep", "[" * 100_000, (("body", "JSON_TOO_DEEP"),)),
    Bad("unknown field", memory('"colour":1'), (("colour", "UNKNOWN_FIELD"),)),
    Bad("unknown field with a surrogate", memory(r'"\ud800":1'), (("\\ud800", "UNKNOWN_FIELD"),)),
    Bad("unknown fields", memory('"a":1,"b":2'), (("a", "UNKNOWN_FIELD"), ("b", "UNKNOWN_FIELD"))),
    Bad("prototype", memory('"__proto__":{}'), (("__proto__", "UNKNOWN_FIELD"),)),
    Bad("the tenant", memory('"tenantId":"x"'), (("tenantId", "UNKNOWN_FIELD"),)),
    Bad("an internal field", memory('"embedding":"AAAA"'), (("embedding", "FIELD_NOT_ALLOWED"),)),
    Bad("an internal field as null", memory('"embedding_model":null'), (("embedding_model", "FIELD_NOT_ALLOWED"),)),
    Bad("string for number", memory('"importance":"0.5"'), (("importance", "WRONG_TYPE"),)),
    Bad("number for string", memory('"company":7'), (("company", "WRONG_TYPE"),)),
    Bad("boolean for number", memory('"importance":true'), (("importance", "WRONG_TYPE"),)),
    Bad("number for boolean", memory('"pinned":1'), (("pinned", "WRONG_TYPE"),)),
    Bad("string for boolean", memory('"pinned":"true"'), (("pinned", "WRONG_TYPE"),)),
    Bad("string for array", memory('"tags":"a"'), (("tags", "WRONG_TYPE"),)),
    Bad("object for array", memory('"tags":{}'), (("tags", "WRONG_TYPE"),)),
    Bad("null inside array", memory('"tags":["a",null]'), (("tags[1]", "WRONG_TYPE"),)),
    Bad("array for string", memory('"company":[]'), (("company", "WRONG_TYPE"),)),
    Bad("number for enum", memory('"memoryType":1'), (("memoryType", "WRONG_TYPE"),)),
    Bad("unknown enum word", memory('"memory_type":"eternal"'), (("memory_type", "VALUE_UNKNOWN"),)),
    Bad("enum word in upper case", memory('"memoryType":"SEMANTIC"'), (("memoryType", "VALUE_UNKNOWN"),)),
    Bad("NaN", memory('"importance":NaN'), (("importance", "NUMBER_NOT_FINITE"),)),
    Bad("Infinity", memory('"importance":-Infinity'), (("importance", "NUMBER_NOT_FINITE"),)),
    Bad("too large a double", memory('"importance":1e999'), (("importance", "NUMBER_OUT_OF_RANGE"),)),
    Bad("too long a double", memory('"importance":' + "1" * 9999), (("importance", "NUMBER_OUT_OF_RANGE"),)),
    Bad("NUL", memory(r'"company":"a\u0000"'), (("company", "FORBIDDEN_CHARACTER"),)),
    Bad("lone surrogate", memory(r'"company":"a\udc00"'), (("company", "FORBIDDEN_CHARACTER"),)),
    Bad("NUL in a list", memory(r'"tags":["a","\u0000"]'), (("tags[1]", "FORBIDDEN_CHARACTER"),)),
    Bad("field twice", memory('"company":"a","company":"a"'), (("company", "DUPLICATE_FIELD"),)),
    Bad("field twice, once null", memory('"company":null,"company":"a"'), (("company", "DUPLICATE_FIELD"),)),
    Bad("both spellings", memory('"sourceRef":"a","source_ref":"b"'), (("source_ref", "DUPLICATE_FIELD"),)),
    Bad("naive time", memory('"observedAt":"2026-04-01T09:00:00"'), (("observedAt", "TIME_NAIVE"),)),
    Bad("a date", memory('"observedAt":"2026-04-01"'), (("observedAt", "TIME_INVALID"),)),
    Bad("no such day", memory('"observedAt":"2026-02-30T09:00:00Z"'), (("observedAt", "TIME_INVALID"),)),
    Bad("no such hour", memory('"observedAt":"2026-02-03T24:00:00Z"'), (("observedAt", "TIME_INVALID"),)),
    Bad("no such offset", memory('"observedAt":"2026-02-03T09:00:00+24:00"'), (("observedAt", "TIME_INVALID"),)),
    Bad("before year 1", memory('"observedAt":"0001-01-01T00:00:00+01:00"'), (("observedAt", "TIME_INVALID"),)),
    Bad("after year 9999", memory('"observedAt":"9999-12-31T23:59:59-01:00"'), (("observedAt", "TIME_INVALID"),)),
    Bad("ten digits", memory('"observedAt":"2026-02-03T09:00:00.0123456789Z"'), (("observedAt", "TIME_INVALID"),)),
    Bad("other digits", memory('"observedAt":"٢٠٢٦-02-03T09:00:00Z"'), (("observedAt", "TIME_INVALID"),)),
    Bad("time as number", memory('"observedAt":1775034000'), (("observedAt", "WRONG_TYPE"),)),
    Bad("NUL in metadata", memory(r'"metadata":{"a":["x","\u0000"]}'), (("metadata.a[1]", "FORBIDDEN_CHARACTER"),)),
    Bad("surrogate in metadata", memory(r'"metadata":{"a":"\ud83d"}'), (("metadata.a", "FORBIDDEN_CHARACTER"),)),
    Bad("NUL in a key", memory(r'"metadata":{"a\u0000":1}'), (("metadata.a\0", "FORBIDDEN_CHARACTER"),)),
    Bad("NaN in metadata", memory('"metadata":{"a":{"b":NaN}}'), (("metadata.a.b", "NUMBER_NOT_FINITE"),)),
    Bad("key twice in metadata", memory('"metadata":{"a":{"b":1,"b":1}}'), (("metadata.a.b", "DUPLICATE_FIELD"),)),
    Bad("deep metadata", memory(f'"metadata":{{"a":{DEEP}}}'), (("metadata.a" + "[0]" * 63, "JSON_TOO_DEEP"),)),
    Bad("everything at once", '{"kind":1,"content":2}', (("kind", "WRONG_TYPE"), ("content", "WRONG_TYPE"))),
    Bad(
        "no more than twenty",
        "{" + ",".join(f'"f{i}":1' for i in range(50)) + "}",
        tuple((f"f{i}", "UNKNOWN_FIELD") for i in range(20)),
    ),
    Bad(
        "inside a batch",
        '{"memories":[{"kind":"note","content":"c"},{"kind":"note","content":7},3]}',
        (("memories[1].content", "WRONG_TYPE"), ("memories[2]", "WRONG_TYPE")),
        path="/v1/memories:batch",
    ),
    Bad("the tenant in a whole body", '{"tenantId":"x"}', (("tenantId", "FIELD_NOT_ALLOWED"),), path="/v1/recall"),
    Bad("the tenant, other spelling", '{"tenant_id":"x"}', (("tenant_id", "FIELD_NOT_ALLOWED"),), path="/v1/recall"),
    Bad("fraction for integer", '{"query":"q","limit":5.0}', (("limit", "WRONG_TYPE"),), path="/v1/recall"),
    Bad("string for integer", '{"query":"q","limit":"5"}', (("limit", "WRONG_TYPE"),), path="/v1/recall"),
    Bad("33 bits", '{"query":"q","limit":2147483648}', (("limit", "NUMBER_OUT_OF_RANGE"),), path="/v1/recall"),
    Bad("5000 digits", '{"limit":' + "9" * 5000 + "}", (("limit", "NUMBER_OUT_OF_RANGE"),), path="/v1/recall"),
    Bad(
        "a field of the path in the body",
        '{"memoryId":"m"}',
        (("memoryId", "FIELD_NOT_ALLOWED"),),
        path="/v1/memories/m",
        method="PATCH",
    ),
    Bad(
        "mask with a space",
        '{"updateMask":"content, company"}',
        (("updateMask", "FIELD_MASK_INVALID"),),
        path="/v1/memories/m",
        method="PATCH",
    ),
    Bad("parameter beside a whole body", "{}", (("limit", "UNKNOWN_FIELD"),), path="/v1/recall?limit=5"),
    Bad(
        "idempotency key differs",
        "{}",
        (("request_id", "IDEMPOTENCY_KEY_MISMATCH"),),
        path="/v1/memories?requestId=two",
        headers={**JSON, "idempotency-key": "one"},
    ),
    Bad(
        "idempotency key too long",
        "{}",
        (("Idempotency-Key", "IDEMPOTENCY_KEY_INVALID"),),
        headers={**JSON, "idempotency-key": "x" * 129},
    ),
    Bad("a body where none is read", "{}", (("body", "BODY_NOT_ALLOWED"),), path="/memory/count", method="GET"),
    get("unknown parameter", "/v1/memories?colour=red", ("colour", "UNKNOWN_FIELD")),
    get("parameter twice", "/v1/memories?limit=1&limit=2", ("limit", "DUPLICATE_FIELD")),
    get("parameter twice, both spellings", "/v1/memories?pageToken=1&page_token=2", ("pageToken", "DUPLICATE_FIELD")),
    get("the tenant as parameter", "/v1/memories?tenantId=x", ("tenantId", "FIELD_NOT_ALLOWED")),
    get("a field of the path as parameter", "/v1/memories/m?memory_id=n", ("memory_id", "FIELD_NOT_ALLOWED")),
    get("limit is no number", "/v1/memories?limit=many", ("limit", "WRONG_TYPE")),
    get("limit is empty", "/v1/memories?limit=", ("limit", "WRONG_TYPE")),
    get("limit is a fraction", "/v1/memories?limit=1.5", ("limit", "WRONG_TYPE")),
    get("limit is too large", "/v1/memories?limit=2147483648", ("limit", "NUMBER_OUT_OF_RANGE")),
    get("importance is no number", "/v1/memories?minImportance=0x1", ("minImportance", "WRONG_TYPE")),
    get("unknown word", "/v1/memories?kind=novel", ("kind", "VALUE_UNKNOWN")),
    get("naive time", "/v1/memories?validAt=2026-04-01T09:00:00", ("validAt", "TIME_NAIVE")),
    get("NUL as parameter", "/v1/memories?company=%00", ("company", "FORBIDDEN_CHARACTER")),
    get("NUL in the path", "/v1/memories/%00", ("memory_id", "FORBIDDEN_CHARACTER")),
    get("parameter is not UTF-8", "/v1/memories?company=%ff", ("query", "QUERY_INVALID")),
    get("too many parameters", "/v1/memories?" + "&".join(["tags=a"] * 201), ("query", "QUERY_INVALID")),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.name)
async def test_it_is_refused_by_name(gateway: Gateway, bad: Bad) -> None:
    content = bad.body.encode() if isinstance(bad.body, str) else bad.body
    response = await gateway.client.request(bad.method, bad.path, content=content, headers=bad.headers)
    assert response.status_code == bad.status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert tuple((v["field"], v["reason"]) for v in problem["violations"]) == bad.violations
    assert problem["reason"] == bad.violations[0][1]
    assert gateway.script.asked == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/json; charset=latin-1"},
        {"content-type": "application/json, text/plain"},
        {"content-type": "application/json", "content-encoding": "gzip"},
    ],
    ids=str,
)
async def test_only_plain_json_is_read(gateway: Gateway, headers: dict[str, str]) -> None:
    response = await gateway.client.post("/v1/recall", content=b"{}", headers=headers)
    assert response.status_code == 415, response.text
    assert gateway.script.asked == []


async def test_a_body_over_the_limit_is_413(gateway: Gateway) -> None:
    async def chunks(count: int) -> AsyncIterator[bytes]:
        for _ in range(count):
            yield b" " * 100_000

    for count, reason in ((10, "JSON_INVALID"), (11, "BODY_TOO_LARGE")):
        for content in (chunks(count), b" " * 100_000 * count):  # without and with its length in the header
            response = await gateway.client.post("/v1/recall", content=content, headers=JSON)
            assert response.json()["reason"] == reason
            assert (response.status_code == 413) == (reason == "BODY_TOO_LARGE")
            assert reason == "JSON_INVALID" or response.json()["metadata"] == {"max_bytes": "1000000"}


@pytest.mark.parametrize(
    "path", ["/", "/v1", "/v1/", "/v1/memories/", "/v1//memories", "/v1/nothing", "/v1/memories/a/b/c", "/v2/recall"]
)
async def test_an_unknown_route_is_a_problem(gateway: Gateway, path: str) -> None:
    response = await gateway.client.get(path)
    assert (response.status_code, response.json()["reason"]) == (404, "ROUTE_NOT_FOUND")
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "/v1/memories", "GET, HEAD, POST"),
        ("GET", "/v1/recall", "POST"),
        ("OPTIONS", "/v1/memories/m", "GET, HEAD, PATCH"),
        ("BREW", "/memory/count", "GET, HEAD"),
        ("POST", "/health", "GET, HEAD"),
    ],
)
async def test_another_verb_names_those_that_are_served(gateway: Gateway, method: str, path: str, allow: str) -> None:
    response = await gateway.client.request(method, path)
    assert (response.status_code, response.json()["reason"]) == (405, "METHOD_NOT_ALLOWED")
    assert ", ".join(sorted(response.headers["allow"].split(", "))) == allow


@pytest.mark.parametrize(
    ("text", "seconds", "nanos"),
    [
        ("1970-01-01T00:00:00Z", 0, 0),
        ("1969-12-31T23:59:59.5z", -1, 500_000_000),
        ("2026-04-01t11:00:00.123456789+02:00", 1_775_034_000, 123_456_789),
        ("2026-04-01T00:30:00-08:30", 1_775_034_000, 0),
    ],
)
async def test_a_time_keeps_its_instant(gateway: Gateway, text: str, seconds: int, nanos: int) -> None:
    response = await gateway.client.post("/v1/memories", json={"kind": "note", "content": "c", "observedAt": text})
    assert response.status_code == 200, response.text
    moment = gateway.script.asked[0][1].memory.observed_at
    assert (moment.seconds, moment.nanos) == (seconds, nanos)


async def test_a_plus_sign_left_plain_in_a_query_is_understood(gateway: Gateway) -> None:
    await gateway.client.get("/v1/memories?validAt=2026-04-01T11:00:00+02:00")
    assert gateway.script.asked[0][1].valid_at.seconds == 1_775_034_000


async def test_an_enum_is_read_in_both_spellings(gateway: Gateway) -> None:
    for word in ("payroll_event", "KIND_PAYROLL_EVENT"):
        await gateway.client.post("/v1/recall", json={"query": "q", "kind": word})
    assert [request.kind for _, request in gateway.script.asked] == [2, 2]
