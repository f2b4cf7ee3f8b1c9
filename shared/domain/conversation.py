"""Talk: what of a reply is checked against memory, and what a reply is without a model.

Rules: a sentence that cites a memory is checked as an answer is, by itself; one that cites none is talk. Nowhere may an
instruction out of a memory be repeated, nor a memory be cited that is not there. Without a model a question is answered
by the memories' own sentences, and a statement is taken note of.
It does not know how a reply is written.
Source: REQUIREMENTS B11, D8.
"""

import re
from collections.abc import Sequence

from shared.domain.guard import Contested, Failure, FailureCode, Verdict, check
from shared.domain.instructions import echoed
from shared.domain.statements import CITATION, markers_of, sentences
from shared.domain.support import Source
from shared.domain.text import fold

NOTED = "Noted."

_ASKS = re.compile(
    r"[?？]|^(?:who|whose|whom|what|which|where|when|why|how|since when|do|does|did|is|are|was|were|am|can|will"
    r"|tell me|remind me (?:who|what|where|when|which|how|of)|list|wer|wen|wem|was|welche[rsmn]?|wo|wohin|wann|warum"
    r"|wie|seit wann|sag mir|nenne)\b|什么|什麼|甚么|谁|誰|哪|几|幾|多少|吗|嗎|呢$|무엇|뭐|누구|어디|언제|얼마|몇|왜"
)


def check_reply(reply: str, memories: Sequence[Source], contested: Sequence[Contested] = ()) -> Verdict:
    """Check a reply against the memories it may cite, [1] being the first of them."""
    failures = [
        Failure(FailureCode.CITATION_OUT_OF_RANGE, "", f"[{marker}]")
        for marker in markers_of(reply)
        if not 1 <= marker <= len(memories)
    ]
    echo = echoed(reply, [text for memory in memories for text in memory.fields])
    if echo is not None:
        failures.append(Failure(FailureCode.INSTRUCTION_ECHOED, "", echo))
    cited = "\n\n".join(sentence for sentence in sentences(reply) if CITATION.search(sentence))
    if cited:
        failures += check(cited, memories, contested).failures
    return Verdict(tuple(dict.fromkeys(failures)))


def asks(message: str) -> bool:
    """Return whether a message wants to be told something."""
    return _ASKS.search(fold(message)) is not None
