"""The reader of documents that is a generative model: what it is asked, and how its answer is read.

Rules: one call for one document. An answer has exactly the keys of the contract, with values of their kind; an amount
of a document whose words are known must stand among them, so that nothing is computed or made up. Anything else is
refused with words that name it, asked for again a bounded number of times, then a typed error. It does not know the
provider.
Source: archon-behaviour 7.2; REQUIREMENTS C6, E1.
"""

import base64
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, Final

from services.judge.document_frames import Read
from services.judge.prompts import AGAIN, delimited, version, wording
from services.judge.provider import ChatModel, Json, Prompt, Purpose, Usage, Wrong
from shared.domain.documents.contract import INVOICE_MONEY, INVOICE_TEXTS, PAY, TOTALS, read_contract
from shared.domain.documents.declaring import Declared, with_declared
from shared.domain.money.evidence import DocType, ExtractedDocument
from shared.domain.numerals import ascii_digits, readings
from shared.domain.text import fold

_WORDING: Final = wording("document")
PROMPT_VERSION: Final = version(_WORDING, AGAIN)

MODEL_MAX_CHARS = 60_000
"""Of a text that a model is asked about; longer ones are read by rules. Chosen, untested."""

MODEL_MAX_EMPLOYEES = 80
"""Of a register whose rows fit an answer; larger ones are read by rules. As settings.document_max_tokens."""

MAX_UNFOUNDED = 8
"""Of amounts that stand nowhere that are told. Chosen, untested."""

_FIGURE = re.compile(r"\d[\d.,' ]*\d|\d")


def _nullable(*kinds: str) -> dict[str, Any]:
    return {"type": [*kinds, "null"]}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


_TEXT, _MONEY = _nullable("string"), _nullable("number", "string")
_EMPLOYEE = _object(dict.fromkeys(("employee_id", "name"), _TEXT) | dict.fromkeys(PAY, _MONEY))
_INVOICE = _object(
    dict.fromkeys(("invoice_date", "payment_date", *INVOICE_TEXTS), _TEXT) | dict.fromkeys(INVOICE_MONEY, _MONEY)
)
SCHEMA: Final = _object(
    {"doc_type": {"type": "string", "enum": [each.value for each in DocType]}}
    | dict.fromkeys(("company", "period", "currency", "event_ref", "payment_date"), _TEXT)
    | dict.fromkeys(TOTALS, _MONEY)
    | {"employee_count": _nullable("integer"), "employees": {"type": "array", "items": _EMPLOYEE}}
    | {"invoice": {"anyOf": [_INVOICE, {"type": "null"}]}}
)


class ModelReader:
    """Reads documents with a generative model; safe to call concurrently."""

    prompt_version = PROMPT_VERSION

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat
        self.model = chat.name

    async def read(self, read: Read, declared: Declared) -> tuple[tuple[ExtractedDocument, ...], Usage]:
        """Read one document. Raises: as ChatModel; InvalidArgument DECLARATION_DIFFERS."""
        interpret = _reader(declared, None if read.pictures else read.text, read.notes)
        answer = await self._chat.complete_json(Purpose.DOCUMENT, prompt(read, declared), SCHEMA, interpret)
        return (with_declared(answer.value, declared),), answer.usage


def prompt(read: Read, declared: Declared) -> Prompt:
    """Return what is asked of a document."""
    data = {"text": "" if read.pictures else read.text, "company": declared.company or ""}
    data["declaredType"] = "" if declared.doc_type is DocType.UNKNOWN else declared.doc_type.value
    images = tuple(
        f"data:{each.media};base64,{base64.standard_b64encode(each.content).decode()}" for each in read.pictures
    )
    return Prompt(_WORDING.text, delimited(data), images=images)


def _reader(
    declared: Declared, text: str | None, notes: tuple[str, ...]
) -> Callable[[Json], ExtractedDocument | Wrong]:
    def read(value: Json) -> ExtractedDocument | Wrong:
        absent = [key for key in SCHEMA["required"] if isinstance(value, dict) and key not in value]
        if absent:
            return Wrong((f"the keys {', '.join(absent)} are missing",))
        found = read_contract(value, declared, "model", notes)
        if isinstance(found, tuple):
            return Wrong(found)
        unfounded = tuple(_unfounded(found, text)) if text is not None else ()
        return Wrong(unfounded[:MAX_UNFOUNDED]) if unfounded else found

    return read


def _unfounded(found: ExtractedDocument, text: str) -> Iterator[str]:
    """Name the amounts of an answer that do not stand in the document."""
    written = {
        abs(number) for match in _FIGURE.finditer(ascii_digits(fold(text))) for number in _readings(match.group())
    }
    for name, amount in _amounts(found):
        if abs(amount) not in written:
            yield f"{name} {amount} does not stand in the document; give null for what it does not say"


def _readings(figure: str) -> Iterator[Decimal]:
    """Yield what a run of figures can mean: as one, and each of the figures that a space parts."""
    yield from readings(figure.strip(" .,'"))
    if " " in figure:
        for part in figure.split(" "):
            yield from readings(part.strip(".,'"))


def _amounts(found: ExtractedDocument) -> Iterator[tuple[str, Decimal]]:
    evidence: list[tuple[str, object, tuple[str, ...]]] = [("", found, TOTALS)]
    evidence += [(f"employees[{place}].", each, PAY) for place, each in enumerate(found.employees)]
    if found.invoice is not None:
        evidence.append(("invoice.", found.invoice, INVOICE_MONEY))
    for where, held, names in evidence:
        for name in names:
            amount = getattr(held, name)
            if isinstance(amount, Decimal):
                yield where + name, amount
