"""Instructions planted in recalled text, and answers that echo or obey them.

Rules: an override tells its reader to drop what it was told ("ignore all previous instructions") or speaks to a model
("system prompt", "you are now"); an order tells it what to answer. Both are looked for in English, German, Korean,
Chinese, Spanish and French, in content, metadata, and names of sources ("ignore_previous_instructions.pdf"). A sentence
with an override, and the orders beside it, are no evidence. An answer obeys when it says what only an order asks for.
Quoting an instruction counts as echoing it: a narrator has no need to.
It does not know what the memory otherwise says (guard.py).
Source: the reference product's echo check, which knew English only; OWASP LLM01 (prompt injection).
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from shared.domain.statements import sentences, without_citations
from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.text import fold

PAYLOAD_MIN_CHARS = 2
PAYLOAD_MAX_CHARS = 60  # of a longer payload its beginning is looked for (chosen, untested)
_GAP = r"[^.!?。！？]{0,60}"  # characters between the verb and what it is to drop, as in the reference
_NO_BUSINESS = r"(?<!payment )(?<!delivery )(?<!shipping )(?<!wire )(?<!transfer )(?<!packing )(?<!care )(?<!bank )"
_OVERRIDES = re.compile(
    "|".join(
        (
            rf"\b(?:ignor(?:e|es|ed|ing)|disregard\w*|overrid\w*|bypass\w*|forget|forgot|skip)\b{_GAP}\b"
            rf"{_NO_BUSINESS}(?:instructions?|prompts?|guidelines|guardrails?|directives?|system messages?)\b",
            r"\b(?:ignore|disregard|forget) (?:everything|all|anything) (?:above|before|you|previous|prior|said)",
            r"\b(?:ignore|disregard|forget|override) (?:all |any )?(?:of )?(?:the |your |my )?(?:previous|prior|earlier"
            r"|above|preceding|foregoing)\b (?:rules?|context|messages?|tasks?|orders?|text|conversation)\b",
            r"(?:^|\n)(?:system|assistant) ?: (?:ignore|disregard|forget|always|never|answer|say|tell|you must|you are)"
            r"\b",
            r"\b(?:system|developer) (?:prompt|message|override)\b|<\|?(?:im[_ ]start|im[_ ]end|system|endoftext)\|?>",
            r"\byou are now (?:an? |in |the |dan\b)|\bnew instructions? ?:|\bjailbreak",
            r"\bas an ai (?:language )?model\b",
            r"\b(?:assistant|language model|llm|ai model|chatbot)s?\b[,: ]{1,2}(?:you )?(?:must|please|always"
            r"|should|answer|respond|say|reply)\b|\bnote to (?:the )?(?:ai|assistant|model|llm)\b",
            rf"\b(?:ignorier\w*|missachte\w*|vergiss|vergesst|vergessen sie|übergeh\w*)\b{_GAP}"
            r"(?:anweisung\w*|instruktion\w*|vorgaben|befehle?|prompt\w*|systemnachricht\w*)",
            rf"(?:지시|명령|프롬프트|지침|안내)\w*{_GAP}(?:무시|잊|따르지)",
            rf"(?:忽略|无视|忘记|忘掉|不要理会|忽视|無視){_GAP}(?:指令|指示|提示|命令|说明|规则|要求)",
            rf"(?:之前|以上|先前|前面)的?(?:所有)?(?:指令|指示|提示){_GAP}(?:忽略|无视|作废)",
            rf"\b(?:ignora\w*|ignore[nz]?|olvid\w*|descart\w*|omit\w*)\b{_GAP}"
            r"(?:instruccion\w*|indicacion\w*|órdenes|ordenes)",
            rf"\b(?:ignore[rz]?|oublie[rz]?|ne tiens pas compte|ne tenez pas compte)\b{_GAP}"
            r"(?:instructions?|consignes?|directives?)",
        )
    )
)
_ASKED = (
    r"(?:(?:only|just|simply|exactly|always)\b[ :]*)?(?:(?:with|that|as)\b[ :]*)?"
    r"(?:the (?:words?|single word|phrase|text)\b[ :]*)?(?:(?:only|just|simply|exactly)\b[ :]*)?"
)
_ORDERS = tuple(
    re.compile(order)
    for order in (
        rf"\b(?:answer|respond|reply|output|print|say|state|write|return|declare|conclude|claim)\b"
        rf" ?:? ?{_ASKED}(?P<payload>[^.!?。！？]{{2,}})",
        r"\b(?:tell|inform|instruct|advise|urge|convince)\b(?: the)? (?:users?|readers?|customers?|clients?|everyone"
        r"|them)(?: that| to)? ?(?P<payload>[^.!?。！？]{2,})",
        r"\b(?:antworte\w*|antworten sie|schreib\w*|sag\w*|gib|geben sie|behaupte\w*)\b"
        r"(?: sie| nur| mit|,? dass| einfach|:)* ?(?P<payload>[^.!?。！？]{2,})",
        r"(?P<payload>[^.!?。！？,\s]{1,40}?)['\"”’」]?(?:이라고|라고|으로|로)만?"
        r" ?(?:답|대답|말|출력|응답|회신)",
        r"(?:回答|回复|答复|输出|说|写|返回)(?:道|出|成|为)?[:：]? ?[「“\"']?(?P<payload>[^.!?。！？」”]{2,})",
        r"\b(?:respond[ae]\w*|contest[ae]\w*|di|diga|escrib[ae]\w*)\b"
        r"(?: que| solo| sólo| con|:)* ?(?P<payload>[^.!?。！？]{2,})",
        r"\b(?:répond\w*|repond\w*|dis|dites|écri\w*|affiche\w*)\b"
        r"(?: que| seulement| uniquement| par|:)* ?(?P<payload>[^.!?。！？]{2,})",
    )
)
# Without an override beside it, only a sentence that plainly tells its reader what to answer is an order.
_PLAIN_ORDER = re.compile(
    r"(?:^|[,:;] ?|\bplease |\balways |\bmust |\band )(?:answer|respond|reply)\b(?: only)?"
    r" (?:with(?: only)?|only|exactly|that)\b|\b(?:antworte|antworten sie) (?:nur|mit|immer|stets|dass)\b"
    r"|(?:라고|으로)만? ?(?:답하|대답하|답변하|응답하)|(?:只|必须|请|一律)(?:能|要)?(?:回答|回复|输出)"
    r"|\b(?:responde|conteste|contesta|responda) (?:solo|sólo|que|con|siempre)\b"
    r"|\b(?:réponds|répondez) (?:seulement|uniquement|que|par|toujours)\b"
)
_DENIED = re.compile(
    r"\b(?:no|not|never|nor|cannot|\w+n't|nicht|kein\w*|nie|ne|pas|non|nunca|sin)\b|없|않|아니|未|没|不"
)
_QUOTES = "\"'“”‘’«»「」()[]: "


def is_instruction(sentence: str) -> bool:
    """Tell whether a sentence gives instructions to its reader instead of facts."""
    folded = _plain(sentence)
    return bool(_OVERRIDES.search(folded) or _PLAIN_ORDER.search(folded))


def evidence_sentences(text: str) -> list[str]:
    """Return the sentences of a recalled text that may count as evidence: no instructions, no orders beside them."""
    facts, _ = _parted(text)
    return list(facts)


def echoed(answer: str, texts: Iterable[str]) -> str | None:
    """Return the instruction that an answer repeats or obeys, or None; `texts` are all fields of the memories."""
    said = _plain(without_citations(answer))
    override = _OVERRIDES.search(said)
    if override is not None:
        return override.group()
    facts: list[str] = []
    payloads: dict[str, None] = {}
    for text in texts:
        kept, orders = _parted(text)
        facts += map(_plain, kept)
        for order in orders:
            for payload in _payloads(_plain(order)):
                payloads[payload] = None
    known = "\n".join(facts)
    verbatim = next((p for p in payloads if _occurs(p, said) and not _occurs(p, known)), None)
    return verbatim or next((p for p in payloads if _obeys(said, p, known)), None)


def _obeys(said: str, payload: str, known: str) -> bool:
    """Tell whether a sentence says, in any order, each word of an order that no fact has, and does not deny it."""
    new = _words(payload) - _words(known)
    return bool(new) and any(new <= _words(part) and not _DENIED.search(part) for part in sentences(said))


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]{3,}", text)) - ENGLISH_STOP_WORDS


@lru_cache(maxsize=1024)
def _parted(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Part a text into sentences of fact and sentences of instruction."""
    parts = sentences(text)
    overridden = [bool(_OVERRIDES.search(_plain(part))) for part in parts]
    facts: list[str] = []
    orders: list[str] = []
    for i, part in enumerate(parts):
        beside = any(overridden[max(0, i - 1) : i + 2]) and any(o.match(_plain(part)) for o in _ORDERS)
        (orders if overridden[i] or beside or is_instruction(part) else facts).append(part)
    return tuple(facts), tuple(orders)


def _payloads(order: str) -> Iterator[str]:
    for pattern in _ORDERS:
        for match in pattern.finditer(order):
            payload = match["payload"].strip(_QUOTES)
            if len(payload) > PAYLOAD_MAX_CHARS:
                payload = payload[:PAYLOAD_MAX_CHARS].rpartition(" ")[0] or payload[:PAYLOAD_MAX_CHARS]
            yield from (part for part in (payload, payload.rpartition(".")[0]) if len(part) >= PAYLOAD_MIN_CHARS)


def _occurs(payload: str, text: str) -> bool:
    edge = r"(?![^\W_])" if payload[-1].isascii() else ""
    return re.search(rf"(?<![^\W_]){re.escape(payload)}{edge}", text) is not None


def _plain(text: str) -> str:
    """Fold a text, with the joints of file names as spaces."""
    folded = fold(text)
    return re.sub(r"[_+]|(?<=[^\W\d])-(?=[^\W\d])", " ", folded)
