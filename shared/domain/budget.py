"""As much memory as fits a token budget: dated lines, the most valuable for their length.

A line is `[1] [since 2026-03-04] Ann: …`: its number, when it holds, who said it, what it says.

Rules: a memory is worth the sixth power of its score, because evidence is far likelier near the top than scores say;
lines are taken by worth per token while they fit, and stand in the order of their scores. The budget is never exceeded,
counting tokens on the careful side (passages.py): more than most models count. A long memory is shown by its best
passage; where not even one line fits, the best one is cut.
It does not know which tokenizer the reader has, nor how scores came about.
Source: measured on LoCoMo evidence, share of it in the text at 150 / 500 / 1,000 tokens: in order of scores 45.1 / 71.8
/ 79.5; by score per token 22.3 / 48.6 / 66.1; by the sixth power per token 44.7 / 71.8 / 80.5.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.domain.passages import PASSAGE_MAX_TOKENS, estimated_spans

VALUE_POWER = 6  # 1 to 4 hold less evidence, 6 as much as any (measured)
CUT = "…"
MARKER = "[99] "  # stands for any marker of up to two digits; three have one token more
MARKER_MARGIN_TOKENS = 1


@dataclass(frozen=True, slots=True)
class Told:
    """A memory as a line may tell it: `when` it holds in words, `passage` where its best part begins and ends."""

    content: str
    passage: tuple[int, int] | None
    speaker: str | None
    when: str
    score: float


@dataclass(frozen=True, slots=True)
class Packed:
    """The text, how many tokens it is reckoned at, and the places of the memories that it tells, rising."""

    text: str
    tokens: int
    places: tuple[int, ...]


def tokens_of(text: str) -> int:
    """Return how many tokens a text has at most, for most models: about one for three Latin letters."""
    return len(estimated_spans(text))


def packed(memories: Sequence[Told], budget_tokens: int) -> Packed:
    """Return the lines of the memories, best first, that are worth most within the budget.

    Ties: earlier memory.
    """
    lines = [_line(told) for told in memories]
    costs = [tokens_of(MARKER + line) + MARKER_MARGIN_TOKENS for line in lines]
    by_worth = sorted(range(len(lines)), key=lambda n: (-(memories[n].score ** VALUE_POWER) / costs[n], n))
    chosen, used = [], 0
    for place in by_worth:
        if used + costs[place] <= budget_tokens:
            used += costs[place]
            chosen.append(place)
    chosen.sort()
    if not chosen and lines:
        cut = _cut(lines[0], budget_tokens - tokens_of(MARKER) - MARKER_MARGIN_TOKENS)
        if cut:
            lines, chosen = [cut], [0]
    text = "\n".join(f"[{number}] {lines[place]}" for number, place in enumerate(chosen, 1))
    return Packed(text, tokens_of(text), tuple(chosen))


def _line(told: Told) -> str:
    content, (start, end) = told.content, told.passage or (0, len(told.content))
    if tokens_of(content) > PASSAGE_MAX_TOKENS:
        content = f"{CUT * (start > 0)}{content[start:end].strip()}{CUT * (end < len(content))}"
    speaker = f"{told.speaker}: " if told.speaker else ""
    return " ".join(f"[{told.when}] {speaker}{content}".split())


def _cut(line: str, tokens: int) -> str:
    spans = estimated_spans(line)
    room = tokens - tokens_of(CUT)
    return line[: spans[room - 1][1]].rstrip() + CUT if 0 < room < len(spans) else ""
