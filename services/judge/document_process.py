"""The process that opens documents: started by document_desk.py, one document after another, until its input ends.

Rules: it holds no key, no setting and no connection; memory is bounded by the system, and a document that takes too
long ends the process even when nobody watches. What a reader did not foresee ends it too: whoever started it sees
that. It does not know gRPC or models.
"""

import os
import resource
import signal
import sys

sys.modules.setdefault("numpy", None)  # type: ignore[arg-type]  # openpyxl would load it; it takes a third of the start

from candor.judge.v1.documents_pb2 import DeclaredDocument  # noqa: E402

from services.judge.document_frames import Read, Task, error_frame, read_blocking, read_frame, task_of  # noqa: E402
from services.judge.document_reader import read_document  # noqa: E402
from shared.domain.documents.extracting import extract  # noqa: E402
from shared.domain.errors import CandorError, TooLarge  # noqa: E402
from shared.rpc.wire.document import declared_of, to_extracted  # noqa: E402

GRACE_SECONDS = 1.0
"""Beyond the time a document has: who watches is first to end it."""


def answer(task: Task) -> bytes:
    """Read one document, and what the rules find in it."""
    try:
        reading = read_document(task.content, task.limits, pictures=task.pictures)
        declared = declared_of(DeclaredDocument.FromString(task.declared))
        found = () if reading.needs_eyes else extract(reading, declared)
    except CandorError as error:
        return error_frame(error)
    documents = tuple(to_extracted(each).SerializeToString() for each in found)
    seen = reading.needs_eyes
    return read_frame(
        Read(reading.media, reading.pages, reading.written, reading.notes, reading.pictures, documents, seen)
    )


def main(memory_bytes: int) -> None:
    """Answer until the input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of the terminal; who started us ends us
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no frame
    while (frame := read_blocking(sys.stdin.buffer)) is not None:
        task = task_of(*frame)
        signal.setitimer(signal.ITIMER_REAL, task.limits.seconds + GRACE_SECONDS)  # ends the process
        try:
            told, last = answer(task), False
        except MemoryError:
            told, last = error_frame(out_of_memory(memory_bytes)), True
        out.write(told)
        out.flush()
        signal.setitimer(signal.ITIMER_REAL, 0)
        if last:
            return


def out_of_memory(memory_bytes: int) -> TooLarge:
    """Return the error for a document that takes more memory than it may."""
    told = f"content: takes more than {memory_bytes} bytes of memory to read"
    return TooLarge("DOCUMENT_MEMORY", told, metadata={"limit": str(memory_bytes)})


if __name__ == "__main__":
    main(int(sys.argv[1]))
