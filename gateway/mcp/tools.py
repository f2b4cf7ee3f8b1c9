"""The tools that agents get: what each is for, which RPC it calls, and which of the RPC's fields it offers.

Rules: a tool has no fields of its own; names, types and meanings are the contract's. What is not offered here is
refused, so that a model sees few arguments and none that decides more than its tool says. A switch is an argument that
chooses between two RPCs. It does not know how a call is made.
Source: REQUIREMENTS F1; the Model Context Protocol, "Tools".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Call:
    """One RPC: its full name, the fields that are offered, and what is always said."""

    method: str
    fields: tuple[str, ...]
    fixed: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    `other` is called where the argument `switch` is true. `renamed` gives arguments another name than their field has.
    `takes_key`: a repetition can be made safe with an idempotency key.
    """

    name: str
    description: str
    call: Call
    other: Call | None = None
    switch: str = ""
    switch_description: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)
    takes_key: bool = False
    is_read_only: bool = False


_SCOPE = ("company", "period", "kind")
_NARROW = (*_SCOPE, "record", "source_ref", "tags", "speaker", "session")

# fmt: off
TOOLS = (
    Tool(
        "recall_memory",
        "Find what memory holds about a question: the best memories with their dates and sources, and in "
        "`conflicts` where memory disagrees with itself about them, with the side that a stated policy would "
        "trust. Say so to the user when a value is contested. No model is asked; cheap.",
        Call(
            "candor.retrieve.v1.RecallService.RecallMemories",
            (
                "query", "limit", *_NARROW, "period_from", "period_to", "min_score", "valid_at", "known_at",
                "token_budget",
            ),
        ),
        renamed={"question": "query"},
        is_read_only=True,
    ),
    Tool(
        "answer_question",
        "Answer a question in sentences from memory alone, each fact cited [n], a contested one told as contested."
        " What no memory bears out is not said. Asks a model where one is configured.",
        Call(
            "candor.retrieve.v1.AnswerService.AnswerQuestion",
            ("question", "limit", *_NARROW, "valid_at", "known_at", "max_total_tokens"),
        ),
    ),
    Tool(
        "ingest_memory",
        "Remember one fact. Give `record` (an invoice number, a contract) and its values in `metadata` so that "
        "audits can compare them, and `observedAt` when the fact has a date. Writing the same twice keeps one. Do "
        "not write back what recall returned unless `derivedFrom` names it.",
        Call(
            "candor.ingest.v1.MemoriesService.CreateMemory",
            (
                "content", "kind", "company", "period", "record", "source_ref", "counterparty", "speaker", "session",
                "tags", "metadata", "importance", "pinned", "observed_at", "expires_at", "references", "derived_from",
            ),
        ),
        takes_key=True,
    ),
    Tool(
        "audit_memory",
        "Look for what is wrong in memory: records with two values, references to nothing, duplicates, facts that "
        "depend on changed ones; each contradiction with a recommendation. With `semantic` true: memories that "
        "contradict each other in meaning. Reads only.",
        Call("candor.audit.v1.FieldAuditService.GetAuditReport", (*_SCOPE, "since")),
        other=Call(
            "candor.audit.v1.MeaningAuditService.AuditMeaning",
            (*_SCOPE, "max_pairs", "similarity_threshold", "resume_token"),
        ),
        switch="semantic",
        switch_description="True: compare meanings instead of the fields of records. Default false.",
        is_read_only=True,
    ),
    Tool(
        "memory_count",
        "Count the memories in scope.",
        Call("candor.retrieve.v1.MemoriesService.CountMemories", _NARROW),
        is_read_only=True,
    ),
    Tool(
        "resolve_conflict",
        "Carry out a person's decision about a contradiction that an audit found: which memory's value of the "
        "attribute holds. The others' values end, their memories stay, and it can be undone. Only on a person's "
        "word, with their reason.",
        Call(
            "candor.ingest.v1.DecisionsService.ResolveConflict",
            (
                "company", "subject", "attribute", "selected_memory_id", "target_memory_ids", "action", "reason",
                "finding_id", "loser_state",
            ),
        ),
        takes_key=True,
    ),
    Tool(
        "forget_preview",
        "Show what forgetting would take: the memories in scope that are not protected, those that fade first "
        "first, and the id of the plan, which a person can confirm. Forgets nothing.",
        Call(
            "candor.ingest.v1.ForgettingService.ForgetMemories",
            ("memory_ids", "kind", "company", "session", "recorded_before", "salience_below"),
            fixed={"preview": True},
        ),
        is_read_only=True,
    ),
)
# fmt: on
