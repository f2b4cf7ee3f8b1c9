"""A memory as the contract writes it. It does not know which memories are meant nor who asked."""

from candor.memory.v1.memory_pb2 import Memory as Message

from shared.rpc import wire
from shared.store.reads.memories import Memory


def memory_message(memory: Memory) -> Message:
    """Write a memory."""
    return Message(
        id=str(memory.memory_id),
        revision=memory.revision,
        kind=wire.to_kind(memory.kind),
        content=memory.content,
        company=memory.company,
        period=memory.period,
        record=memory.record,
        source_ref=memory.source_ref,
        counterparty=memory.counterparty,
        speaker=memory.speaker,
        session=memory.session,
        tags=memory.tags,
        metadata=memory.metadata,
        importance=memory.importance,
        pinned=memory.pinned,
        memory_type=wire.to_memory_type(memory.memory_type),
        references=memory.refs,
        derived_from=[str(memory_id) for memory_id in memory.derived_from],
        observed_at=wire.to_timestamp(memory.valid_from),
        valid_to=wire.to_timestamp(memory.valid_to),
        expires_at=wire.to_timestamp(memory.expires_at),
        recorded_at=wire.to_timestamp(memory.recorded_at),
        ended_at=wire.to_timestamp(memory.ended_at),
        state=wire.to_state(memory.state),
        state_reason=memory.state_reason,
        superseded_by=str(memory.superseded_by) if memory.superseded_by else None,
        vector_pending=memory.vector_pending,
    )
