"""The way in: who calls, how often they may, what the call costs, and whether there is a place for it.

Rules: in this order: the credential, the rate, (the request is read,) the day's work units, a place. What is refused
later gives back what was taken before, but for the rate. A call that failed, or was answered as one before, costs
nothing; one whose client went away costs all the same. Whoever has no working key shares the limits of their address;
an address that guesses keys is not looked up any more once it has used up its rate. Rates and places are of this
replica, work units of all. It does not know any single method.
Source: REQUIREMENTS F3; DESIGN 1.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

import grpc
from starlette.types import Scope

from gateway import limit_metrics as metrics
from gateway import trace
from gateway.addresses import client_address
from gateway.auth import Authenticator, Principal
from gateway.costs import Cost
from gateway.quotas import KEYED, PUBLIC, PoolLimits, Quotas
from gateway.rates import Rates
from gateway.tickets import Ticket
from shared.config import Settings
from shared.domain.errors import RateLimited, Unauthenticated
from shared.rpc.admission import Admission

PLAIN_WAIT_SECONDS = 5.0  # for a place; chosen, untested
MODEL_WAIT_SECONDS = 10.0  # for a place, where each call takes seconds; chosen, untested

_KNOWN = "candor.client"  # in the ASGI scope


@dataclass(frozen=True, slots=True)
class Client:
    """Whoever calls: what they may do, and which limits are theirs."""

    principal: Principal
    pool: str
    subject: str


class Gate:
    """All limits of one replica."""

    def __init__(
        self,
        settings: Settings,
        authenticator: Authenticator,
        ingest: grpc.aio.Channel,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], UUID],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        s = settings
        self._authenticator = authenticator
        self._trusted = s.trusted_proxies
        self._rates = {
            KEYED: Rates("key", per_minute=s.rate_per_minute, burst=s.rate_burst, clock=clock),
            PUBLIC: Rates("address", per_minute=s.public_rate_per_minute, burst=s.public_rate_burst, clock=clock),
        }
        self.quotas = Quotas(
            ingest,
            {
                KEYED: PoolLimits(s.quota_units, s.quota_pool_units),
                PUBLIC: PoolLimits(s.public_quota_units, s.public_quota_pool_units),
            },
            now=now,
            clock=clock,
            new_id=new_id,
        )
        self._places = {
            (KEYED, "plain"): _places(s.places, s.places_waiting, PLAIN_WAIT_SECONDS),
            (KEYED, "model"): _places(s.model_places, s.model_places_waiting, MODEL_WAIT_SECONDS),
            (KEYED, "upload"): _places(s.upload_places, 0, PLAIN_WAIT_SECONDS),
            (PUBLIC, "plain"): _places(s.public_places, s.public_places_waiting, PLAIN_WAIT_SECONDS),
            (PUBLIC, "model"): _places(s.public_model_places, s.public_model_places_waiting, MODEL_WAIT_SECONDS),
        }
        for (pool, work), places in self._places.items():
            metrics.PLACES_TAKEN.labels(pool, work).set_function(partial(getattr, places, "running"))

    async def client(self, scope: Scope, *, is_open: bool = False) -> Client:
        """Return who calls, if they do not call too often. `is_open`: it may be somebody without a credential.

        A call made inside another request is that request's, and counts once.

        Raises: Unauthenticated; RateLimited RATE_LIMITED; UpstreamUnavailable.
        """
        known: Client | None = scope.get(_KNOWN)
        if known is not None:
            return known
        scope[_KNOWN] = client = await self._counted(scope, is_open)
        return client

    async def _counted(self, scope: Scope, is_open: bool) -> Client:
        strangers = self._rates[PUBLIC]
        try:
            principal = await self._authenticator.principal(
                scope["headers"], before_asking=lambda: strangers.require(self._address(scope)), is_open=is_open
            )
        except Unauthenticated:
            self._take(PUBLIC, self._address(scope), scope)
            raise
        except RateLimited:
            metrics.RATE_REFUSED.labels(PUBLIC).inc()
            raise
        if not principal.key_id:
            address = self._address(scope)
            self._take(PUBLIC, address, scope)
            return Client(principal, PUBLIC, address)
        self._take(KEYED, principal.key_id, scope)
        return Client(principal, KEYED, principal.tenant_id)

    async def principal(self, scope: Scope) -> Principal:
        """Return who calls. Raises: as `client`."""
        return (await self.client(scope)).principal

    def admitted(self, client: Client, cost: Cost, units: int, record: trace.Trace) -> Ticket:
        """Return the call's ticket: inside it there is a place, and its units are reserved.

        Raises, when it is entered: RateLimited QUOTA_EXHAUSTED; Overloaded OVERLOADED; UpstreamUnavailable.
        """
        work = "upload" if cost.is_upload else "model" if cost.asks_model else "plain"
        places = self._places.get((client.pool, work)) or self._places[client.pool, "plain"]
        return Ticket(self.quotas, places, client.pool, client.subject, cost, units, work, record)

    def _address(self, scope: Scope) -> str:
        return client_address(scope, self._trusted)

    def _take(self, pool: str, client: str, scope: Scope) -> None:
        try:
            trace.of(scope).headers.update(self._rates[pool].take(client))
        except RateLimited:
            metrics.RATE_REFUSED.labels(pool).inc()
            raise


def _places(running: int, waiting: int, wait_seconds: float) -> Admission:
    return Admission(
        running=running,
        waiting=waiting,
        reason="OVERLOADED",
        what="every place for such calls",
        wait_seconds=wait_seconds,
    )
