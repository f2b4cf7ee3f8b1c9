"""PairsService: pairs of memories that may contradict each other in meaning, nearest first, with earlier verdicts.

Rules: the order within a part is total, so a stream that goes on after a pair leaves none out; pairs beyond those in
hand are searched for again, in the same part. Both sides are read when a pair is sent: one that has ended meanwhile is
passed over. Statements are known by keyed hashes of what a judge is given. It does not judge.
Source: REQUIREMENTS C5.
"""

import math
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from candor.memory.v1 import verdict_pb2
from candor.retrieve.v1 import pairs_pb2 as pb
from candor.retrieve.v1.pairs_pb2_grpc import PairsServiceServicer

from services.retrieve.filters import Reader
from services.retrieve.page_tokens import Tokens
from services.retrieve.pair_part import Part, opened, seal
from services.retrieve.pair_search import Found, PairSearch, Search
from shared.domain.errors import UpstreamUnavailable
from shared.domain.pairs import KEPT_PAIRS, Collection, Place, gate_cosine, statement_hash
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, Pool, run, run_without_tenant
from shared.store.reads import pairs
from shared.store.reads.conflicts import Limits
from shared.store.reads.pairs import PairSide, StoredVerdict
from shared.store.reads.statistics import Generation, current_generation

SEND_PAGE = 50  # pairs whose memories are read at once (chosen, untested)
MAX_SCAN_SECONDS = 600

Hashes: TypeAlias = tuple[bytes, bytes]
Filtered: TypeAlias = pb.StreamPairsRequest | pb.CountPairsRequest


@dataclass(frozen=True, slots=True)
class Look:
    """What a request looks for, by which vectors, and whose verdicts it wants."""

    search: Search
    model: str
    judge_model: str = ""
    prompt_version: str = ""

    @property
    def limits(self) -> Limits:
        """Return the scope."""
        return self.search.limits


class Pairs(PairsServiceServicer):
    """Answers from the database of one pool."""

    def __init__(
        self,
        pool: Pool,
        *,
        token_key: bytes,
        statement_key: bytes,
        now: Callable[[], datetime],
        search: PairSearch | None = None,
        kept_pairs: int = KEPT_PAIRS,
    ) -> None:
        self._pool = pool
        self._token_key = token_key
        self._statement_key = statement_key
        self._now = now
        self._search = search or PairSearch(pool)
        self._kept_pairs = kept_pairs

    async def CountPairs(self, request: pb.CountPairsRequest, context: Context) -> pb.CountPairsResponse:
        """Count the eligible pairs in scope."""
        look = await self._look(request)
        found = await self._search.run(look.search, Collection(most=1))
        return pb.CountPairsResponse(totals=_totals(look, Part(look.search.now).up_to(found), found))

    async def StreamPairs(
        self, request: pb.StreamPairsRequest, context: Context
    ) -> AsyncGenerator[pb.StreamPairsResponse, None]:
        """Stream the totals and the eligible pairs, part by part."""
        look = await self._look(request)
        tokens = Tokens(self._token_key, look.limits.tenant_id, _bound(request, look), "resume_token")
        part = opened(tokens.open(request.resume_token)) or Part(look.search.now)
        left = request.max_pairs or None
        is_told = False
        while True:
            most = self._kept_pairs if left is None else min(left, self._kept_pairs)
            collection = Collection(after=part.place, most=most)
            found = await self._search.run(part.within(look.search), collection)
            part, places = part.up_to(found), collection.places()
            following = part.next(found) if len(places) < most else None
            if not is_told:
                token = seal(tokens, part if places else following or part)
                yield pb.StreamPairsResponse(totals=_totals(look, part, found), resume_token=token)
                is_told = True
            for begin in range(0, len(places), SEND_PAGE):
                page = places[begin : begin + SEND_PAGE]
                for at, pair in zip(page, await self._messages(look, page), strict=True):
                    part = replace(part, place=at)
                    if pair is not None:
                        token = seal(tokens, following if following and at == places[-1] else part)
                        yield pb.StreamPairsResponse(pair=pair, resume_token=token)
            if len(places) == most:
                left = None if left is None else left - most
                if left == 0:
                    return
            elif following is None or left is not None:
                return
            else:
                part, is_told = following, False

    async def _look(self, request: Filtered) -> Look:
        """Read a request. Raises: InvalidArgument naming every wrong field."""
        reader = Reader(request)
        limits = Limits(wire.tenant(request), reader.company(), reader.period(), wire.kind_of(request.kind))
        threshold = reader.share("similarity_threshold", "SIMILARITY_OUT_OF_RANGE")
        seconds = request.max_scan_seconds
        if not 0 <= seconds <= MAX_SCAN_SECONDS:
            reader.refuse("max_scan_seconds", "SCAN_SECONDS_OUT_OF_RANGE", f"must be from 0 to {MAX_SCAN_SECONDS}")
        judge = ("", "")
        if isinstance(request, pb.StreamPairsRequest):
            judge = (request.judge_model, request.prompt_version)
            if request.max_pairs < 0:
                reader.refuse("max_pairs", "MAX_PAIRS_OUT_OF_RANGE", "must not be negative")
        reader.check()
        generation = await self._generation()
        if threshold is None:
            threshold = gate_cosine(generation.model)
        search = Search(limits, self._now(), generation.number, threshold, float(seconds) if seconds else None)
        return Look(search, generation.model, *judge)

    async def _generation(self) -> Generation:
        generation = await run_without_tenant(self._pool, current_generation)
        if generation is None:
            raise UpstreamUnavailable("SCHEMA_INCOMPLETE", "the database has no embedding generation yet")
        return generation

    async def _messages(self, look: Look, places: Sequence[Place]) -> list[pb.MemoryPair | None]:
        """Read both sides of pairs and what was said of them; None for a pair that is there no more."""
        ids = sorted({one for place in places for one in (place.first, place.second)})
        tenant_id = look.limits.tenant_id
        hashes: dict[UUID, bytes] = {}

        async def read(
            connection: Connection,
        ) -> tuple[dict[UUID, PairSide], dict[Hashes, StoredVerdict]]:
            sides = await pairs.sides(connection, look.limits, look.search.now, ids)
            hashes.update((one, self._hash(tenant_id, side)) for one, side in sides.items())
            if not look.judge_model:
                return sides, {}
            wanted = [_key(hashes, place) for place in places if {place.first, place.second} <= sides.keys()]
            return sides, await pairs.verdicts(connection, tenant_id, wanted, look.judge_model, look.prompt_version)

        sides, verdicts = await run(self._pool, tenant_id, read, read_only=True)
        return [
            pb.MemoryPair(
                first=_memory(sides[place.first], hashes[place.first]),
                second=_memory(sides[place.second], hashes[place.second]),
                similarity=place.similarity,
                verdict=_verdict(verdicts.get(_key(hashes, place))),
            )
            if {place.first, place.second} <= sides.keys()
            else None
            for place in places
        ]

    def _hash(self, tenant_id: UUID, side: PairSide) -> bytes:
        """Return what identifies a statement as a judge is given it."""
        observed_at = side.carrier.observed_at
        told = (side.content, side.company or side.speaker, side.period, side.carrier.kind.value)
        return statement_hash(tenant_id, self._statement_key, *told, observed_at.isoformat() if observed_at else None)


def _bound(request: pb.StreamPairsRequest, look: Look) -> pb.StreamPairsRequest:
    """Return what a resume token is bound to: the filters, the threshold that is in force, and the purpose."""
    return pb.StreamPairsRequest(
        company=look.limits.company_key,
        period=look.limits.period,
        kind=request.kind,
        similarity_threshold=look.search.threshold,
        max_scan_seconds=look.search.generation,  # never searched with: another generation has other similarities
        purpose=request.purpose,
    )


def _totals(look: Look, part: Part, found: Found) -> pb.PairTotals:
    counts = part.before.plus(found)
    return pb.PairTotals(
        memories=found.memories,
        audited=counts.audited,
        eligible=counts.eligible,
        eligible_at_least=not (part.end is None and found.pairs.is_exact),
        restatements=counts.restatements,
        similarity_threshold=look.search.threshold,
        embedding_model=look.model,
        complete=part.end is None,
        known_at=wire.to_timestamp(look.search.now),
        began_at=wire.to_timestamp(part.began_at),
    )


def _key(hashes: dict[UUID, bytes], place: Place) -> Hashes:
    first, second = sorted((hashes[place.first], hashes[place.second]))
    return first, second


def _memory(side: PairSide, hashed: bytes) -> pb.PairedMemory:
    carrier = side.carrier
    return pb.PairedMemory(
        memory_id=str(carrier.memory_id),
        statement_hash=hashed,
        kind=wire.to_kind(carrier.kind),
        memory_type=wire.to_memory_type(carrier.memory_type),
        derived=carrier.derived,
        importance=carrier.importance,
        content=side.content,
        company=side.company,
        speaker=side.speaker,
        period=side.period,
        source_ref=carrier.source_ref,
        session=side.session,
        observed_at=wire.to_timestamp(carrier.observed_at),
        recorded_at=wire.to_timestamp(carrier.recorded_at),
    )


def _verdict(stored: StoredVerdict | None) -> verdict_pb2.PairVerdict | None:
    if stored is None or not math.isfinite(stored.confidence):
        return None
    number = verdict_pb2.Verdict.Value(f"VERDICT_{stored.verdict.upper()}")
    return verdict_pb2.PairVerdict(verdict=number, confidence=stored.confidence, reason=stored.reason)
