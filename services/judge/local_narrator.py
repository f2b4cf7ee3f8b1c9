"""Answers from evidence without a model: the memories' own sentences, cited and dated.

Rules: what it quotes goes through the same guard as a model's words. It costs no tokens, so no ceiling binds it. It
does not know how sentences are chosen (shared/domain/narration).
"""

import time
from collections.abc import AsyncGenerator, Callable

from services.judge.narrator import Narrated, Task
from services.judge.provider import Usage
from shared.domain.guard import check
from shared.domain.narration import narrate

NAME = "extractive-narrator-1"


class LocalNarrator:
    """Implements Narrator by rules in this process."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        self._stem = stem

    async def narrate(self, task: Task) -> Narrated:
        """Answer as a whole."""
        started = time.perf_counter()
        told = narrate(task.question, task.memories, task.contested, stem=self._stem)
        verdict = check(told.text, task.memories, task.contested)
        usage = Usage(milliseconds=round((time.perf_counter() - started) * 1000))
        answer = told.text if verdict.ok else ""
        return Narrated(answer, verdict.failures, 1, NAME, "", usage, nearest_only=told.nearest_only)

    async def stream(self, task: Task) -> AsyncGenerator[str | Narrated, None]:
        """Answer in one part: it is there at once."""
        narrated = await self.narrate(task)
        if narrated.answer:
            yield narrated.answer
        yield narrated
