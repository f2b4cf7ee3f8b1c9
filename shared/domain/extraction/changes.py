"""Findings of a sentence put together: a change names what it takes the place of, an end yields to a new value.

Rules: an end of a slot that the same sentence fills anew is no end but the former value; a value
that it ends is not told by it ("no car any more, not even the Clio").
"Just water" and "everything"
are no values that take the place of another. It does not know how findings are made.
"""

from dataclasses import replace

from shared.domain.extraction.found import Finding, Sentence

_NOTHING = frozenset("water nothing none everything anything tap_water plain_water all no_one nobody".split())


def changes(found: list[Finding], sentence: Sentence) -> list[Finding]:
    """Return the findings of a sentence as they belong together."""
    found = [each for each in found if each.ends or each.value.lower().replace(" ", "_") not in _NOTHING]
    ended = {(each.place, each.former.lower()) for each in found if each.ends and each.former}
    found = [each for each in found if each.ends or (each.place, each.value.lower()) not in ended]
    merged: list[Finding] = []
    for each in found:
        if each.ends and not each.slot.startswith("slots."):
            holding = next((other for other in found if other.place == each.place and not other.ends), None)
            if holding is not None:
                continue
        if not each.ends and not each.former:
            end = next((other for other in found if other.place == each.place and other.ends and other.former), None)
            each = replace(each, former=end.former) if end else each
        merged.append(each)
    return merged
