"""Codes that people write in groups: account numbers, telephone numbers, and other digits in groups.

Rules: an IBAN is known by its check digits, an international telephone number by its plus; both are the same in groups
and in one piece. Of other digits in groups only the marks between the groups are one spelling, a space for a hyphen;
the groups themselves stay, since 1-11 and 11-1 may be two codes. What has too few digits, or reads as a date or a
number, is none of these. It does not know attributes.
Source: ISO 13616 and ISO 7064 (MOD 97-10); ITU-T E.164.
"""

import re

from shared.domain import dates, numerals

GROUPED_MIN_DIGITS = 7  # of a telephone number without its area; shorter ones are too easily something else (chosen)
CODE_MAX_CHARS = 64  # longer text is no such code; also bounds the work below (chosen, untested)
_IBAN = re.compile(r"[a-z]{2}\d{2}[a-z0-9]{11,30}")
_GROUPED = re.compile(r"\+?\d+(?:[ -]\d+)+")


def code_of(text: str) -> str | None:
    """Return the one spelling of a folded text that is such a code; None for any other text."""
    return None if len(text) > CODE_MAX_CHARS else _iban(text) or _grouped(text)


def _iban(text: str) -> str | None:
    compact = text.replace(" ", "")
    if not (compact.isascii() and _IBAN.fullmatch(compact)):
        return None
    moved = compact[4:] + compact[:4]
    return compact if int("".join(str(int(mark, 36)) for mark in moved)) % 97 == 1 else None


def _grouped(text: str) -> str | None:
    if not (text.isascii() and _GROUPED.fullmatch(text)) or sum(map(str.isdigit, text)) < GROUPED_MIN_DIGITS:
        return None
    joined = text.replace(" ", "-")
    if dates.readings(joined) or numerals.readings(text) or numerals.readings(joined):
        return None
    return joined.replace("-", "") if text.startswith("+") else joined
