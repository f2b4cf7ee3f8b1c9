"""What a made memory tells beside its text: kind, company, session, record, dates; and the scopes planted among them.

Rules: all of it follows from the memory's number and from how many there are, so nothing needs to be remembered. Every
second memory is a turn of a conversation, every tenth is about a record and asserts an amount; of these every tenth
contradicts another. Of each kind of filter one value is carried by FIFTY memories spread over the tenant, and periods
of SCOPES by as many as they say, where the tenant is large enough.
It does not know texts.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from candor.ingest.v1.memories_pb2 import NewMemory
from candor.memory.v1.memory_pb2 import KIND_DOCUMENT, KIND_INVOICE, KIND_NOTE, KIND_TURN, KIND_VALIDATION

from tests.bench.speed.texts import Perturbed

COMPANIES = 200
SPEAKERS = ("Aldo", "Brina", "Corvin", "Dalia", "Edvin", "Fenna", "Gorm", "Hedda", "Ivo", "Jorun")
RECORD_EVERY = 10
CONTRADICTION_EVERY = 100
SESSION_TURNS = 50
SECONDS_EACH = 30
START = datetime(2025, 1, 1, tzinfo=UTC)
FIFTY = 50
SCOPES: Mapping[str, int] = MappingProxyType(
    {
        "2001": 2_500,
        "2002": 5_000,
        "2003": 7_500,
        "2004": 10_000,
        "2005": 15_000,
        "2006": 20_000,
        "2007": 50_000,
    }
)
SCOPES_MAX_SHARE = 0.7  # of a tenant's memories that are in one of them
_SCATTER = 7_919  # a prime: numbers far apart become neighbours

PLANTED: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "kind": {"kind": "validation"},
        "company": {"company": "Fifty Ltd"},
        "period": {"period": "1999-05"},
        "record": {"record": "REC-FIFTY"},
        "tag": {"tags": ["fifty"]},
        "speaker": {"speaker": "Fiftina"},
        "session": {"session": "session-fifty"},
        "importance": {"minImportance": 0.95},
        "source": {"sourceRef": "fifty.pdf"},
    }
)
"""Filters as a recall over HTTP writes them; each leaves FIFTY memories."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Makes the memories of a tenant of `rows`."""

    rows: int
    model: str

    def memory(self, made: Perturbed) -> NewMemory:
        """Return a made memory with all that it tells."""
        number = made.number
        is_turn = number % 2 == 1
        memory = NewMemory(
            kind=KIND_TURN if is_turn else KIND_NOTE,
            content=made.text,
            company=f"Company {number * _SCATTER % COMPANIES}",
            embedding=made.vector,
            embedding_model=self.model,
        )
        at = START + timedelta(seconds=SECONDS_EACH * number)
        memory.observed_at.FromDatetime(at)
        if is_turn:
            memory.session = f"session-{number // (2 * SESSION_TURNS)}"
            memory.speaker = SPEAKERS[number // 2 % len(SPEAKERS)]
        elif number % RECORD_EVERY == 0:
            self._record(memory, number)
            memory.period = at.strftime("%Y-%m")
        elif number % RECORD_EVERY == 4:
            memory.kind = KIND_DOCUMENT
            memory.source_ref = f"file-{number // 1_000}.pdf"
            memory.importance = number % 9 / 10
        if number % 3 == 0:
            memory.tags.append(f"topic-{number // 3 % 20}")
        scope = self.scope(number)
        if scope:
            memory.period = scope
        self._plant(memory, number)
        return memory

    def scope(self, number: int) -> str | None:
        """Return the period of SCOPES that a memory is in."""
        place = number * _SCATTER % self.rows
        for period, size in self.scopes():
            if place < size:
                return period
            place -= size
        return None

    def scopes(self) -> Iterator[tuple[str, int]]:
        """Yield the periods that fit this tenant, with how many memories each has."""
        left = int(SCOPES_MAX_SHARE * self.rows)
        for period, size in SCOPES.items():
            if size > left:
                return
            left -= size
            yield period, size

    def _record(self, memory: NewMemory, number: int) -> None:
        contradicts = number % CONTRADICTION_EVERY == 0 and number >= 2 * COMPANIES
        memory.kind = KIND_INVOICE
        # The same company again: its numbers are COMPANIES apart.
        memory.record = f"REC-{number - COMPANIES if contradicts else number}"
        memory.metadata = json.dumps({"amount": 100 + number, "currency": "EUR"})

    def _plant(self, memory: NewMemory, number: int) -> None:
        """Put the value of one filter on each of FIFTY memories, another filter's on their neighbours."""
        step = max(1, self.rows // FIFTY)
        place = number % step
        if number // step >= FIFTY or place >= len(PLANTED):
            return
        match list(PLANTED)[place]:
            case "kind":
                memory.kind = KIND_VALIDATION
            case "company":
                memory.company = "Fifty Ltd"
            case "period":
                memory.period = "1999-05"
            case "record":
                memory.record = "REC-FIFTY"
            case "tag":
                memory.tags.append("fifty")
            case "speaker":
                memory.speaker = "Fiftina"
            case "session":
                memory.session = "session-fifty"
            case "importance":
                memory.importance = 0.95
            case _:
                memory.source_ref = "fifty.pdf"
