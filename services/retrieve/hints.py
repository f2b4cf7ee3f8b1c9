"""What recall knows beforehand, remembered for a short while: word frequencies, tenant sizes, speakers,
languages, the generation.

Rules: all of it may lag by HINT_SECONDS and only steers ranking and plans; a word that was unknown is looked up again
after UNKNOWN_SECONDS, because it may have been written since. The generation is checked against the query's and read
again when they differ. What a tenant has declared of its data may lag by POLICY_SECONDS. One per process; it does not
know texts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from shared.domain.names import NAMES_MAX
from shared.domain.setting import NOTHING_DECLARED, Policy
from shared.store.pool import Connection
from shared.store.reads import settings, statistics
from shared.store.reads.statistics import Frequencies, Generation

HINT_SECONDS = 30.0  # statistics are flushed about as often (chosen, untested)
UNKNOWN_SECONDS = 2.0  # of a word or a tenant that is not counted yet (chosen, untested)
POLICY_SECONDS = 5.0  # how long recall may judge by former settings (chosen, untested)
POLICIES_MAX = 10_000  # tenants; about 10 MB when full (chosen, untested)
HINTS_MAX = 200_000  # about 40 MB when full (chosen, untested)
TENANTS_MAX = 10_000  # whose speakers are remembered; about 100 MB if each had all NAMES_MAX (chosen, untested)
_TENANT = 0  # no term has this id


@dataclass(frozen=True, slots=True)
class Known:
    """What a question is read by: who speaks in a tenant's memories, their languages, the model of their vectors."""

    speakers: tuple[str, ...] = ()
    languages: frozenset[str] = frozenset()  # beside English
    model: str = ""  # empty before the first generation
    dimensions: int = 0


NOTHING_KNOWN = Known()


class Hints:
    """Remembers hints by tenant and term."""

    def __init__(self) -> None:
        self._counts: dict[tuple[UUID, int], tuple[int, datetime]] = {}
        self._tenants: dict[UUID, tuple[Known, datetime]] = {}
        self._generation: tuple[Generation, datetime] | None = None
        self._policies: dict[UUID, tuple[Policy, datetime]] = {}

    def tenant(self, tenant_id: UUID, now: datetime) -> Known | None:
        """Return what is known of a tenant; None when that must be read."""
        found, until = self._tenants.get(tenant_id, (None, now))
        return found if now < until else None

    async def read_tenant(
        self, connection: Connection, tenant_id: UUID, language_ids: Mapping[int, str], now: datetime
    ) -> Known:
        """Read what a question must know of a tenant, and remember it."""
        speakers = await statistics.speakers(connection, tenant_id, NAMES_MAX)
        spoken = await statistics.frequencies(connection, tenant_id, list(language_ids))
        languages = frozenset(name for term, name in language_ids.items() if spoken.by_term[term] > 0)
        generation = await self.generation(connection, now)
        model, dimensions = (generation.model, generation.dimensions) if generation else ("", 0)
        found = Known(speakers, languages, model, dimensions)
        if len(self._tenants) >= TENANTS_MAX:
            self._tenants.clear()
        if spoken.memories:  # else nothing is counted yet
            self._tenants[tenant_id] = (found, now + timedelta(seconds=HINT_SECONDS))
        return found

    async def frequencies(
        self, connection: Connection, tenant_id: UUID, term_ids: Sequence[int], now: datetime
    ) -> Frequencies:
        """Return how common these terms are, reading what is not remembered."""
        wanted = [term for term in term_ids if self._fresh(tenant_id, term, now) is None]
        memories = self._fresh(tenant_id, _TENANT, now)
        if wanted or memories is None:
            read = await statistics.frequencies(connection, tenant_id, wanted)
            memories = read.memories
            self._remember(tenant_id, {**read.by_term, _TENANT: memories}, now)
            found = read.by_term
        else:
            found = {}
        known = {term: self._fresh(tenant_id, term, now) or 0 for term in term_ids if term not in found}
        return Frequencies(memories, {**known, **found})

    async def generation(self, connection: Connection, now: datetime, *, again: bool = False) -> Generation | None:
        """Return the generation that is searched; `again`: read it whatever is remembered."""
        if self._generation is not None and not again and now < self._generation[1]:
            return self._generation[0]
        current = await statistics.current_generation(connection)
        self._generation = (current, now + timedelta(seconds=HINT_SECONDS)) if current else None
        return current

    async def policy(self, connection: Connection, tenant_id: UUID, now: datetime) -> Policy:
        """Return what a tenant has declared of its data."""
        known, until = self._policies.get(tenant_id, (NOTHING_DECLARED, now))
        if now < until:
            return known
        if len(self._policies) >= POLICIES_MAX:
            self._policies.clear()
        policy = (await settings.in_force(connection, tenant_id)).policy
        self._policies[tenant_id] = (policy, now + timedelta(seconds=POLICY_SECONDS))
        return policy

    def _fresh(self, tenant_id: UUID, term: int, now: datetime) -> int | None:
        count, until = self._counts.get((tenant_id, term), (0, now))
        return count if now < until else None

    def _remember(self, tenant_id: UUID, counts: dict[int, int], now: datetime) -> None:
        if len(self._counts) + len(counts) > HINTS_MAX:
            self._counts.clear()
        until = now + timedelta(seconds=HINT_SECONDS)
        soon = now + timedelta(seconds=UNKNOWN_SECONDS)
        self._counts.update({(tenant_id, term): (count, until if count else soon) for term, count in counts.items()})
