"""What a caller says of a document, and whether the document agrees.

Rules: companies agree by their keys, event references whatever their case, periods and currencies exactly, types unless
unknown. What only one side says holds. It does not know how a document is read.
Source: archon-behaviour 7.2 (declarations).
"""

from dataclasses import dataclass, replace

from shared.domain.errors import InvalidArgument, Violation
from shared.domain.money.amounts import known_currency
from shared.domain.money.evidence import DocType, ExtractedDocument, FieldSource
from shared.domain.periods import canonical_period
from shared.domain.text import company_key, fold

DOC_ID_MAX_CHARS, FILENAME_MAX_CHARS = 256, 512
"""archon-behaviour 7.1."""

LABEL_MAX_CHARS, EVENT_REF_MAX_CHARS = 256, 128
"""archon-behaviour 7.1, 7.2."""

DECLARED = "declared"


@dataclass(frozen=True, slots=True)
class Declared:
    """What a caller says of a document; None: nothing."""

    doc_id: str
    filename: str = ""
    doc_type: DocType = DocType.UNKNOWN
    company: str | None = None
    period: str | None = None
    currency: str | None = None
    event_ref: str | None = None


def checked(declared: Declared) -> Declared:
    """Return what is declared in canonical form.

    Raises: InvalidArgument DOC_ID_MISSING, DOC_ID_TOO_LONG, FILENAME_TOO_LONG, DECLARED_COMPANY_TOO_LONG,
    DECLARED_EVENT_REF_TOO_LONG, DECLARED_PERIOD_INVALID, DECLARED_CURRENCY_INVALID.
    """
    wrong: list[Violation] = []
    if not declared.doc_id.strip():
        wrong.append(Violation("doc_id", "DOC_ID_MISSING", "must be given"))
    for name, text, most in (
        ("doc_id", declared.doc_id, DOC_ID_MAX_CHARS),
        ("filename", declared.filename, FILENAME_MAX_CHARS),
        ("company", declared.company, LABEL_MAX_CHARS),
        ("event_ref", declared.event_ref, EVENT_REF_MAX_CHARS),
    ):
        if len(text or "") > most:
            prefix = "" if name in ("doc_id", "filename") else "DECLARED_"
            wrong.append(Violation(name, f"{prefix}{name.upper()}_TOO_LONG", f"must have at most {most} characters"))
    period = canonical_period(declared.period) if declared.period else None
    if declared.period and period is None:
        told = "must be YYYY, YYYY-Qn, YYYY-MM or YYYY-MM-DD"
        wrong.append(Violation("period", "DECLARED_PERIOD_INVALID", told))
    code = known_currency(declared.currency)
    if declared.currency and (code is None or fold(declared.currency) != code.casefold()):
        wrong.append(Violation("currency", "DECLARED_CURRENCY_INVALID", "must be a code of ISO 4217"))
    if wrong:
        raise InvalidArgument.of_all(tuple(wrong))
    company, event_ref = (text.strip() or None if text else None for text in (declared.company, declared.event_ref))
    return replace(declared, company=company, event_ref=event_ref, period=period, currency=code)


def with_declared(found: ExtractedDocument, declared: Declared) -> ExtractedDocument:
    """Return a document with what its caller says of it; what it needed and the caller gave is missing no more.

    Raises: InvalidArgument DECLARATION_DIFFERS.
    """
    wrong = [
        Violation(name, "DECLARATION_DIFFERS", f"the document says {_short(read)}, the caller {_short(said)}")
        for name, read, said, same in (
            ("company", found.company, declared.company, _same_company),
            ("period", found.period, declared.period, _same_text),
            ("currency", found.currency, declared.currency, _same_text),
            ("event_ref", found.event_ref, declared.event_ref, _same_folded),
            ("doc_type", _known(found.doc_type), _known(declared.doc_type), _same_text),
        )
        if read is not None and said is not None and not same(read, said)
    ]
    if wrong:
        raise InvalidArgument.of_all(tuple(wrong))
    given = {
        name: said
        for name, read, said in (
            ("company", found.company, declared.company),
            ("period", found.period, declared.period),
            ("currency", found.currency, declared.currency),
            ("event_ref", found.event_ref, declared.event_ref),
        )
        if read is None and said is not None
    }
    doc_type = declared.doc_type if found.doc_type is DocType.UNKNOWN else found.doc_type
    return replace(
        found,
        doc_type=doc_type,
        company=found.company or declared.company,
        period=found.period or declared.period,
        currency=found.currency or declared.currency,
        event_ref=found.event_ref or declared.event_ref,
        missing=tuple(name for name in found.missing if name not in given),
        sources=(*found.sources, *(FieldSource(name, said, DECLARED) for name, said in given.items())),
    )


def _known(doc_type: DocType) -> str | None:
    return None if doc_type is DocType.UNKNOWN else doc_type.value


def _same_company(read: str, said: str) -> bool:
    return company_key(read) == company_key(said)


def _same_folded(read: str, said: str) -> bool:
    return fold(read) == fold(said)


def _same_text(read: str, said: str) -> bool:
    return read == said


def _short(text: str) -> str:
    return repr(text if len(text) <= 64 else f"{text[:64]}…")
