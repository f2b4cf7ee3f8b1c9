"""POST /consistency/semantic against a model that misbehaves in every way our server knows: nothing invented or lost.

Rules: over HTTP, through the gateway's app and all roles. Each misbehaviour meets two of a company's six pairs: those
two have no verdict and are told with their ids and a cause, the others have theirs; the second audit asks for the two
alone and completes; the third asks for nothing.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any

import httpx2
import pytest
from candor.options.v1.options_pb2 import Access
from candor.retrieve.v1.access_pb2 import (
    AuthenticateKeyRequest,
    AuthenticateKeyResponse,
    ListKeysRequest,
    ListKeysResponse,
)
from candor.retrieve.v1.access_pb2_grpc import AccessServiceServicer

from gateway import contracts
from gateway.app import create_app
from services.judge.chat import ChatPolicy
from shared.config import Settings
from shared.rpc.context import Context
from shared.store import migrate
from tests.openai_server import CHAT, Behaviour, OpenAIServer
from tests.services.audit.meaning_chain import Chain, at, chain, said
from tests.services.audit.test_meaning import word
from tests.services.judge.model import CALLS, chat
from tests.services.retrieve.serving import MINE, NOW
from tests.services.running import role

pytestmark = pytest.mark.anyio

PAIRS, SPOILED = 6, 2  # of four memories in a company
OPPOSED = {"0 and 1", "0 and 3", "1 and 2", "2 and 3"}  # as `word` says
WITHOUT_VERDICT = {
    **dict.fromkeys(
        (
            Behaviour.NOT_JSON,
            Behaviour.EMPTY_OBJECT,
            Behaviour.THINKING_UNCLOSED,
            Behaviour.TRUNCATED,
            Behaviour.PROSE,
            Behaviour.SCHEMA_ECHO,
            Behaviour.EMPTY_CONTENT,
            Behaviour.EMPTY_JSON,
            Behaviour.MISSING_KEY,
            Behaviour.WRONG_KEYS,
            Behaviour.REPEATED_KEY,
            Behaviour.FALSE_AS_TEXT,
            Behaviour.TRUE_VALUES,
            Behaviour.INFINITE_NUMBER,
            Behaviour.NOT_A_NUMBER,
            Behaviour.OUT_OF_RANGE,
            Behaviour.NO_CHOICES,
            Behaviour.LIST_CONTENT,
        ),
        "MODEL_ANSWER_INVALID",
    ),
    **dict.fromkeys(
        (
            Behaviour.RATE_LIMITED,
            Behaviour.RATE_LIMITED_LONG,
            Behaviour.SERVER_ERROR,
            Behaviour.BAD_GATEWAY_HTML,
            Behaviour.UNAUTHORIZED,
            Behaviour.CUT_STREAM,
            Behaviour.REDIRECTED,
        ),
        "MODEL_UNAVAILABLE",
    ),
    **dict.fromkeys((Behaviour.BAD_REQUEST, Behaviour.FILTERED, Behaviour.DECLINED), "MODEL_REFUSED"),
    Behaviour.SLOW: "TIME_EXCEEDED",
}
READABLE = (
    Behaviour.FENCED,
    Behaviour.THINKING,
    Behaviour.THINKING_UNOPENED,
    Behaviour.UNCOUNTED,
    Behaviour.LYING_COUNT,
)


class Keys(AccessServiceServicer):
    """Knows one key."""

    async def AuthenticateKey(self, request: AuthenticateKeyRequest, context: Context) -> AuthenticateKeyResponse:
        return AuthenticateKeyResponse(tenant_id=str(MINE), key_id="k", name="k", scopes=[Access.ACCESS_AUDIT])

    async def ListKeys(self, request: ListKeysRequest, context: Context) -> ListKeysResponse:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Desk:
    """What a test talks to: the public surface, the model, and how memories get in."""

    client: httpx2.AsyncClient
    server: OpenAIServer
    chain: Chain

    async def plant(self, company: str) -> None:
        drafts = [said(f"text {number} of {company}", company=company) for number in range(4)]
        await self.chain.mine.add(drafts, NOW, [at(number) for number in range(4)])

    async def audit(self, company: str) -> tuple[dict[str, Any], int]:
        """Return the answer and how many requests it cost."""
        before = len(self.server.bodies())
        answer = await self.client.post("/consistency/semantic", json={"company": company})
        assert answer.status_code == 200, answer.text
        report: dict[str, Any] = answer.json()
        assert report["judged"] + report["failed"] == report["compared"] == PAIRS
        assert report["asked"] + report["cached"] == PAIRS
        assert len(report["errors"]) == report["failed"]
        return report, len(self.server.bodies()) - before


@pytest.fixture
async def desk(database: migrate.Dsns, server: OpenAIServer) -> AsyncIterator[Desk]:
    server.say_ever(word)
    model = chat(server, ChatPolicy(reasks=0), calls=replace(CALLS, attempts=1))
    async with AsyncExitStack() as stack:
        started = await stack.enter_async_context(chain(database, model, timeout_seconds=2.0))
        keys = await stack.enter_async_context(role("retrieve", Keys()))
        unlimited = Settings(quota_units=0)  # what an audit costs is not this file's matter
        app = create_app(unlimited, dict.fromkeys(contracts.ROLES, keys) | {"audit": started.via})
        client = httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app), base_url="http://gateway", headers={"authorization": "Bearer k"}
        )
        yield Desk(await stack.enter_async_context(client), server, started)


def reasons(report: dict[str, Any]) -> set[str]:
    return {found["judge"]["reason"] for found in report["semanticContradictions"]}


async def test_no_misbehaviour_invents_a_verdict_or_loses_a_pair_and_the_next_audit_completes(desk: Desk) -> None:
    for behaviour, cause in WITHOUT_VERDICT.items():
        name = behaviour.name
        await desk.plant(name)
        kept = await desk.chain.verdicts()
        desk.server.next(CHAT, *[behaviour] * SPOILED)
        first, calls = await desk.audit(name)
        # A redirection is not followed: it would send the key somewhere else.
        assert (first["failed"], first["cached"], calls) == (SPOILED, 0, PAIRS), name
        assert (first["status"], first["ok"]) == ("partial", False), name
        assert {error["reason"].partition(":")[0] for error in first["errors"]} == {cause}, name
        without = {frozenset(error["memoryIds"]) for error in first["errors"]}
        assert len(without) == SPOILED and all(len(ids) == 2 for ids in without), name
        told = {frozenset(one["memoryId"] for one in found["memories"]) for found in first["semanticContradictions"]}
        assert not told & without and reasons(first) <= OPPOSED, name
        assert await desk.chain.verdicts() == kept + PAIRS - SPOILED, name
        second, calls = await desk.audit(name)
        assert (second["failed"], second["asked"], calls) == (0, SPOILED, SPOILED), name
        assert (second["status"], reasons(second)) == ("complete", OPPOSED), name
        asked_anew = {
            frozenset(one["memoryId"] for one in found["memories"])
            for found in second["semanticContradictions"]
            if not found["judge"]["cached"]
        }
        assert asked_anew <= without, name
        third, calls = await desk.audit(name)
        assert (third["cached"], calls, reasons(third)) == (PAIRS, 0, OPPOSED), name


async def test_what_can_be_read_is_a_verdict(desk: Desk) -> None:
    for behaviour in READABLE:
        await desk.plant(behaviour.name)
        desk.server.next(CHAT, *[behaviour] * PAIRS)
        report, _ = await desk.audit(behaviour.name)
        assert (report["failed"], report["status"], reasons(report)) == (0, "complete", OPPOSED), behaviour.name


async def test_every_misbehaviour_of_the_server_that_a_judge_can_meet_is_met() -> None:
    of_embeddings = {
        Behaviour.WRONG_DIMENSIONS,
        Behaviour.HUGE_NUMBER,
        Behaviour.TEXT_VECTOR,
        Behaviour.ZERO_VECTOR,
        Behaviour.FEWER_ROWS,
        Behaviour.REPEATED_INDEX,
        Behaviour.SHUFFLED_INDEX,
    }
    of_streams = {
        Behaviour.UNFINISHED_STREAM,
        Behaviour.STALLED_STREAM,
        Behaviour.ERROR_IN_STREAM,
        Behaviour.BROKEN_CHUNK,
    }
    well = {Behaviour.OK, Behaviour.HELD}
    assert set(Behaviour) == set(WITHOUT_VERDICT) | set(READABLE) | of_embeddings | of_streams | well


async def test_a_model_that_is_down_leaves_nothing_judged_and_the_next_audit_completes(desk: Desk) -> None:
    await desk.plant("Acme")
    desk.server.next(CHAT, *[Behaviour.SERVER_ERROR] * PAIRS)
    report, _ = await desk.audit("Acme")
    assert (report["status"], report["ok"], report["judged"], report["failed"]) == ("inconclusive", False, 0, PAIRS)
    assert (await desk.audit("Acme"))[0]["status"] == "complete"
