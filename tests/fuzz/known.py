"""What earlier answers named, and words of the field, put where a generated request has noise: so that some reach deep.

Rules: values are found by the name of their field alone, in any answer (`memoryId`, `planId`, `nextPageToken`); a field
that names several (`memoryIds`) takes them from the same place. Memory is bounded. It does not know any operation.
"""

import random
from collections import deque
from typing import Any

MOST_OF_A_NAME = 40  # values remembered of each field; chosen, untested
MOST_ITEMS = 20  # of a list that are looked at; chosen, untested
EXTREME_SHARE = 0.1  # of numbers; chosen, untested
ENDS = ("Id", "Token")
PLAUSIBLE: dict[str, list[Any]] = {
    "kind": ["document", "note", "invoice", "insight", "turn"],
    "content": [
        "The lease ends on 30 June 2027.",
        "Invoice INV-7: EUR 8,400 due.",
        "I live in Lisbon.",
        "汇款 ¥500 已到账",
    ],
    "company": ["Northwind", "northwind", "Halden Paper"],
    "subject": ["INV-7", "LEASE-7"],
    "customer": ["Halden Paper"],
    "counterparty": ["Halden Paper"],
    "record": ["INV-7", "LEASE-7"],
    "attribute": ["amount", "ends"],
    "sourceRef": ["inbox/a.pdf"],
    "references": [["INV-7"], ["PO-1"]],
    "period": ["2026-04", "2026-Q1", "2026", "2026-W53", "0001-01", "9999-12", "2026-H2"],
    "periodFrom": ["2026-01", "0001"],
    "periodTo": ["2026-12", "9999"],
    "date": ["2026-04-30", "0001-01-01", "9999-12-31"],
    "paymentDate": ["2026-05-30", "9999-12-31"],
    "currency": ["EUR", "JPY", "KWD"],
    "total": ["100.00", "0", "-3.5", "1e400", 1e308, "9" * 200],
    "amount": ["100.00", "8400", "¥1,0"],
    "correctedFact": ["The lease ends on 31 July 2027."],
    "outcome": ["correct", "incorrect"],
    "sinceCursor": [""],
    "metadata": [{"amount": 8400, "currency": "EUR"}, {"ends": "31 December 2027"}, {"a": [1.5e300, None, "1,0"]}],
    "tags": [["lease"], ["a", "b"]],
    "importance": [0, 0.5, 1],
    "query": ["what do we owe on INV-7?", "until when?"],
    "question": ["what do we owe on INV-7?", "wo wohne ich?"],
    "message": ["Where did I live before?", "I moved to Lisbon."],
    "userText": ["I moved to Lisbon last week.", "My allergy is peanuts."],
    "session": ["s-1"],
    "limit": [1, 5, 100],
    "stepSeconds": [1, 60, 86_400, 2**31 - 1],
    "points": [1, 30, 1000],
    "graceSeconds": [0, 60],
    "maxPairs": [1, 10],
    "preview": [True, False],
    "reason": ["so"],
    "name": ["a name"],
    "scopes": [["read"]],
    "status": ["paid", "unpaid", "partial"],
    "type": ["sales", "purchase"],
    "updateMask": ["content"],
    "requestId": [""],
}


TIMES = [
    "2026-04-01T09:00:00Z",
    "2026-11-30T09:00:00.123456789+05:45",
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59.999999Z",
    "9999-12-31T23:59:59-12:00",
    "1969-12-31T23:59:59Z",
    "2024-02-29T23:59:60Z",
]
TIME_NAMES = ("At", "since", "until", "Before", "After")
ONE_OF_SEVERAL = {"derivedFrom": "memoryId", "selectedMemoryId": "memoryId", "targetMemoryId": "memoryId"}
NUMBERS = [0, -1, 1, 2**31 - 1, -(2**31), 2**53, 2**63, 0.5, 1e-320, 1.7e308]


class Known:
    """A bounded memory of what answers named. What is `mine` is never used: it would end the run's own access."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._values: dict[str, deque[str]] = {}
        self.mine: set[str] = set()

    def learn(self, answer: Any) -> None:
        """Keep every id and token of an answer."""
        if isinstance(answer, list):
            for item in answer[:MOST_ITEMS]:
                self.learn(item)
        elif isinstance(answer, dict):
            for name, value in answer.items():
                if isinstance(value, str) and value and name.endswith(ENDS) and value not in self.mine:
                    self._values.setdefault(_place(name), deque(maxlen=MOST_OF_A_NAME)).append(value)
                else:
                    self.learn(value)

    def better(self, value: Any, share: float, sparse: float, name: str = "") -> Any:
        """Return a value with parts replaced by known ones. Units: `share` of those with a known name; `sparse` of the
        others are left out.
        """
        if name and self._chance.random() < share and (found := self._found(name)) is not None:
            return found
        if isinstance(value, dict):
            kept = {key: part for key, part in value.items() if self._is_kept(key, sparse)}
            return {key: self.better(part, share, sparse, str(key)) for key, part in kept.items()}
        if isinstance(value, list):
            return [self.better(part, share, sparse, name.removesuffix("s")) for part in value]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return self._chance.choice(NUMBERS) if is_number and self._chance.random() < EXTREME_SHARE else value

    def _is_kept(self, key: object, sparse: float) -> bool:
        return self._found(str(key)) is not None or self._chance.random() >= sparse

    def _found(self, name: str) -> Any:
        name = _camel(name)
        if name in PLAUSIBLE:
            return self._chance.choice(PLAUSIBLE[name])
        if name.endswith(TIME_NAMES):
            return self._chance.choice(TIMES)
        if name.endswith("Ids") or name == "derivedFrom":
            many = self._values.get(_place(name.removesuffix("s")))
            return self._chance.sample(list(many), k=min(len(many), self._chance.randint(1, 3))) if many else None
        one = self._values.get(_place(name))
        return self._chance.choice(list(one)) if one else None


def _camel(name: str) -> str:
    first, *more = name.split("_")
    return first + "".join(part.capitalize() for part in more)


def _place(name: str) -> str:
    """Return where a field's values are kept: a page is asked for with what an answer calls the next one."""
    bare = _camel(name).removeprefix("next")
    bare = bare[:1].lower() + bare[1:]
    return ONE_OF_SEVERAL.get(bare, bare)
