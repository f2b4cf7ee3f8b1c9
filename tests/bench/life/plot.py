"""What lives of a half are about: which slots, from which pools of values, and what happens to each.

Rules: frozen data only. It does not know days, values or wordings.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plot:
    """The slots of a life. A chain is a family, its pool of values, and its acts in order."""

    chains: tuple[tuple[str, str, tuple[str, ...]], ...]
    floodable: tuple[str, ...]
    restated: tuple[str, ...]
    hinted: tuple[str, ...]
    two_sided: tuple[tuple[str, str], ...]
