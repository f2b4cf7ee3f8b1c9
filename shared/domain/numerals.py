"""Numbers as people write them in any country, read exactly.

Rules: the last separator that cannot group is the decimal one. One separator before exactly three digits ("1,234",
"18.400") can be read in two ways; both readings are returned, thousands first. Parentheses and a minus sign before or
behind mean negative; a dash in place of decimals ("1250.-") is no more than that. A figure with a leading zero, a plus
sign before a long run of digits, or anything but digits and separators is a code or a phone number, and not a number.
It does not know currencies and units; input is folded text (text.fold).
Source: digit grouping of CLDR (by three with comma, dot, space or apostrophe; Indian by two), DESIGN of REQUIREMENTS
A6.
"""

import re
import unicodedata
from decimal import Decimal

NUMERAL_MAX_CHARS = 64  # longer runs of digits are codes (chosen, untested)
PLUS_MAX_DIGITS = 6  # a plus sign before more digits starts a phone number (chosen, untested)

_ONE_SEPARATOR = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")
_SHAPES = (
    re.compile(r"(?P<whole>0|[1-9][0-9]*)"),
    re.compile(r"(?P<whole>0|[1-9][0-9]*)?[.,](?P<fraction>[0-9]+)"),
    re.compile(r"(?P<whole>[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.(?P<fraction>[0-9]+))?"),
    re.compile(r"(?P<whole>[1-9][0-9]{0,2}(?:\.[0-9]{3})+)(?:,(?P<fraction>[0-9]+))?"),
    re.compile(r"(?P<whole>[1-9][0-9]{0,2}(?:[ '_][0-9]{3})+)(?:[.,](?P<fraction>[0-9]+))?"),
    re.compile(r"(?P<whole>[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3})(?:\.(?P<fraction>[0-9]+))?"),
)
_DASHED = re.compile(r"(?<=[0-9])[.,](?:--?|[–—])(?= |$)")
_MINUS_BEHIND = re.compile(r"[0-9][0-9 ,.'_]*[,.'_ ][0-9]+-")  # with a separator: "2026-" is no number
_NOT_DIGIT = re.compile(r"[^0-9]")
_ARABIC_SEPARATORS = {"\u066b": ".", "\u066c": "'"}  # decimal; thousands, which never is a decimal sign


def ascii_digits(text: str) -> str:
    """Write the decimal digits and number separators of any script as ASCII."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.decimal(c)) if c.isdecimal() else _ARABIC_SEPARATORS.get(c, c)
        for c in text
    )  # fmt: skip


def without_dash(text: str) -> str:
    """Take the dash away that stands for no decimals: 1250.- is 1250."""
    return _DASHED.sub("", text, count=1)


def readings(text: str) -> tuple[Decimal, ...]:
    """Return what a figure can mean, the preferred reading first; empty when it is no number."""
    text = text.strip()
    negative = False
    if text.startswith("(") and text.endswith(")"):
        negative, text = True, text[1:-1].strip()
    elif text.startswith("-"):
        negative, text = True, text[1:].strip()
    elif _MINUS_BEHIND.fullmatch(text):
        negative, text = True, text[:-1]
    elif text.startswith("+"):
        text = text[1:]
        if " " in text or len(_NOT_DIGIT.sub("", text)) > PLUS_MAX_DIGITS:
            return ()
    found = _unsigned(text)
    return tuple(number.copy_negate() if number else number for number in found) if negative else found


def _unsigned(text: str) -> tuple[Decimal, ...]:
    if len(text) > NUMERAL_MAX_CHARS or not text:
        return ()
    if _ONE_SEPARATOR.fullmatch(text):
        return Decimal(_NOT_DIGIT.sub("", text)), Decimal(text.replace(",", "."))
    match = next((m for shape in _SHAPES if (m := shape.fullmatch(text))), None)
    if match is None:
        return ()
    whole = _NOT_DIGIT.sub("", match["whole"] or "0")
    fraction = match.groupdict().get("fraction")
    return (Decimal(f"{whole}.{fraction}" if fraction else whole),)
