"""What is compared: each part of recall alone, then together."""

from dataclasses import replace

from candor.retrieve.v1.recall_pb2 import MODE_DENSE, MODE_LEXICAL

from shared.domain.ranking_weights import RankingWeights, weights_for
from shared.domain.structure import StructureWeights
from tests.bench.recall.product import Condition


def without_places(model: str) -> RankingWeights:
    """Return a model's weights for arms alone."""
    return replace(weights_for(model), structure=StructureWeights())


def without_subject(model: str) -> RankingWeights:
    """Return a model's weights with names counting for nothing."""
    weights = weights_for(model)
    return replace(weights, structure=replace(weights.structure, speaker=0.0, company=0.0))


SHUFFLED = Condition("dense, shuffled vectors", MODE_DENSE, is_shuffled=True)
LEXICAL = Condition("lexical", MODE_LEXICAL)
DENSE_WITH_NAMES = Condition("dense, names kept", MODE_DENSE, knows_names=False)
DENSE = Condition("dense", MODE_DENSE)
HYBRID = Condition("hybrid", weights=without_places)
WITHOUT_SUBJECT = Condition("hybrid + places", weights=without_subject)
FULL = Condition("hybrid + places + names")
GROUPED = Condition("the same, near-duplicates left out", is_grouped=True)
RERANKED = Condition("the same, cached rerank", reranks=True)
