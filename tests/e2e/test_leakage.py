"""Nothing of one tenant reaches another: every RPC and every route, asked with all that a stranger may have picked up.

Rules: the owner writes a secret word into every text field it can, and there is a bait beside it by which a stranger
looks for it. The stranger asks with the owner's ids, records, tokens and idempotency keys; no answer, line of a
stream, error or header may hold the word, the owner's key, or an id that was not asked for. The owner asks the same
and must see it, so each case can fail. An RPC without a case fails here as soon as it is served.
"""

import json
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import grpc
import httpx2
import pytest
from candor.audit.v1 import fields_pb2 as audit
from candor.audit.v1 import meaning_pb2 as meaning
from candor.embed.v1 import embeddings_pb2 as embed
from candor.ingest.v1 import admin_pb2 as admin
from candor.ingest.v1 import archive_pb2 as archive
from candor.ingest.v1 import bulk_pb2 as bulk
from candor.ingest.v1 import bulk_pb2_grpc, jobs_pb2_grpc
from candor.ingest.v1 import consolidation_pb2 as consolidation
from candor.ingest.v1 import demo_pb2 as demo
from candor.ingest.v1 import erasure_pb2 as erasure
from candor.ingest.v1 import forgetting_pb2 as forgetting
from candor.ingest.v1 import jobs_pb2 as jobs
from candor.ingest.v1 import keys_pb2 as keys
from candor.ingest.v1 import memories_pb2 as writing
from candor.ingest.v1 import quota_pb2 as quota
from candor.ingest.v1 import reinforcement_pb2 as reinforcement
from candor.ingest.v1 import turns_pb2 as turns
from candor.ingest.v1 import verdicts_pb2 as verdicts
from candor.judge.v1 import agent_pb2 as steps
from candor.judge.v1 import contradictions_pb2 as contradictions
from candor.judge.v1 import conversation_pb2 as conversation
from candor.judge.v1 import extraction_pb2 as extraction
from candor.judge.v1 import models_pb2 as judge
from candor.judge.v1 import narrate_pb2 as narrate
from candor.judge.v1 import rerank_pb2 as rerank
from candor.judge.v1 import summaries_pb2 as summaries
from candor.memory.v1.memory_pb2 import KIND_NOTE, KIND_TURN
from candor.memory.v1.verdict_pb2 import VERDICT_CONSISTENT, PairVerdict
from candor.options.v1.options_pb2 import Access
from candor.retrieve.v1 import access_pb2 as access
from candor.retrieve.v1 import agent_pb2 as agents
from candor.retrieve.v1 import answer_pb2 as answers
from candor.retrieve.v1 import chat_pb2 as chats
from candor.retrieve.v1 import conflicts_pb2 as conflicts
from candor.retrieve.v1 import export_pb2 as export
from candor.retrieve.v1 import memories_pb2 as reading
from candor.retrieve.v1 import pairs_pb2 as pairs
from candor.retrieve.v1 import providers_pb2 as providers
from candor.retrieve.v1 import recall_pb2 as recall
from candor.retrieve.v1 import timeline_pb2 as timeline
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

from gateway import streams
from shared.rpc import clients, meaning_stubs, moving_stubs
from tests.e2e import accounts, decided, papers
from tests.e2e.rpcs import Answer, methods, over_grpc, over_http, role_of, routes
from tests.e2e.stack import Stack, Tenant, bearer

R = TypeVar("R", bound=Message)
SECRET = "quetzalcoatl" + uuid.uuid4().hex[:8]
BAIT = "northwind"
RECORD = "bait-77"
TALK = "the-owners-talk"
ASKER = "whoever-asks"  # of requests that both make: the stranger's own history holds it
COMMON = "The office plants are watered on Tuesdays."


def secret_memory(amount: int, session: str) -> writing.NewMemory:
    """Return a memory with the secret in every text; the record, the company and a word of it are known outside."""
    return writing.NewMemory(
        kind=KIND_NOTE,
        content=f"The {BAIT} word is {SECRET}, {session}.",
        company=BAIT,
        record=RECORD,
        period="2026-04",
        source_ref=f"inbox/{SECRET}.pdf",
        counterparty=f"{SECRET} Ltd",
        speaker=SECRET,
        session=f"{SECRET} {session}",
        tags=[BAIT, SECRET],
        metadata=json.dumps({SECRET: SECRET, "amount": amount}),
        importance=0.9,
        references=[f"{SECRET}-PO"],
    )


def plain_memory(content: str = COMMON) -> writing.NewMemory:
    return writing.NewMemory(kind=KIND_NOTE, content=content, company=BAIT, record=RECORD, metadata='{"amount":1}')


@dataclass(slots=True)
class Ground:
    """The owner's things that a stranger knows of."""

    owner: Tenant
    stranger: Tenant
    memory_ids: list[str] = field(default_factory=list)
    common_ids: list[str] = field(default_factory=list)
    invoice_ids: list[str] = field(default_factory=list)
    operation_id: str = ""
    job_id: str = ""
    key_id: str = ""
    tokens: dict[str, str] = field(default_factory=dict)
    decided: dict[str, str] = field(default_factory=dict)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no stranger may see unless it was part of the question."""
        ids = (*self.memory_ids, *self.common_ids, self.operation_id, self.job_id, self.key_id, self.owner.tenant_id)
        return (SECRET, self.owner.key, *ids, *self.tokens.values())


@dataclass(frozen=True, slots=True)
class Case:
    """One question, made for whoever asks it; how it must end for the stranger; and whether the owner sees a secret."""

    ask: Callable[[str], Message]
    ends: str = "OK"
    owner_sees: bool = False


KEY_REQUEST = admin.CreateKeyRequest(
    actor=ASKER, request_id="the-same-key", name=f"key of {SECRET}", scopes=[Access.ACCESS_ADMIN]
)
CREATE_REQUEST = writing.CreateMemoryRequest(actor=ASKER, request_id="the-same-write", memory=plain_memory())
BATCH_REQUEST = writing.BatchCreateMemoriesRequest(
    actor=ASKER, request_id="the-same-batch", memories=[plain_memory("One of a batch.")]
)

TURN_REQUEST = turns.ObserveTurnRequest(actor=ASKER, request_id="the-same-turn", user_text="Nice weather.")


def of(tenant_id: str, request: R) -> R:
    """Return a request as one tenant's."""
    asked = type(request)()
    asked.CopyFrom(request)
    asked.tenant_id = tenant_id  # type: ignore[attr-defined]  # all that are passed have it
    return asked


def case(request: Message, ends: str = "OK", *, owner_sees: bool = False) -> Case:
    """Return a case whose request has a tenant."""
    return Case(lambda tenant_id: of(tenant_id, request), ends, owner_sees)


def cases_of(ground: Ground, name: str) -> list[Case]:
    """Return the questions to one RPC. Without any it may only be declared, not served yet."""
    unserved = Case(lambda _: GetMessageClass(METHODS[name].input_type)(), "UNIMPLEMENTED")
    return cases(ground).get(name, [unserved])


def cases(ground: Ground) -> dict[str, list[Case]]:
    """Return the questions to every RPC, by its name."""
    return {
        **_ingest_cases(ground),
        **_forgetting_cases(ground),
        **_erasure_cases(ground),
        **_memories_cases(ground),
        **_recall_cases(ground),
        **_decided_cases(ground),
        "embed.EmbeddingsService.EmbedTexts": [case(embed.EmbedTextsRequest(texts=[f"the {BAIT} word", COMMON]))],
        "embed.EmbeddingsService.GetGeneration": [Case(lambda _: embed.GetGenerationRequest())],
        "judge.ModelsService.GetModels": [Case(lambda _: judge.GetModelsRequest())],
        "retrieve.ProvidersService.GetProviders": [Case(lambda _: providers.GetProvidersRequest())],
        "retrieve.ProvidersService.ProbeProviders": [Case(lambda _: providers.ProbeProvidersRequest())],
        **_judge_cases(),
        **_meaning_cases(ground),
        "retrieve.AccessService.AuthenticateKey": [
            Case(lambda _: access.AuthenticateKeyRequest(key=ground.owner.key[:-1] + "_"), "KEY_UNKNOWN"),
            Case(lambda _: access.AuthenticateKeyRequest(key=ground.stranger.key)),
        ],
    }


def _decided_cases(ground: Ground) -> dict[str, list[Case]]:
    known = {"record": RECORD, "company": BAIT, "secret": SECRET}
    asked = {
        **decided.questions(ground.memory_ids[0], ground.decided, **known),
        **accounts.questions(ground.invoice_ids[-1], ground.tokens["ledger"], BAIT),
        **papers.questions(ground.tokens["papers"], BAIT),
    }
    return {name: [case(request, ends, owner_sees=sees) for request, ends, sees in of] for name, of in asked.items()}


def _judge_cases() -> dict[str, list[Case]]:
    """Ask the role that is told everything it may use: it has no memory to leak from."""
    evidence = narrate.Evidence(memory_id=str(uuid.uuid4()), content=COMMON)
    task = narrate.NarrationTask(question=f"the {BAIT} word?", evidence=[evidence])
    candidate = rerank.Candidate(memory_id=str(uuid.uuid4()), text=COMMON)
    asked = rerank.RerankMemoriesRequest(question=f"the {BAIT} word?", candidates=[candidate])
    talk = conversation.ConversationTask(narration=task)
    said_at = Timestamp()
    said_at.GetCurrentTime()
    told = extraction.ExtractFactsRequest(user_text=f"I live in {BAIT}.", observed_at=said_at)
    repeats = summaries.SummarizeClusterRequest(statements=[COMMON, f"The {BAIT} word."])
    weighed = extraction.ScoreImportanceRequest(statements=[extraction.ScoredStatement(text=COMMON)])
    return {
        "judge.ExtractionService.ExtractFacts": [case(told)],
        "judge.ExtractionService.ScoreImportance": [case(weighed)],
        "judge.SummariesService.SummarizeCluster": [case(repeats)],
        "judge.AgentService.TakeStep": [case(steps.TakeStepRequest(question="Who?"), "AGENT_NEEDS_MODEL")],
        "judge.ConversationService.Converse": [case(conversation.ConverseRequest(task=talk))],
        "judge.ConversationService.StreamConverse": [case(conversation.StreamConverseRequest(task=talk))],
        "judge.NarrationService.NarrateAnswer": [case(narrate.NarrateAnswerRequest(task=task))],
        "judge.NarrationService.StreamNarration": [case(narrate.StreamNarrationRequest(task=task))],
        "judge.RerankService.RerankMemories": [case(asked, "RERANKER_NOT_CONFIGURED")],
    }


def _meaning_cases(ground: Ground) -> dict[str, list[Case]]:
    """Ask for pairs, verdicts and the audit of meaning; the owner's opposed memories stand in both."""
    mine, tokens = ground.memory_ids, ground.tokens
    sides = [verdicts.JudgedStatement(memory_id=one, statement_hash=bytes(32)) for one in mine[:2]]
    known = PairVerdict(verdict=VERDICT_CONSISTENT, confidence=0.5, reason="so")
    judged = verdicts.JudgedPair(first=sides[0], second=sides[1], verdict=known)
    record = verdicts.RecordVerdictsRequest(model="m", prompt_version="v", verdicts=[judged])
    statement = contradictions.Statement(text=COMMON)
    pair = contradictions.StatementPair(first=statement, second=statement)
    return {
        "judge.ContradictionsService.JudgeContradictions": [
            case(contradictions.JudgeContradictionsRequest(pairs=[pair]))
        ],
        "ingest.VerdictsService.RecordVerdicts": [case(record)],
        "retrieve.PairsService.StreamPairs": [
            case(pairs.StreamPairsRequest(), owner_sees=True),
            case(pairs.StreamPairsRequest(company=BAIT, judge_model="m", prompt_version="v"), owner_sees=True),
            case(pairs.StreamPairsRequest(resume_token=tokens["pairs"]), "RESUME_TOKEN_INVALID", owner_sees=True),
        ],
        "retrieve.PairsService.CountPairs": [case(pairs.CountPairsRequest(company=BAIT))],
        "audit.MeaningAuditService.AuditMeaning": [
            case(meaning.AuditMeaningRequest(), owner_sees=True),
            case(meaning.AuditMeaningRequest(company=BAIT), owner_sees=True),
            case(meaning.AuditMeaningRequest(resume_token=tokens["meaning"]), "RESUME_TOKEN_INVALID"),
        ],
        "audit.MeaningAuditService.StreamMeaningAudit": [
            case(meaning.StreamMeaningAuditRequest(company=BAIT), owner_sees=True),
            case(meaning.StreamMeaningAuditRequest(resume_token=tokens["meaning"]), "RESUME_TOKEN_INVALID"),
        ],
        "audit.MeaningAuditService.CountMeaningPairs": [case(meaning.CountMeaningPairsRequest(company=BAIT))],
    }


def _ingest_cases(ground: Ground) -> dict[str, list[Case]]:
    mine, service = ground.memory_ids[0], "ingest.MemoriesService"
    update = writing.UpdateMemoryRequest(memory_id=mine, patch=writing.MemoryPatch(content="Taken over."))
    return {
        "ingest.AdminService.CreateTenant": [Case(lambda _: admin.CreateTenantRequest(name=f"new-{uuid.uuid4()}"))],
        "ingest.AdminService.CreateKey": [case(KEY_REQUEST, owner_sees=True)],
        **_key_cases(ground),
        f"{service}.CreateMemory": [
            case(CREATE_REQUEST, owner_sees=True),
            case(writing.CreateMemoryRequest(memory=plain_memory()), owner_sees=True),
        ],
        f"{service}.BatchCreateMemories": [case(BATCH_REQUEST, owner_sees=True)],
        f"{service}.UpdateMemory": [case(update, "MEMORY_NOT_FOUND")],
        f"{service}.GetOperation": [
            case(writing.GetOperationRequest(operation_id=ground.operation_id), "OPERATION_NOT_FOUND", owner_sees=True)
        ],
        **_upkeep_cases(ground),
        **_quota_cases(ground),
    }


def _quota_cases(ground: Ground) -> dict[str, list[Case]]:
    """Ask for work units as another gateway would: numbers are all that there is."""
    meter = quota.Meter(day="2026-12-01", pool="keyed", subject=ground.owner.tenant_id)
    standing = quota.Standing(meter=meter, holder_id=str(uuid.uuid4()))
    reserve = quota.ReserveUnitsRequest(standing=standing, needed=1, asked=1, limit=1_000)
    return {
        "ingest.QuotaService.ReserveUnits": [Case(lambda _: reserve)],
        "ingest.QuotaService.SettleUnits": [Case(lambda _: quota.SettleUnitsRequest(standings=[standing]))],
    }


def _key_cases(ground: Ground) -> dict[str, list[Case]]:
    uses = [keys.KeyUse(key_id=ground.key_id, requests=1)]

    def listed(tenant_id: str) -> Message:
        # The stranger's first key only: by the case of CreateKey it has made itself one that is named as the owner's.
        return access.ListKeysRequest(tenant_id=tenant_id, limit=1 if tenant_id == ground.stranger.tenant_id else 9)

    return {
        "ingest.KeysService.RotateKey": [case(keys.RotateKeyRequest(key_id=ground.key_id), "KEY_NOT_FOUND")],
        "ingest.KeysService.RevokeKey": [case(keys.RevokeKeyRequest(key_id=ground.key_id), "KEY_NOT_FOUND")],
        "ingest.KeysService.RecordKeyUse": [case(keys.RecordKeyUseRequest(counter_id=ground.key_id, uses=uses))],
        "retrieve.AccessService.ListKeys": [Case(listed, owner_sees=True)],
    }


def _upkeep_cases(ground: Ground) -> dict[str, list[Case]]:
    service = "ingest.ImportService"
    upload = bulk.ImportMemoriesRequest(actor=ASKER, request_id="the-same-upload")
    upload.lines.add(number=1, memory=plain_memory("A line of an upload."))
    use = reinforcement.ReinforceMemoriesRequest(request_id="the-same-use", memory_ids=ground.memory_ids)
    return {
        f"{service}.ImportMemories": [case(upload)],
        f"{service}.GetImport": [
            case(bulk.GetImportRequest(import_id="the-owners-upload"), "IMPORT_NOT_FOUND", owner_sees=True)
        ],
        "ingest.TurnsService.ObserveTurn": [
            case(TURN_REQUEST, owner_sees=True),
            case(turns.ObserveTurnRequest(user_text=f"Tell me the {BAIT} word.")),
        ],
        "ingest.JobsService.ListJobs": [case(jobs.ListJobsRequest(), owner_sees=True)],
        "ingest.JobsService.GetJob": [case(jobs.GetJobRequest(job_id=ground.job_id), "JOB_NOT_FOUND")],
        "ingest.ReinforcementService.ReinforceMemories": [case(use)],
    }


def _forgetting_cases(ground: Ground) -> dict[str, list[Case]]:
    service, forget = "ingest.ForgettingService", forgetting.ForgetMemoriesRequest
    undo = forgetting.UndoOperationRequest(operation_id=ground.operation_id)
    return {
        f"{service}.ForgetMemories": [
            case(forget(preview=True, memory_ids=ground.memory_ids), "MEMORY_NOT_FOUND"),
            case(forget(preview=True, company=BAIT)),
            case(forget(plan_id=ground.operation_id), "PLAN_NOT_FOUND"),
        ],
        "ingest.DemoService.SeedDemo": [case(demo.SeedDemoRequest())],
        "ingest.ConsolidationService.ConsolidateMemories": [
            case(consolidation.ConsolidateMemoriesRequest(preview=True)),
            case(consolidation.ConsolidateMemoriesRequest(plan_id=ground.operation_id), "PLAN_NOT_FOUND"),
        ],
        f"{service}.SweepMemories": [case(forgetting.SweepMemoriesRequest())],
        f"{service}.UndoOperation": [case(undo, "OPERATION_NOT_FOUND")],
        "retrieve.TimelineService.GetPopulation": [case(timeline.GetPopulationRequest())],
        "retrieve.TimelineService.ProjectSalience": [
            case(timeline.ProjectSalienceRequest(memory_id=ground.memory_ids[0]), "MEMORY_NOT_FOUND")
        ],
    }


def _erasure_cases(ground: Ground) -> dict[str, list[Case]]:
    erase = erasure.EraseMemoriesRequest
    return {
        "ingest.ErasureService.EraseMemories": [
            case(erase(preview=True, memory_ids=ground.memory_ids), "MEMORY_NOT_FOUND"),
            case(erase(preview=True, company=BAIT)),
            case(erase(preview=True, whole_tenant=True)),
        ]
    }


def _memories_cases(ground: Ground) -> dict[str, list[Case]]:
    mine, tokens, service = ground.memory_ids[0], ground.tokens, "retrieve.MemoriesService"
    page = reading.ListMemoriesRequest(limit=1, page_token=tokens["page"])
    known_at = Timestamp()
    known_at.GetCurrentTime()
    return {
        f"{service}.GetMemory": [
            case(reading.GetMemoryRequest(memory_id=mine), "MEMORY_NOT_FOUND", owner_sees=True),
            case(reading.GetMemoryRequest(memory_id=mine, known_at=known_at), "MEMORY_NOT_FOUND", owner_sees=True),
        ],
        f"{service}.ListMemories": [
            case(reading.ListMemoriesRequest(), owner_sees=True),
            case(reading.ListMemoriesRequest(company=BAIT, record=RECORD, tags=[BAIT]), owner_sees=True),
            case(reading.ListMemoriesRequest(known_at=known_at), owner_sees=True),
            case(page, "PAGE_TOKEN_INVALID", owner_sees=True),
        ],
        f"{service}.CountMemories": [case(reading.CountMemoriesRequest(company=BAIT))],
        f"{service}.ListMemoryEvents": [
            case(reading.ListMemoryEventsRequest(memory_id=mine), "MEMORY_NOT_FOUND", owner_sees=True),
            case(
                reading.ListMemoryEventsRequest(memory_id=mine, limit=1, page_token=tokens["events"]),
                "PAGE_TOKEN_INVALID",
                owner_sees=True,
            ),
        ],
        f"{service}.StreamMemories": [
            case(reading.StreamMemoriesRequest(), owner_sees=True),
            case(reading.StreamMemoriesRequest(company=BAIT), owner_sees=True),
            case(reading.StreamMemoriesRequest(resume_token=tokens["stream"]), "RESUME_TOKEN_INVALID", owner_sees=True),
        ],
        "ingest.ArchiveService.ImportTenant": [
            case(archive.ImportTenantRequest(request_id="the-owners-upload"), "TENANT_NOT_EMPTY"),
            case(archive.ImportTenantRequest(dry_run=True), "TENANT_NOT_EMPTY"),
        ],
        "retrieve.ExportService.ExportTenant": [
            case(export.ExportTenantRequest(), owner_sees=True),
            case(export.ExportTenantRequest(resume_token=tokens["export"]), "RESUME_TOKEN_INVALID", owner_sees=True),
        ],
    }


def _recall_cases(ground: Ground) -> dict[str, list[Case]]:
    tokens, query = ground.tokens, f"what is the {BAIT} word?"
    resumed = conflicts.StreamConflictsRequest(resume_token=tokens["conflicts"])
    known_at = Timestamp()
    known_at.GetCurrentTime()
    ask = recall.RecallMemoriesRequest
    return {
        "retrieve.RecallService.RecallMemories": [
            *(case(ask(query=query, mode=mode), owner_sees=True) for mode in recall.Mode.values()),
            case(ask(query=query, company=BAIT, record=RECORD, ungrouped=True), owner_sees=True),
            case(ask(query=query, tags=[BAIT]), owner_sees=True),
            case(ask(query=query, known_at=known_at), owner_sees=True),
        ],
        "retrieve.AnswerService.AnswerQuestion": [
            case(answers.AnswerQuestionRequest(question=query), owner_sees=True),
            case(answers.AnswerQuestionRequest(question=query, company=BAIT, record=RECORD), owner_sees=True),
            case(answers.AnswerQuestionRequest(question=query, known_at=known_at), owner_sees=True),
        ],
        "retrieve.AnswerService.StreamAnswer": [
            case(answers.StreamAnswerRequest(question=query), owner_sees=True),
            case(answers.StreamAnswerRequest(question=query, tags=[BAIT]), owner_sees=True),
        ],
        "retrieve.AgentService.RunAgent": [
            case(agents.RunAgentRequest(question=query), ends="AGENT_NEEDS_MODEL"),  # memory is read by tools
        ],
        "retrieve.ChatService.Chat": [
            case(chats.ChatRequest(message=query), owner_sees=True),
            case(chats.ChatRequest(message=query, session=TALK, request_id="the-same-talk"), owner_sees=True),
        ],
        "retrieve.ChatService.StreamChat": [
            case(chats.StreamChatRequest(message=query), owner_sees=True),
            case(chats.StreamChatRequest(message=query, session=TALK), owner_sees=True),
        ],
        "retrieve.ConflictsService.StreamConflicts": [
            case(conflicts.StreamConflictsRequest(), owner_sees=True),
            case(conflicts.StreamConflictsRequest(company=BAIT), owner_sees=True),
            case(
                resumed,
                "RESUME_TOKEN_INVALID",
                owner_sees=True,
            ),
        ],
        "audit.FieldAuditService.AuditFields": [
            case(audit.AuditFieldsRequest(), owner_sees=True),
            case(audit.AuditFieldsRequest(company=BAIT), owner_sees=True),
            case(audit.AuditFieldsRequest(resume_token=tokens["audit"]), "RESUME_TOKEN_INVALID", owner_sees=True),
            case(audit.AuditFieldsRequest(since=tokens["since"]), "SINCE_INVALID"),
        ],
        "audit.FieldAuditService.GetAuditPolicy": [case(audit.GetAuditPolicyRequest())],
        "audit.FieldAuditService.GetAuditReport": [
            case(audit.GetAuditReportRequest(), owner_sees=True),
            case(audit.GetAuditReportRequest(company=BAIT), owner_sees=True),
            case(audit.GetAuditReportRequest(sign=True), owner_sees=True),
            case(audit.GetAuditReportRequest(since=tokens["since"]), "SINCE_INVALID"),
        ],
    }


async def first_token(stream: Any) -> str:
    """Read a stream to its end; return the resume token of its first line."""
    tokens: list[str] = [line.resume_token async for line in stream]
    return tokens[0]


@pytest.fixture(scope="module")
def ground(stack: Stack) -> Ground:
    """Make both tenants and everything of the owner's."""
    _ = stack.own  # over the services' inner ports; skipped without them
    made = Ground(stack.new_tenant(), stack.new_tenant())

    async def key(channel: grpc.aio.Channel) -> str:
        answer = await clients.admin(channel).CreateKey(of(made.owner.tenant_id, KEY_REQUEST))
        made.key_id = answer.key_id
        return answer.key

    async def write(channel: grpc.aio.Channel) -> None:
        writer = clients.memory_writer(channel)
        for amount, session in ((8400, "monday"), (8900, "friday")):
            request = writing.CreateMemoryRequest(
                actor=SECRET, request_id=f"{SECRET}-{session}", memory=secret_memory(amount, session), reason=SECRET
            )
            answer = await writer.CreateMemory(of(made.owner.tenant_id, request))
            made.memory_ids.append(answer.memory.memory_id)
            made.operation_id = answer.operation_id
        patch = writing.MemoryPatch(importance=0.8, speaker=f"{SECRET} again")
        update = writing.UpdateMemoryRequest(actor=SECRET, memory_id=made.memory_ids[0], patch=patch, reason=SECRET)
        await writer.UpdateMemory(of(made.owner.tenant_id, update))
        made.common_ids.append((await writer.CreateMemory(of(made.owner.tenant_id, CREATE_REQUEST))).memory.memory_id)
        batch = await writer.BatchCreateMemories(of(made.owner.tenant_id, BATCH_REQUEST))
        made.common_ids.append(batch.memories[0].memory_id)
        said = writing.NewMemory(kind=KIND_TURN, content=f"My word is {SECRET}.", session=TALK)
        await writer.CreateMemory(of(made.owner.tenant_id, writing.CreateMemoryRequest(memory=said)))
        for told in ("always pays its bills late", "always pays its bills on time"):
            opposed = writing.NewMemory(kind=KIND_NOTE, content=f"{SECRET} {told}.", company=BAIT)
            request = writing.CreateMemoryRequest(memory=opposed)
            made.common_ids.append((await writer.CreateMemory(of(made.owner.tenant_id, request))).memory.memory_id)
        turn = await clients.turns(channel).ObserveTurn(of(made.owner.tenant_id, TURN_REQUEST))
        made.common_ids.append(turn.memory.memory_id)
        upload = bulk.ImportMemoriesRequest(request_id="the-owners-upload", mode=bulk.IMPORT_MODE_BULK)
        upload.lines.add(number=1, memory=plain_memory("A line of the owner's upload."))
        upload.lines.add(number=2, refused=bulk.LineError(line=2, reason="JSON_INVALID", field=SECRET))
        await bulk_pb2_grpc.ImportServiceStub(channel).ImportMemories(iter([of(made.owner.tenant_id, upload)]))
        again = writing.CreateMemoryRequest(memory=upload.lines[0].memory)
        made.common_ids.append((await writer.CreateMemory(of(made.owner.tenant_id, again))).memory.memory_id)
        asked = of(made.owner.tenant_id, jobs.ListJobsRequest())
        made.job_id = (await jobs_pb2_grpc.JobsServiceStub(channel).ListJobs(asked)).jobs[0].id
        made.invoice_ids = await accounts.write(channel, made.owner.tenant_id, company=BAIT, secret=SECRET)
        more, left = await papers.write(channel, made.owner.tenant_id, company=BAIT, secret=SECRET)
        made.common_ids += [*made.invoice_ids, *more]
        made.tokens["papers"] = left
        strangers = writing.CreateMemoryRequest(memory=plain_memory("The stranger's only fact."))
        await writer.CreateMemory(of(made.stranger.tenant_id, strangers))

    async def read(channel: grpc.aio.Channel) -> None:
        tenant_id, reader = made.owner.tenant_id, clients.memory_reader(channel)
        listed = await reader.ListMemories(reading.ListMemoriesRequest(tenant_id=tenant_id, limit=1))
        events = await reader.ListMemoryEvents(
            reading.ListMemoryEventsRequest(tenant_id=tenant_id, memory_id=made.memory_ids[0], limit=1)
        )
        made.tokens |= {"page": listed.next_page_token, "events": events.next_page_token}
        stream = reader.StreamMemories(reading.StreamMemoriesRequest(tenant_id=tenant_id))
        made.tokens["stream"] = await first_token(stream)
        whole = moving_stubs.exporter(channel).ExportTenant(export.ExportTenantRequest(tenant_id=tenant_id))
        made.tokens["export"] = await first_token(whole)
        found = clients.conflicts(channel).StreamConflicts(conflicts.StreamConflictsRequest(tenant_id=tenant_id))
        made.tokens["conflicts"] = await first_token(found)
        near = meaning_stubs.pairs(channel).StreamPairs(pairs.StreamPairsRequest(tenant_id=tenant_id))
        made.tokens["pairs"] = await first_token(near)
        made.tokens["ledger"] = await accounts.token(channel, tenant_id)

    async def audited(channel: grpc.aio.Channel) -> None:
        lines = clients.field_audit(channel).AuditFields(audit.AuditFieldsRequest(tenant_id=made.owner.tenant_id))
        made.tokens["audit"] = await first_token(lines)
        report = await clients.field_audit(channel).GetAuditReport(
            audit.GetAuditReportRequest(tenant_id=made.owner.tenant_id)
        )
        made.tokens["since"] = report.next_since
        asked = meaning.StreamMeaningAuditRequest(tenant_id=made.owner.tenant_id)
        async for line in meaning_stubs.meaning_audit(channel).StreamMeaningAudit(asked):
            made.tokens["meaning"] = line.resume_token
        made.decided |= await decided.record(channel, made.owner.tenant_id)

    async def decide(channel: grpc.aio.Channel) -> None:
        of = {"record": RECORD, "company": BAIT, "secret": SECRET}
        await decided.declare_and_decide(channel, made.owner.tenant_id, made.memory_ids[0], **of)

    async def read_decided(channel: grpc.aio.Channel) -> None:
        made.decided |= await decided.tokens(channel, made.owner.tenant_id)

    made.owner = Tenant(stack.call("ingest", key), made.owner.tenant_id)
    stack.call("ingest", write)
    stack.call("retrieve", read)
    stack.call("audit", audited)
    stack.call("ingest", decide)
    stack.call("retrieve", read_decided)
    assert all((*made.tokens.values(), *made.decided.values()))
    return made


NAMED = re.compile(r"^candor\.|(?<=\.)v1\.")
METHODS = {NAMED.sub("", method.full_name): method for method in methods()}


def callers(ground: Ground, one: Case) -> list[Tenant]:
    return [ground.stranger, ground.owner] if one.owner_sees else [ground.stranger]


def test_every_case_is_of_an_rpc(ground: Ground) -> None:
    assert set(cases(ground)) <= set(METHODS)


@pytest.mark.parametrize("name", METHODS)
def test_no_rpc_tells_a_stranger(stack: Stack, ground: Ground, name: str) -> None:
    method = METHODS[name]

    async def ask(channel: grpc.aio.Channel) -> None:
        for one in cases_of(ground, name):
            for caller in callers(ground, one):
                request = one.ask(caller.tenant_id)
                answer = await over_grpc(channel, method, request)
                _check(ground, one, caller, request, answer)

    stack.call(role_of(method), ask)


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if routes(method)])
def test_no_route_tells_a_stranger(stack: Stack, ground: Ground, name: str) -> None:
    with httpx2.Client(base_url=stack.url, timeout=30) as http:
        for binding in routes(METHODS[name]):
            for one in cases_of(ground, name):
                for caller in callers(ground, one):
                    request = one.ask(caller.tenant_id)
                    answer = over_http(http, binding, request, caller)
                    _check(ground, one, caller, request, answer)


@pytest.mark.parametrize(
    "name", [name for name, method in METHODS.items() if routes(method) and method.server_streaming]
)
def test_no_stream_of_events_tells_a_stranger(stack: Stack, ground: Ground, name: str) -> None:
    with httpx2.Client(base_url=stack.url, timeout=30) as http:
        for one in cases_of(ground, name):
            for caller in callers(ground, one):
                request = one.ask(caller.tenant_id)
                answer = over_http(http, routes(METHODS[name])[0], request, caller, streams.EVENTS)
                assert answer.reason != "OK" or b"text/event-stream" in answer.raw
                _check(ground, one, caller, request, answer)


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if routes(method)])
def test_no_route_tells_anybody_without_a_key(stack: Stack, ground: Ground, name: str) -> None:
    with httpx2.Client(base_url=stack.url, timeout=30) as http:
        for binding in routes(METHODS[name]):
            for one in cases_of(ground, name):
                request = one.ask(ground.owner.tenant_id)
                asked = request.SerializeToString()
                answer = over_http(http, binding, request, Tenant(""))
                assert [s for s in ground.secrets if s.encode() in answer.raw and s.encode() not in asked] == []


def test_every_public_rpc_has_a_case(ground: Ground) -> None:
    assert {name for name, method in METHODS.items() if routes(method)} - set(cases(ground)) == set()


def _check(ground: Ground, one: Case, caller: Tenant, request: Message, answer: Answer) -> None:
    asked = request.SerializeToString()
    seen = [secret for secret in ground.secrets if secret.encode() in answer.raw and secret.encode() not in asked]
    if caller is ground.stranger:
        assert (answer.reason, seen) == (one.ends, []), (request, answer.raw)
    else:
        assert (answer.reason, seen != []) == ("OK", True), (request, answer.raw)


def test_a_stranger_is_counted_and_audited_alone(stack: Stack, ground: Ground) -> None:
    nobody = stack.new_tenant()
    with stack.client(nobody.key) as client:
        assert client.get("/v1/memories:count", params={"company": BAIT}).json() == {"count": 0}
        assert client.get("/v1/memories").json()["items"] == []
        written = {"kind": "note", "content": "Mine.", "company": BAIT, "record": RECORD, "metadata": {"amount": 5}}
        client.post("/v1/memories", json=written)
        report = client.post("/v1/audit", json={}).json()
        assert (report["audited"], report["subjects"], report["ok"]) == (1, 1, True)
        recalled = client.post("/v1/recall", json={"query": f"the {BAIT} word"}).json()
        assert (len(recalled["hits"]), recalled["conflicts"]) == (1, [])
        assert recalled["retrieval"]["candidates"] == 1


@pytest.mark.parametrize(
    "name", [name for name, method in METHODS.items() if "tenant_id" in method.input_type.fields_by_name]
)
def test_no_rpc_answers_without_a_tenant(stack: Stack, ground: Ground, name: str) -> None:
    method = METHODS[name]

    async def ask(channel: grpc.aio.Channel) -> None:
        for tenant_id in ("", "*", f"{ground.owner.tenant_id}' OR true --"):
            for one in cases(ground).get(name, ()):
                answer = await over_grpc(channel, method, one.ask(tenant_id))
                assert answer.reason == "TENANT_INVALID"
                assert SECRET.encode() not in answer.raw

    stack.call(role_of(method), ask)


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if routes(method)])
def test_no_route_answers_without_a_key_or_for_a_named_tenant(stack: Stack, ground: Ground, name: str) -> None:
    nobody = Tenant("ck_" + "x" * 43)
    with httpx2.Client(base_url=stack.url, timeout=30) as http:
        for binding in routes(METHODS[name]):
            for one in cases_of(ground, name):
                request = one.ask(ground.owner.tenant_id)
                answer = over_http(http, binding, request, nobody)
                assert (answer.reason, SECRET.encode() in answer.raw) == ("KEY_UNKNOWN", False)
            named = {"tenantId": ground.owner.tenant_id}
            path = re.sub(r"\{\w+\}", ground.memory_ids[0], binding.template)
            refused = http.request(binding.verb, path, params=named, headers=bearer(ground.stranger.key), json={})
            assert refused.status_code == 400


def test_the_stranger_changed_nothing_of_the_owners(stack: Stack, ground: Ground) -> None:
    with stack.client(ground.owner.key) as client:
        read = {memory["id"]: memory for memory in client.get("/v1/memories?limit=100").json()["items"]}
    more = set(read) - {*ground.memory_ids, *ground.common_ids}
    assert set(read) - more == {*ground.memory_ids, *ground.common_ids}
    assert {read[memory_id]["kind"] for memory_id in more} == {"turn"}  # of the owner's own talk
    assert [read[memory_id]["revision"] for memory_id in ground.memory_ids] == [2, 1]
    assert all(SECRET in read[memory_id]["content"] for memory_id in ground.memory_ids)
