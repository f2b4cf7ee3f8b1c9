"""What earlier answers named, and words of the field, put where a generated request has noise: so that some reach deep.

Rules: values are found by the name of their field alone, in any answer (`memoryId`, `planId`, `nextPageToken`); a field
that names several (`memoryIds`) takes them from the same place. Memory is bounded. It does not know any operation.
"""

import random
from collections import deque
from typing import Any

MOST_OF_A_NAME = 40  # values remembered of each field; chosen, untested
MOST_ITEMS = 20  # of a list that are looked at; chosen, untested
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
    "subject": ["Northwind"],
    "customer": ["Halden Paper"],
    "counterparty": ["Halden Paper"],
    "record": ["INV-7", "LEASE-7"],
    "attribute": ["amount", "ends"],
    "sourceRef": ["inbox/a.pdf"],
    "references": [["INV-7"], ["PO-1"]],
    "period": ["2026-04", "2026-Q1", "2026"],
    "periodFrom": ["2026-01"],
    "periodTo": ["2026-12"],
    "date": ["2026-04-30"],
    "currency": ["EUR", "JPY", "KWD"],
    "total": ["100.00", "0", "-3.5", "1e400"],
    "amount": ["100.00", "8400"],
    "observedAt": ["2026-04-01T09:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"],
    "expiresAt": ["2027-04-01T09:00:00Z", "9999-12-31T23:59:59.999Z"],
    "validAt": ["2026-04-01T09:00:00Z"],
    "knownAt": ["2026-11-01T09:00:00Z", "9999-12-31T23:59:59Z"],
    "from": ["2026-01-01T09:00:00Z"],
    "to": ["2027-01-01T09:00:00Z"],
    "metadata": [{"amount": 8400, "currency": "EUR"}, {"ends": "31 December 2027"}, {"a": [1.5e300, None, "1,0"]}],
    "tags": [["lease"], ["a", "b"]],
    "importance": [0, 0.5, 1],
    "query": ["what do we owe on INV-7?", "until when?"],
    "question": ["what do we owe on INV-7?", "wo wohne ich?"],
    "message": ["Where did I live before?", "I moved to Lisbon."],
    "userText": ["I moved to Lisbon last week.", "My allergy is peanuts."],
    "session": ["s-1"],
    "limit": [1, 5, 100],
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
        return value

    def _is_kept(self, key: object, sparse: float) -> bool:
        return self._found(str(key)) is not None or self._chance.random() >= sparse

    def _found(self, name: str) -> Any:
        name = _camel(name)
        if name in PLAUSIBLE:
            return self._chance.choice(PLAUSIBLE[name])
        if name.endswith("Ids") and (many := self._values.get(_place(name[:-1]))):
            return self._chance.sample(list(many), k=min(len(many), self._chance.randint(1, 3)))
        one = self._values.get(_place(name))
        return self._chance.choice(list(one)) if one else None


def _camel(name: str) -> str:
    first, *more = name.split("_")
    return first + "".join(part.capitalize() for part in more)


def _place(name: str) -> str:
    """Return where a field's values are kept: a page is asked for with what an answer calls the next one."""
    bare = _camel(name).removeprefix("next")
    return bare[:1].lower() + bare[1:]
