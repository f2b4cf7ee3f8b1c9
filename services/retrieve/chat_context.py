"""What a reply is made from: the last turns of the talk, and what memory holds about what is said now.

Rules: both together keep the token budget; the turns take at most half of it, the newest first. Turns that are used
anyway, turns that only ask, and replies are no hits: a reply repeats what memory holds and is no evidence. The other
sides of what hits contest come as far as there is room.
It does not know who speaks to whom, nor how hits are ranked.
Source: REQUIREMENTS B6, D8.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from services.retrieve.chat_request import ASSISTANT
from services.retrieve.evidence import EVIDENCE_MAX, Exhibit, other_sides
from services.retrieve.predecessors import with_predecessors
from services.retrieve.ranking import Asked, Hit, Ranked
from services.retrieve.recall import told_hit
from services.retrieve.reranking import NOT_ASKED
from shared.domain import budget
from shared.domain.budget import tokens_of
from shared.domain.passages import PASSAGE_MAX_TOKENS, estimated_spans
from shared.domain.types import MemoryKind
from shared.store.pool import Pool
from shared.store.reads.session import Turn

TURNS_MAX = 40  # of a talk, judge's contract; some of them are replies
TURN_MAX_CHARS = 8_000  # judge's contract
TURNS_SHARE = 0.5  # of the token budget; the contract's
LOOKED_HITS = 40  # so that what is passed over leaves enough (chosen, untested)


@dataclass(frozen=True, slots=True)
class Material:
    """What a reply is made from; [1] cites the first of `evidence`."""

    turns: tuple[Turn, ...]
    ranked: Ranked
    evidence: tuple[Exhibit, ...]
    tokens: int


def before(message: str, turns: Sequence[Turn]) -> Sequence[Turn]:
    """Return the turns before the last thing that was said, if that is this message: it may be the same request."""
    for place in range(len(turns) - 1, -1, -1):
        if turns[place].speaker != ASSISTANT:
            return turns[:place] if turns[place].text == message else turns
    return turns


def up_to(turn_id: UUID, turns: Sequence[Turn]) -> Sequence[Turn]:
    """Return the turns before one, which is among them when a request is made again."""
    ids = [turn.memory_id for turn in turns]
    return turns[: ids.index(turn_id)] if turn_id in ids else turns


def last_reply(turns: Sequence[Turn]) -> str:
    """Return what the assistant said last, if nobody spoke since."""
    return turns[-1].text if turns and turns[-1].speaker == ASSISTANT else ""


def working_memory(turns: Sequence[Turn], budget_tokens: int) -> tuple[tuple[Turn, ...], int]:
    """Return the last turns that fit, the oldest first, and their tokens."""
    kept: list[Turn] = []
    used = 0
    for turn in reversed(turns):
        cost = tokens_of(f"{turn.speaker}: {turn.text}")
        if used + cost > budget_tokens or len(turn.text) > TURN_MAX_CHARS:
            break
        used += cost
        kept.append(turn)
    return tuple(reversed(kept)), used


async def material(
    pool: Pool, asked: Asked, found: Ranked, turn_id: UUID, turns: Sequence[Turn], tokens: int
) -> Material:
    """Return what a reply to a turn is made from, within so many tokens."""
    turns, used = working_memory(turns, int(tokens * TURNS_SHARE))
    passed_over = {turn_id, *(turn.memory_id for turn in turns)}
    hits = tuple(hit for hit in found.hits if hit.memory.memory_id not in passed_over and not _says_nothing(hit))
    ranked = await with_predecessors(pool, asked, replace(found, hits=hits[:EVIDENCE_MAX]))
    told = budget.packed([told_hit(hit, NOT_ASKED, ranked.known_at) for hit in ranked.hits], tokens - used)
    chosen = [ranked.hits[place] for place in told.places[:EVIDENCE_MAX]]
    ours = {id(contradiction) for hit in chosen for contradiction in hit.contradictions}
    contested = tuple(found for found in ranked.contradictions if id(found) in ours)
    ranked = replace(ranked, hits=tuple(chosen), contradictions=contested)
    used += told.tokens
    evidence = [Exhibit(hit.memory, _text(hit, tokens), NOT_ASKED.score_of(hit)) for hit in chosen]
    for side in await other_sides(pool, asked.scope, ranked):
        cost = tokens_of(side.content)
        if used + cost <= tokens:
            used += cost
            evidence.append(Exhibit(side, side.content, None))
    return Material(turns, ranked, tuple(evidence), used)


def _says_nothing(hit: Hit) -> bool:
    """Tell a reply, and a turn that only asks."""
    memory = hit.memory
    return memory.kind is MemoryKind.TURN and (memory.speaker == ASSISTANT or memory.content.rstrip()[-1:] in "?？")


def _text(hit: Hit, tokens: int) -> str:
    """Return what a line of the budget tells of a hit."""
    content = hit.memory.content
    if hit.passage is not None and tokens_of(content) > PASSAGE_MAX_TOKENS:
        content = content[hit.passage[1] : hit.passage[2]].strip()
    spans = estimated_spans(content)
    return content if len(spans) <= tokens else content[: spans[tokens - 1][1]]
