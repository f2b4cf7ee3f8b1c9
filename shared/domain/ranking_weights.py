"""How much each part of a score counts: data, by embedding model. Change a row only with a measurement.

Rules: the arms' shares belong to the model, because models differ in how far their cosines can be trusted; what a
place in a session counts belongs to the kind of memory, and reaches turns only. Without a row: equal shares.
Source: `make bench-recall`, docs/benchmarks/recall.json: chosen on some LoCoMo conversations, reported on the others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from shared.domain.fusion import FusionWeights
from shared.domain.structure import StructureWeights


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """The weights of one model: of the arms, of places, and whether words too frequent to tell count."""

    fusion: FusionWeights
    structure: StructureWeights
    keeps_stop_words: bool = False  # in the terms of memories and questions


FULL_MATCH = (
    0.6  # 0 to 0.8 rank LoCoMo alike; without it paraphrases drown in chance words (fixture: R@3 18.8, then 56)
)
CONVERSATION = StructureWeights(neighbour=0.4, session=0.2, asks=0.25, length=0.08, speaker=0.2, company=0.1)

ONLINE = RankingWeights(
    FusionWeights(0.7, 0.3, dense_floor=0.3, full_match=FULL_MATCH), CONVERSATION, keeps_stop_words=True
)

WEIGHTS: Mapping[str, RankingWeights] = MappingProxyType(
    {
        # Floor: the lowest cosine of a question in its conversation, on average.
        "all-MiniLM-L6-v2": RankingWeights(
            FusionWeights(0.5, 0.5, dense_floor=-0.1, full_match=FULL_MATCH), CONVERSATION
        ),
        # 15 questions, too few to choose by: without stop words no share of the lexical arm gains, with them any from
        # 0.3 to 0.6 does; the least of these, as the dense arm alone is better than words alone. The floor is the
        # lowest mean of a question's cosines there. Structure as measured with MiniLM.
        "text-embedding-v4": ONLINE,
        "text-embedding-v3": ONLINE,
    }
)
UNMEASURED = RankingWeights(FusionWeights(), CONVERSATION)


def weights_for(model: str) -> RankingWeights:
    """Return the weights of an embedding model; equal shares for one that was not measured."""
    return WEIGHTS.get(model, UNMEASURED)
