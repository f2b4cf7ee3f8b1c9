"""Documents as callers send them.

Rules: a document's content is its bytes, its text, or a data URL. What is wrong with one document is kept with it, so
that it fails alone. Without an id a document is known by its name and its bytes. It does not know what becomes of it.
Source: archon-behaviour 7.1.
"""

import base64
import binascii
from dataclasses import dataclass
from hashlib import sha256

from candor.ingest.v1 import documents_pb2 as pb

from shared.domain.errors import InvalidArgument, TooLarge

DOCUMENTS_MAX = 500  # of one request (chosen, untested)
DOC_ID_MAX_CHARS = 256  # archon-behaviour 7.1
FILENAME_MAX_CHARS = 512  # archon-behaviour 7.1
DIGEST_CHARS = 12  # of the default id of a document


@dataclass(frozen=True, slots=True)
class Paper:
    """One document as its caller sends it; `refusal` says why it cannot be read at all."""

    doc_id: str
    filename: str
    content: bytes
    declared: dict[str, str]  # doc_type, company, period, currency and event_ref, where given
    refusal: InvalidArgument | None = None


def papers_of(request: pb.IngestDocumentsRequest) -> list[Paper]:
    """Return the documents of a request; a second one of the same id is refused alone, the same one twice is one.

    Raises: InvalidArgument DOCUMENTS_EMPTY; TooLarge TOO_MANY_DOCUMENTS.
    """
    count = len(request.documents)
    if count == 0:
        raise InvalidArgument.of("documents", "DOCUMENTS_EMPTY", "must hold at least one document")
    if count > DOCUMENTS_MAX:
        raise TooLarge("TOO_MANY_DOCUMENTS", f"a request holds at most {DOCUMENTS_MAX} documents, not {count}")
    found: dict[str, Paper] = {}
    papers: list[Paper] = []
    for position, document in enumerate(request.documents):
        paper = _paper(document, f"documents[{position}].")
        former = found.setdefault(paper.doc_id, paper)
        if former is paper:
            papers.append(paper)
        elif former != paper:
            reason = "is given twice, with another content"
            refusal = InvalidArgument.of(f"documents[{position}].doc_id", "DOC_ID_REPEATED", reason)
            papers.append(Paper(paper.doc_id, paper.filename, b"", {}, refusal))
    return papers


def _paper(given: pb.DocumentInput, place: str) -> Paper:
    declared = {
        "doc_type": "" if given.declared_type == "unknown" else given.declared_type,
        "company": given.company,
        "period": given.period,
        "currency": given.currency,
        "event_ref": given.event_ref,
    }
    try:
        content = _content(given, place)
        texts = [("doc_id", given.doc_id, DOC_ID_MAX_CHARS), ("filename", given.filename, FILENAME_MAX_CHARS)]
        texts += [(name, text, FILENAME_MAX_CHARS) for name, text in declared.items()]
        for name, text, most in texts:
            if len(text) > most or (text and not text.isprintable()):
                raise InvalidArgument.of(place + name, "LABEL_INVALID", f"must be at most {most} printable characters")
    except InvalidArgument as error:
        return Paper(given.doc_id[:DOC_ID_MAX_CHARS] or place.rstrip("."), "", b"", {}, error)
    name = given.filename.strip()[: DOC_ID_MAX_CHARS - DIGEST_CHARS - 1]
    doc_id = given.doc_id.strip() or f"{name or 'document'}-{sha256(content).hexdigest()[:DIGEST_CHARS]}"
    return Paper(doc_id, given.filename.strip(), content, {key: text for key, text in declared.items() if text})


def _content(given: pb.DocumentInput, place: str) -> bytes:
    if given.data and given.content:
        raise InvalidArgument.of(f"{place}data", "DOCUMENT_TWICE", "and content: one of them holds the document")
    if given.data:
        return given.data
    if not given.content.strip():
        raise InvalidArgument.of(f"{place}content", "DOCUMENT_EMPTY", "is empty")
    head, comma, body = given.content.partition(",")
    if not head.startswith("data:") or not comma:
        return given.content.encode()
    try:
        if not head.endswith(";base64"):
            raise binascii.Error
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidArgument.of(f"{place}content", "DOCUMENT_ENCODING", "is no data URL in base64") from None
