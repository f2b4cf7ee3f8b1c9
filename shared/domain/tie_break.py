"""Salience as a tie-breaker: among memories that are about as relevant, the one that is more present comes first.

Rules: relevance first. A score is lowered by at most SALIENCE_SHARE of itself: by as much of that share as the memory
is less salient than the most salient one of the list. So one that is more relevant than another by more than that share
always stands before it, however often the other was recalled. Where all are as salient, or nothing is known of any,
order and scores stay. What use adds is capped. What was scored as small talk stands behind by SMALL_TALK_SHARE: it
shares words with many questions and answers few.
It does not know how scores come about.
Source: REQUIREMENTS B5, D1; against the lock-in of the reference, where use multiplies relevance.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from shared.domain.fusion import Fused, Sortable
from shared.domain.salience import USUAL, Fading, Trace, boost, decay, importance

K = TypeVar("K", bound=Sortable)

# Of a score. Half of the neighbours among the first ten of a list are farther apart than 2.6 % (fixture and LoCoMo).
# With 2 %, saliences drawn at random move LoCoMo's R@10 by 0.0 points and MRR by 0.002; were all that answers forgotten
# and all else as present as can be, by 1.6 and 0.019 (measured on three conversations; with 10 %: by 6.6 and 0.103).
SALIENCE_SHARE = 0.02
NEAR_TIES_MAX = 20  # memories beyond a list's end that may still come in (chosen, untested)
# Of a score. A budget of 160 tokens holds seven memories; three of them were small talk before (life bench, tune half).
SMALL_TALK_SHARE = 0.3
BOOST_MAX = 3.0  # what seven recalls add; more are worth no more here (chosen, untested)


def presence(trace: Trace, at: datetime, fading: Fading = USUAL) -> float:
    """Return the salience that ranking weighs, in [0, 1]: 1 is all important, often recalled, and just used."""
    return importance(trace, fading) * min(boost(trace.recalls), BOOST_MAX) / BOOST_MAX * decay(trace, at, fading)


def contenders(ranked: Sequence[Fused[K]], limit: int) -> list[Fused[K]]:
    """Return the first `limit` and what is so close behind that it may take the place of one of them."""
    first = list(ranked[:limit])
    if first:
        least = first[-1].score * (1 - SALIENCE_SHARE)
        behind = ranked[limit : limit + NEAR_TIES_MAX]
        first += [item for item in behind if item.score and item.score >= least]
    return first


def ties_broken(
    ranked: Sequence[Fused[K]], presences: Mapping[K, float], small_talk: Collection[K] = ()
) -> list[Fused[K]]:
    """Return the memories in the order that relevance and, among near ties, presence give; `small_talk` behind.

    Without presences nothing is known of any; one that is not among them is not present at all.
    Ties: the order given.
    """
    if not presences:
        return list(ranked)
    most = max(presences.values())
    weighed = []
    for item in ranked:
        present = presences.get(item[0], 0.0)
        score = item[1] * (1 - SALIENCE_SHARE * (most - present))
        if item[0] in small_talk:
            score *= 1 - SMALL_TALK_SHARE
        weighed.append(Fused(item[0], score, *item[2:10], present))
    weighed.sort(key=lambda item: -item[1])
    return weighed
