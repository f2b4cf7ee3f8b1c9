"""How many units of a daily quota are given out in advance, so that not each request has to be counted by all at once.

Rules: a block shrinks with what is left, down to exactly what is asked for, so that near the limit nothing lies idle
with one while another is refused. It does not know days, subjects or what a unit is.
Source: REQUIREMENTS F3; DESIGN 1.
"""

BLOCK_UNITS_MAX = 256
"""Given out in advance at most: at a hundred requests a second one question in 2.5 seconds; chosen, untested."""
LEFT_PER_BLOCK = 64
"""A block is at most this part of what is left, so that a few holders keep a few per cent of it; chosen, untested."""
NEAR_PART = 10
"""Below this part of the limit units that lie idle are given back at once; chosen, untested."""


def granted(left: int, needed: int, asked: int) -> int:
    """Return how many units are given out: none unless all that is needed, else what is asked or a block, if left."""
    if left < needed:
        return 0
    return min(left, max(needed, asked, min(BLOCK_UNITS_MAX, left // LEFT_PER_BLOCK)))


def is_near(left: int, limit: int) -> bool:
    """Tell whether so little is left that nobody should hold units for later."""
    return left * NEAR_PART < limit
