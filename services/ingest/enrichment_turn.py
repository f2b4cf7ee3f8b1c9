"""A turn as it is read, and its facts as memories to be written.

Rules: a fact's memory is a note of the record it is about, dated by when it holds and not by when it was read; its
source is the turn. What judge says is checked like what a caller says. It does not ask anybody and writes nothing.
Source: REQUIREMENTS A5, A6, D3.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from services.ingest.revising import Derive
from shared.domain import draft as drafts
from shared.domain.errors import InvalidArgument, UpstreamUnavailable
from shared.domain.extraction.facts import USER, Fact, Heard, Importance, Known
from shared.domain.lanes import Lane, canonical_of, is_value, metadata_of, place_of, record_of
from shared.domain.revision import Revision
from shared.domain.supersession import Held
from shared.domain.text import fold
from shared.domain.types import Draft, MemoryKind

ASSISTANT = "assistant"  # the entry of a turn's metadata with what the assistant said
TAG = "fact"
REASON_MAX_CHARS = 500


@dataclass(frozen=True, slots=True)
class Reading:
    """A fact of a turn with all that follows from its text; `told` bears the id it will have if it is written.

    `lane` is None for a fact without a slot; `terms` are those of its words alone, its labels left out. `before` is the
    fact that names this one as what was before it.
    """

    fact: Fact
    score: Importance
    revision: Revision
    told: Held
    lane: Lane | None
    former: str
    terms: tuple[int, ...]
    before: UUID | None = None

    @property
    def record_key(self) -> str:
        """The key of the record it is about."""
        return self.revision.record_key or ""


def heard_of(draft: Draft, recorded_at: datetime, known: Sequence[tuple[str, str]]) -> Heard:
    """Return a turn as an extractor hears it; `known` are (attribute, raw value) of what is held of the speaker."""
    said = json.loads(draft.metadata_json).get(ASSISTANT, "")
    held = tuple(Known(attribute, str(json.loads(raw))) for attribute, raw in known if is_value(raw))
    return Heard(draft.content, draft.observed_at or recorded_at, str(said), draft.speaker or USER, held)


def reading(
    derive: Derive,
    source: tuple[UUID, Draft],
    fact: Fact,
    score: Importance,
    memory_id: UUID,
    at: datetime,
    before: UUID | None = None,
) -> Reading:
    """Return a fact ready to be placed; `source` is its turn. Raises: UpstreamUnavailable JUDGE_ANSWER_INVALID."""
    turn_id, turn = source
    record = record_of(fact, turn.speaker or USER)
    try:
        draft = drafts.check(
            kind=MemoryKind.NOTE,
            content=fact.text,
            record=record,
            speaker=turn.speaker,
            session=turn.session,
            tags=(TAG,),
            metadata_json=metadata_of(fact),
            observed_at=None if before else fact.valid_from,
            expires_at=fact.valid_to if fact.valid_to and fact.valid_to > fact.valid_from else None,
            memory_type=score.memory_type,
            source_memory_ids=(turn_id,),
            protection=score.protection,
        )
    except InvalidArgument as error:
        raise invalid(f"a fact cannot be a memory: {error.reason}") from error
    revision = derive(draft)
    lane, value = (None, "")
    if revision.claims and fact.slot:
        lane, value = place_of(revision.record_key or "", revision.claims[0])
    since = draft.observed_at or fact.valid_from
    return Reading(
        fact=fact,
        score=score,
        revision=revision,
        told=Held(memory_id, since, at, value, until=draft.expires_at, told_at=turn.observed_at or at),
        lane=lane,
        former=canonical_of(fact.slot, fact.former_value) if fact.slot else "",
        terms=tuple(dict.fromkeys(derive(Draft(MemoryKind.NOTE, fold(fact.text))).terms)),
        before=before,
    )


def told_of_before(fact: Fact) -> Fact | None:
    """Return what a fact tells of the value before it: the same said of that one, not known since when."""
    names_it = fact.former_value and fact.slot and fact.value and not (fact.multi or fact.ends or fact.corrects)
    if not names_it or fact.text.count(fact.value) != 1:
        return None
    text = fact.text.replace(fact.value, fact.former_value)
    return replace(fact, text=text, value=fact.former_value, former_value="", valid_to=None)


def invalid(told: str) -> UpstreamUnavailable:
    """Return the error for an answer of judge that cannot be used; the turn stays as it is and is read again later."""
    return UpstreamUnavailable("JUDGE_ANSWER_INVALID", told)
