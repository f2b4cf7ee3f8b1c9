"""Puts DocumentService together from the settings. It does not know what is read."""

from services.judge import online
from services.judge.document_desk import DocumentDesk
from services.judge.document_limits import DocumentLimits
from services.judge.document_model import ModelReader
from services.judge.documents import Documents
from shared.config import Settings
from shared.rpc.server import Host


def limits_of(settings: Settings) -> DocumentLimits:
    """Return the limits that are set."""
    return DocumentLimits(
        bytes=settings.document_max_bytes,
        pages=settings.document_max_pages,
        seen_pages=settings.document_seen_pages,
        pixels=settings.document_max_pixels,
        unpacked_bytes=settings.document_unpacked_bytes,
        rows=settings.document_max_rows,
        characters=settings.document_max_characters,
        seconds=settings.document_seconds,
        memory_bytes=settings.document_memory_bytes,
    )


def service(host: Host) -> Documents:
    """Return the service, with models where the settings say so. Raises: StartRefused without a key."""
    settings = host.settings
    desk = DocumentDesk(limits_of(settings), processes=settings.document_processes)
    host.close_with(desk.close)
    if not settings.judges_online:
        return Documents(desk)
    text, vision = (online.reader(settings, name) for name in (settings.extract_model, settings.vision_model))
    for model in (text, vision):
        host.close_with(model.close)
    return Documents(desk, ModelReader(text), ModelReader(vision))
