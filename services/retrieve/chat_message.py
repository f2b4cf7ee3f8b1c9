"""A chat as the contract writes it, and what judge is asked. It does not know how a reply came about."""

from uuid import UUID

from candor.judge.v1 import conversation_pb2 as judge
from candor.retrieve.v1 import chat_pb2 as pb

from services.retrieve.answer_message import answer_message, found_message
from services.retrieve.chat_context import Material
from services.retrieve.chat_request import ASSISTANT, Saying
from services.retrieve.evidence import task_of
from services.retrieve.narrating import Told
from services.retrieve.reranking import NOT_ASKED
from shared.rpc import wire


def conversation_task(saying: Saying, question: str, material: Material) -> judge.ConversationTask:
    """Write what judge is asked."""
    ranked = material.ranked
    return judge.ConversationTask(
        narration=task_of(question, material.evidence, ranked, saying.tenant_id, saying.max_total_tokens),
        said=[judge.Utterance(by_user=turn.speaker != ASSISTANT, text=turn.text) for turn in material.turns],
        at=wire.to_timestamp(ranked.known_at),
    )


def heard_message(saying: Saying, turn_id: UUID, material: Material) -> pb.Heard:
    """Write what was heard and found."""
    found = found_message(material.ranked, NOT_ASKED, saying.tenant_id)
    return pb.Heard(
        session=saying.session,
        turn_id=str(turn_id),
        turns_used=len(material.turns),
        tokens_used=material.tokens,
        hits=found.hits,
        conflicts=found.conflicts,
        retrieval=found.retrieval,
    )


def reply_message(told: Told, material: Material, reply_id: UUID | None, milliseconds: int) -> pb.Reply:
    """Write a reply."""
    answer = answer_message(told, material.evidence, told.spent, milliseconds)
    return pb.Reply(
        text=answer.answer,
        citations=answer.citations,
        model_id=answer.model_id,
        grounding=answer.grounding if answer.HasField("grounding") else None,
        degraded=answer.degraded if answer.HasField("degraded") else None,
        degradation_code=answer.degradation_code if answer.HasField("degradation_code") else None,
        degradation_attempts=answer.degradation_attempts if answer.HasField("degradation_attempts") else None,
        reply_id=str(reply_id) if reply_id else None,
        usage=answer.usage,
    )
