"""What printing a recall of ten hits costs: our compiled encoder beside json_format and a dictionary made by hand.

    python -m tests.bench.encode

Prints microseconds of CPU time per response on one core.
"""

import json
import time
import timeit
from collections.abc import Callable

import orjson
from candor.memory.v1.finding_pb2 import AssertedValue, Contradiction, Resolution
from candor.memory.v1.memory_pb2 import Kind, Memory, MemoryType, State
from candor.retrieve.v1.recall_pb2 import Explanation, Hit, Mode, Passage, RecallMemoriesResponse, Retrieval
from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp

from gateway import encode
from gateway.contracts import enum_words

ROUNDS = 15
CALLS_PER_ROUND = 300
INSTANT = Timestamp(seconds=1_775_000_000, nanos=123_456_000)
_KINDS, _TYPES, _STATES = (enum_words(words.DESCRIPTOR) for words in (Kind, MemoryType, State))
CONTENT = "Halden Paper corrected invoice INV-5521: the amount due is EUR 8,900, payable by 30 April 2026. " * 3


def _hit(number: int) -> Hit:
    memory = Memory(
        id=f"0192d1c8-7c3e-7aaa-8bbb-00000000{number:04d}",
        revision=1,
        kind=Kind.KIND_DOCUMENT,
        content=CONTENT,
        company="Northwind Trading",
        period="2026-04",
        record=f"INV-{5521 + number}",
        source_ref="inbox/halden-paper.pdf",
        session="accounts-friday",
        tags=["payables", "paper"],
        metadata='{"amount":8900.00,"currency":"EUR","vendor":"Halden Paper"}',
        memory_type=MemoryType.MEMORY_TYPE_SEMANTIC,
        references=["PO-118"],
        observed_at=INSTANT,
        recorded_at=INSTANT,
        state=State.STATE_ACTIVE,
    )
    explanation = Explanation(dense=0.71, dense_rank=number + 1, lexical=8.25, lexical_rank=number + 1, fused=0.93)
    return Hit(memory=memory, score=0.93, explanation=explanation, passage=Passage(end=200), conflict_ids=["f-1"])


def ten_hits() -> RecallMemoriesResponse:
    """A recall as the tour makes it: ten hits and one conflict."""
    values = [
        AssertedValue(memory_id=f"m-{i}", carrier_memory_ids=[f"m-{i}"], carrier_count=1, value=str(8400 + 500 * i))
        for i in range(2)
    ]
    conflict = Contradiction(
        finding_id="f-1",
        subject="INV-5521",
        company="Northwind Trading",
        attribute="amount",
        values=values,
        value_count=2,
        resolution=Resolution(recommended_memory_id="m-1", recommended_value="8900", rule="recency", confidence=0.58),
    )
    retrieval = Retrieval(mode=Mode.MODE_HYBRID, exact=True, candidates=120, embedding_model="m", known_at=INSTANT)
    return RecallMemoriesResponse(hits=[_hit(i) for i in range(10)], conflicts=[conflict], retrieval=retrieval)


def by_hand(m: Memory) -> dict[str, object]:
    """Return what our encoder makes of a memory, in code that knows this one message: the least that Python takes."""
    has = m.HasField
    return {
        "id": m.id,
        "revision": m.revision,
        "kind": _KINDS[m.kind],
        "content": m.content,
        "company": m.company if has("company") else None,
        "period": m.period if has("period") else None,
        "record": m.record if has("record") else None,
        "sourceRef": m.source_ref if has("source_ref") else None,
        "counterparty": m.counterparty if has("counterparty") else None,
        "speaker": m.speaker if has("speaker") else None,
        "session": m.session if has("session") else None,
        "tags": m.tags[:],
        "metadata": orjson.Fragment(m.metadata),
        "importance": m.importance if has("importance") else None,
        "pinned": m.pinned,
        "memoryType": _TYPES[m.memory_type],
        "references": m.references[:],
        "derivedFrom": m.derived_from[:],
        "observedAt": encode.timestamp(m.observed_at) if has("observed_at") else None,
        "validTo": encode.timestamp(m.valid_to) if has("valid_to") else None,
        "expiresAt": encode.timestamp(m.expires_at) if has("expires_at") else None,
        "recordedAt": encode.timestamp(m.recorded_at) if has("recorded_at") else None,
        "endedAt": encode.timestamp(m.ended_at) if has("ended_at") else None,
        "state": _STATES[m.state],
        "stateReason": m.state_reason if has("state_reason") else None,
        "supersededBy": m.superseded_by if has("superseded_by") else None,
        "vectorPending": m.vector_pending,
    }


def _microseconds(works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """CPU time of each; the rounds take turns, so that a busy machine is busy for all."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for name, work in works.items():
            seconds = timeit.timeit(work, timer=time.process_time, number=CALLS_PER_ROUND)
            best[name] = min(best[name], seconds / CALLS_PER_ROUND * 1e6)
    return best


def main() -> None:
    response = ten_hits()
    printed = encode.compile_message(response.DESCRIPTOR)
    text = orjson.dumps(printed(response))
    assert json.loads(text)["hits"][0]["memory"]["kind"] == "document"
    memories, compiled = [hit.memory for hit in response.hits], encode.compile_message(Memory.DESCRIPTOR)
    assert orjson.dumps([by_hand(memory) for memory in memories]) == orjson.dumps([compiled(m) for m in memories])
    figures = _microseconds(
        {
            "compiled encoder + orjson": lambda: orjson.dumps(printed(response)),
            "of it the dictionary": lambda: printed(response),
            "of it ten memories": lambda: [compiled(memory) for memory in memories],
            "ten memories by hand": lambda: [by_hand(memory) for memory in memories],
            "MessageToDict + orjson": lambda: orjson.dumps(json_format.MessageToDict(response)),
            "MessageToJson": lambda: json_format.MessageToJson(response, indent=None),
            "protobuf out and in again": lambda: RecallMemoriesResponse.FromString(response.SerializeToString()),
        }
    )
    print(f"ten hits and a conflict, {len(text)} bytes of JSON; CPU time, best of {ROUNDS} rounds")
    for name, microseconds in figures.items():
        print(f"  {name:28} {microseconds:7.1f} µs")


if __name__ == "__main__":
    main()
