"""candor.judge.v1.DocumentService: opens a document, reads it by rules or with a model, and gives all or none.

Rules: cells and objects of JSON are read by rules, exactly; texts and PDFs by the model where there is one and they fit
an answer; pages without words and images by a model that sees, or not at all. Nothing that could not be read is filled
in. It does not know file formats, nor what becomes of a document.
Source: REQUIREMENTS E1, C6.
"""

from candor.judge.v1 import documents_pb2 as pb
from candor.judge.v1.documents_pb2_grpc import DocumentServiceServicer

from services.judge.document_desk import DocumentDesk
from services.judge.document_frames import Read
from services.judge.document_limits import too_large
from services.judge.document_model import MODEL_MAX_CHARS, MODEL_MAX_EMPLOYEES, ModelReader
from services.judge.provider import Usage
from services.judge.usage_message import usage_message
from shared.domain.documents.declaring import Declared, checked
from shared.domain.documents.extracting import RULES_VERSION, is_read
from shared.domain.documents.reading import Media
from shared.domain.errors import FailedPrecondition, InvalidArgument
from shared.domain.money.evidence import DocType, ExtractedDocument
from shared.rpc import wire
from shared.rpc.context import Context
from shared.rpc.wire.document import declared_of, extracted_of, to_declared, to_extracted

RULES = "rule-documents-1"

_BY_RULES = frozenset((Media.JSON, Media.CSV, Media.XLSX))


class Documents(DocumentServiceServicer):
    """Reads documents; without models by rules alone."""

    def __init__(self, desk: DocumentDesk, text: ModelReader | None = None, vision: ModelReader | None = None) -> None:
        self._desk = desk
        self._text = text
        self._vision = vision

    async def ExtractDocument(self, request: pb.ExtractDocumentRequest, context: Context) -> pb.ExtractDocumentResponse:
        """Read one document. Raises: InvalidArgument; TooLarge; UnsupportedMedia; FailedPrecondition; as ChatModel."""
        wire.tenant(request)
        declared = _declared(request.declared)
        if len(request.content) > self._desk.limits.bytes:  # before it is copied
            raise too_large("DOCUMENT_BYTES", "bytes", self._desk.limits.bytes)
        pictures = self._vision is not None
        told = to_declared(declared).SerializeToString()
        read = await self._desk.read(request.content, told, pictures=pictures)
        by = self._by(read)
        if by is None:
            documents, usage = _by_rules(read), Usage()
        else:
            documents, usage = await by.read(read, declared)
        return pb.ExtractDocumentResponse(
            documents=[to_extracted(each) for each in documents],
            media=read.media.value,
            pages=read.pages,
            model=RULES if by is None else by.model,
            prompt_version=RULES_VERSION if by is None else by.prompt_version,
            usage=usage_message(usage),
        )

    def _by(self, read: Read) -> ModelReader | None:
        """Return the model that reads it; None: the rules did. Raises: FailedPrecondition VISION_MODEL_NEEDED."""
        if read.needs_eyes:
            if self._vision is None:
                told = "content: holds no text but a picture of it: a vision model is needed, and none is configured"
                raise FailedPrecondition("VISION_MODEL_NEEDED", told, metadata={"media": read.media.value})
            return self._vision
        found = _by_rules(read)
        if self._text is None or read.media is Media.JSON or (read.media in _BY_RULES and is_read(found)):
            return None
        large = len(read.text) > MODEL_MAX_CHARS or any(len(each.employees) > MODEL_MAX_EMPLOYEES for each in found)
        return None if large else self._text


def _by_rules(read: Read) -> tuple[ExtractedDocument, ...]:
    return tuple(extracted_of(pb.ExtractedDocument.FromString(each)) for each in read.documents)


def _declared(message: pb.DeclaredDocument) -> Declared:
    """Read what is declared. Raises: InvalidArgument."""
    if message.doc_type and message.doc_type not in [each.value for each in DocType]:
        told = f"must be one of {', '.join(each.value for each in DocType)}"
        raise InvalidArgument.of("declared.doc_type", "DECLARED_TYPE_UNKNOWN", told)
    return checked(declared_of(message))
