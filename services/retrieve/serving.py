"""What retrieve serves, made from its pool, its settings and the channels to the roles that help it.

It does not know how the role starts or ends (main.py).
"""

from collections.abc import Iterator

import grpc

from services.retrieve.access import Access
from services.retrieve.agent import Agents
from services.retrieve.answers import Answers
from services.retrieve.chat import Chats
from services.retrieve.chat_record import Record
from services.retrieve.conflicts import Conflicts
from services.retrieve.conversing import Converser
from services.retrieve.decisions import Decisions
from services.retrieve.export import Export
from services.retrieve.findings import Findings
from services.retrieve.memories import Memories
from services.retrieve.model_probes import Providers
from services.retrieve.money import Money
from services.retrieve.narrating import Narrator
from services.retrieve.pairs import Pairs
from services.retrieve.recall import Recall
from services.retrieve.reinforcement import Reinforcement
from services.retrieve.reranking import Reranker
from services.retrieve.timeline import Timeline
from shared import clock
from shared.rpc import clients, life_stubs
from shared.rpc.server import Host
from shared.store.pool import Pool


def servicers(
    host: Host,
    pool: Pool,
    reranker: Reranker,
    reinforcement: Reinforcement,
    embed: grpc.aio.Channel,
    judge: grpc.aio.Channel,
    ingest: grpc.aio.Channel,
) -> Iterator[object]:
    """Yield every servicer of the role."""
    settings, now = host.settings, host.now
    token_key = settings.key("page-token")
    yield Recall(pool, reranker, token_key, now)
    yield Answers(pool, reranker, Narrator(clients.narrator(judge)), reinforcement, now)
    record = Record(clients.turns(ingest), clients.memory_writer(ingest))
    converser = Converser(life_stubs.conversation(judge))
    yield Chats(pool, reranker, converser, record, reinforcement, now, clock.new_id)
    yield Agents(life_stubs.agent_steps(judge))
    yield Memories(pool, token_key, now)
    yield Conflicts(pool, token_key, now)
    yield Decisions(pool, token_key)
    yield Findings(pool, token_key)
    yield Timeline(pool, now)
    yield Export(pool, token_key, now)
    yield Money(pool, token_key, now)
    yield Pairs(pool, token_key=token_key, statement_key=settings.key("statement-hash"), now=now)
    yield Providers(clients.embeddings(embed), clients.models(judge), clients.narrator(judge), clock.now)
    yield Access(pool, settings.key("api-key"), token_key, clock.now)
