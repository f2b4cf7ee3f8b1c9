"""MoneyService: profit and loss out of the ledger, and its entries one by one.

Rules: sums and lists are read in one snapshot. Figures are always whole; lists are bounded, and say so where they were
cut. Pages of entries agree with the first one: it fixes the instant at which they are believed.
It does not know what a profit is (shared/domain/money), nor how a report looks (pnl_message.py, pnl_table.py).
Source: REQUIREMENTS E4; DESIGN 5.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from candor.retrieve.v1 import ledger_pb2 as ledger_pb
from candor.retrieve.v1 import pnl_pb2 as pb
from candor.retrieve.v1.pnl_pb2_grpc import MoneyServiceServicer

from services.retrieve.filters import Reader, memory_id_of
from services.retrieve.page_tokens import Tokens, from_instant, to_instant
from services.retrieve.pnl_message import Found, entry_message, report_message
from services.retrieve.pnl_table import table
from shared.domain.money.amounts import known_currency
from shared.domain.periods import period_bounds
from shared.rpc import wire
from shared.rpc.context import Context
from shared.rpc.wire import money
from shared.store.pool import Connection, Pool, run
from shared.store.reads import ledger
from shared.store.reads.ledger import Entry, Only, Place, Scope

DEFAULT_LIMIT, LIMIT_MAX = 50, 1_000  # the contract's
TOP_EMPLOYEES, TOP_MEMORIES = 5, 12  # the contract's
UNKNOWN = "unknown"  # the contract's word for entries of unknown currency


class Money(MoneyServiceServicer):
    """Answers from the database of one pool."""

    def __init__(self, pool: Pool, token_key: bytes, now: Callable[[], datetime]) -> None:
        self._pool = pool
        self._token_key = token_key
        self._now = now

    async def GetProfitAndLoss(
        self, request: pb.GetProfitAndLossRequest, context: Context
    ) -> pb.GetProfitAndLossResponse:
        """Sum the ledger. Raises: InvalidArgument naming every wrong field."""
        now, reader = self._now(), Reader(request)
        scope, limit = _scope(request, reader, now), _limit(request.limit, reader)
        reader.check()

        async def read(connection: Connection) -> Found:
            groups = await ledger.totals(connection, scope)
            kinds = list(dict.fromkeys((group.side, group.sums.currency) for group in groups))
            latest = await ledger.latest(connection, scope, kinds, limit)
            most = {"limit": TOP_EMPLOYEES, "memories": TOP_MEMORIES}
            return Found(groups, latest, await ledger.dearest(connection, scope, **most))

        found = await run(self._pool, scope.tenant_id, read, read_only=True)
        report = report_message(found, scope.known_at or now)
        if request.format == pb.REPORT_FORMAT_CSV:
            report.csv = table(report)
        return report

    async def ListLedgerEntries(
        self, request: ledger_pb.ListLedgerEntriesRequest, context: Context
    ) -> ledger_pb.ListLedgerEntriesResponse:
        """Read one page of entries. Raises: InvalidArgument naming every wrong field."""
        now, reader = self._now(), Reader(request)
        scope, limit = _scope(request, reader, now), _limit(request.limit, reader)
        currency = _currency(request.currency, reader)
        reader.check()
        scope = replace(scope, side=money.side_of(request.side))
        memory_id = memory_id_of(request.memory_id) if request.memory_id else None
        tokens = Tokens(self._token_key, scope.tenant_id, request, "page_token")
        token = tokens.open(request.page_token)
        after = None
        if token is not None:
            known_at = to_instant(token[0])
            scope = replace(scope, known_at=known_at, expired_at=scope.valid_at or known_at)
            after = Place(to_instant(token[1]), UUID(str(token[2])), int(token[3]))

        async def read(connection: Connection) -> list[Entry]:
            only = Only(currency, memory_id)
            return await ledger.page(connection, scope, only, after, limit + 1)

        found = await run(self._pool, scope.tenant_id, read, read_only=True)
        next_token = ""
        if len(found) > limit:
            # The clocks of writers may be ahead of ours: what the first page showed is within the instant it fixes.
            known_at = scope.known_at or max(now, *(entry.recorded_at for entry in found))
            last = found[limit - 1]
            place = (from_instant(last.written_at), str(last.memory_id), last.ordinal)
            next_token = tokens.seal((from_instant(known_at), *place))
        return ledger_pb.ListLedgerEntriesResponse(
            entries=map(entry_message, found[:limit]), next_page_token=next_token
        )


def _scope(
    request: pb.GetProfitAndLossRequest | ledger_pb.ListLedgerEntriesRequest, reader: Reader, now: datetime
) -> Scope:
    """Return the scope of a request; the reader collects what is wrong with it.

    Raises: InvalidArgument TENANT_INVALID, TIME_INVALID.
    """
    valid_at, known_at = wire.instant(request, "valid_at"), wire.instant(request, "known_at")
    if known_at is not None and known_at >= now:
        known_at = None
    period = reader.period()
    first, last = period_bounds(period) if period else (None, None)
    begins = [day for day in (first, reader.period_end("period_from", 0)) if day]
    ends = [day for day in (last, reader.period_end("period_to", 1)) if day]
    return Scope(
        tenant_id=wire.tenant(request),
        expired_at=valid_at or known_at or now,
        company_key=reader.company(),
        first_day=max(begins, default=None),
        last_day=min(ends, default=None),
        known_at=known_at,
        valid_at=valid_at,
    )


def _limit(given: int, reader: Reader) -> int:
    if not 0 <= given <= LIMIT_MAX:
        reader.refuse("limit", "LIMIT_OUT_OF_RANGE", f"must be between 1 and {LIMIT_MAX}")
    return given or DEFAULT_LIMIT


def _currency(given: str, reader: Reader) -> str | None:
    """Return the code that is meant, "" for unknown ones; None filters nothing."""
    if not given.strip():
        return None
    if given.strip().casefold() == UNKNOWN:
        return ""
    code = known_currency(given)
    if code is None:
        reader.refuse("currency", "CURRENCY_INVALID", f"must be an ISO 4217 code or {UNKNOWN}")
    return code
