"""The part of a long text around a passage: what a model is shown of it.

Rules: a text that fits is whole; else the passage stands in the middle as far as the text allows, and no word is cut in
two unless it is longer than what may be left out. It does not know how passages are found.
Source: chosen, untested; the reference cuts every text at its end, wherever the match is.
"""


def excerpt(text: str, start: int, end: int, max_chars: int) -> str:
    """Return at most `max_chars` characters of a text around the characters from `start` to `end`."""
    if len(text) <= max_chars:
        return text
    margin = max(0, max_chars - (end - start)) // 2
    first = min(max(0, start - margin), len(text) - max_chars)
    last = first + max_chars
    part = text[first:last]
    if first > 0 and not text[first - 1].isspace():
        part = _from_next_word(part, max(0, start - first))
    if last < len(text) and not text[last].isspace():
        part = _from_next_word(part[::-1], max(0, last - end))[::-1]
    return part.strip() or text[first:last]


def _from_next_word(part: str, most: int) -> str:
    """Drop what is left of a cut word; at most `most` characters."""
    space = next((i for i, character in enumerate(part[: most + 1]) if character.isspace()), 0)
    return part[space:]
