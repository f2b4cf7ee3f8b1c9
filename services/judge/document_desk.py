"""Where documents are opened: a few processes apart from this one, each ended when a document holds it up.

Rules: a process reads one document at a time and lives on; one that takes too long, is no longer asked for, or ends by
itself is replaced when the next document comes. They start with the first document. It does not know file formats.
Source: PDFium is not safe for threads, a thread in C code cannot be stopped, and memory has bounds only by process; see
docs/decisions.md.
"""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process

import structlog

from services.judge.document_frames import HEAD_BYTES, Read, Task, head_of, read_of, sizes_of, task_frame
from services.judge.document_limits import DocumentLimits
from shared.domain.errors import InvalidArgument, Overloaded
from shared.rpc.admission import Admission

START_SECONDS = 15.0
"""More for the first document of a process: it starts in about half a second, longer on a busy machine."""

WAITING = 256
"""Documents that may wait for a process; the next is refused. Chosen, untested."""

_log = structlog.stdlib.get_logger("candor.documents")


class DocumentDesk:
    """Reads documents, `processes` at a time; safe to call concurrently."""

    def __init__(self, limits: DocumentLimits, *, processes: int = 2) -> None:
        self.limits = limits
        self._admission = Admission(
            running=processes, waiting=WAITING, reason="DOCUMENTS_OVERLOADED", what="every reader of documents"
        )
        self._idle: list[Process] = []
        self._running: set[Process] = set()

    async def read(self, content: bytes, declared: bytes, *, pictures: bool) -> Read:
        """Read a document; `declared` is a DeclaredDocument, as bytes.

        Raises: as document_reader.read_document and extracting.extract; InvalidArgument DOCUMENT_TIME,
        DOCUMENT_UNREADABLE; Overloaded DOCUMENTS_OVERLOADED.
        """
        frame = task_frame(Task(content, declared, self.limits, pictures))
        async with self._admission.slot():
            process = await self._process()
            answered = False
            try:
                async with asyncio.timeout(self.limits.seconds):
                    answer = await _ask(process, frame)
                answered = True
            except TimeoutError as error:
                told = f"takes more than {self.limits.seconds:g} seconds to read"
                raise InvalidArgument.of("content", "DOCUMENT_TIME", told) from error
            except (asyncio.IncompleteReadError, ConnectionError, ValueError) as error:
                _log.warning("a reader of documents ended", code=process.returncode)
                told = "cannot be read: its reader broke off"
                raise InvalidArgument.of("content", "DOCUMENT_UNREADABLE", told) from error
            finally:
                if answered and process.returncode is None:
                    self._idle.append(process)
                else:
                    await self._end(process)
        return read_of(*answer)

    async def close(self) -> None:
        """End every process."""
        for process in tuple(self._running):
            await self._end(process)

    async def _process(self) -> Process:
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
            await self._end(process)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "services.judge.document_process", str(self.limits.memory_bytes)),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,  # a trace could hold what a document says
            env={"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONUTF8": "1"},
        )
        self._running.add(process)
        started = False
        try:
            async with asyncio.timeout(START_SECONDS):
                await _ask(process, task_frame(Task(b"ready?", b"", self.limits, pictures=False)))
            started = True
        except TimeoutError as error:
            told = "no reader of documents started in time"
            raise Overloaded("DOCUMENTS_OVERLOADED", told, retry_after_seconds=START_SECONDS) from error
        finally:
            if not started:
                await self._end(process)
        return process

    async def _end(self, process: Process) -> None:
        self._running.discard(process)
        if process.returncode is None:
            process.kill()
        await process.wait()
        if process.stdin is not None:
            process.stdin.close()


async def _ask(process: Process, frame: bytes) -> tuple[dict[str, object], list[bytes]]:
    """Send a frame and read one back. Raises: IncompleteReadError, ConnectionError, ValueError."""
    if process.stdin is None or process.stdout is None:
        raise ConnectionError("no pipes")
    process.stdin.write(frame)
    await process.stdin.drain()
    head = await process.stdout.readexactly(HEAD_BYTES)
    about, sizes = sizes_of(await process.stdout.readexactly(head_of(head)))
    return about, [await process.stdout.readexactly(size) for size in sizes]
