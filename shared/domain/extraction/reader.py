"""The extractor: what the user's words tell, by rules alone.

Rules: deterministic; only the user's words are evidence. It does not know models, nor what becomes of a fact.
Source: REQUIREMENTS D3.
"""

import re
from collections.abc import Iterator

from shared.domain.extraction.facts import Fact, Heard
from shared.domain.statements import sentences

_LIVES = re.compile(r"I(?:'m| am)? (?:live|living|based) in (?P<v>[A-Z]\w+)")


def extract(heard: Heard) -> tuple[Fact, ...]:
    """Return the facts of a turn, in the order in which they were told."""
    return tuple(_found(heard))


def _found(heard: Heard) -> Iterator[Fact]:
    for sentence in sentences(heard.user_text):
        lives = _LIVES.search(sentence)
        if lives:
            value = lives["v"]
            yield Fact(f"User lives in {value}.", sentence, heard.observed_at, slot="slot.residence", value=value)
        elif re.search(r"\b(?:I|my)\b", sentence) and not sentence.endswith("?"):
            yield Fact(sentence, sentence, heard.observed_at)
