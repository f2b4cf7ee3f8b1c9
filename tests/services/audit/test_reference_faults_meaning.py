"""What the reference product's semantic audit gets wrong (its faults 17 to 19), through all roles, judged by rules."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from shared.store import migrate
from tests.services.audit.meaning_chain import Chain, at, chain, remember, said
from tests.services.retrieve.serving import NOW

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)
LATE, ON_TIME = "Globex always pays its bills late.", "Globex always pays its bills on time."

HELD_AT_OTHER_TIMES = (
    ("In March 2026 Globex had 40 staff.", "In June 2026 Globex had 55 staff."),
    ("Until 2024 the depot was in Leeds.", "Since 2025 the depot is in Cork."),
    ("In 2023 Iris was the treasurer.", "In 2026 Otto is the treasurer."),
    ("Last winter the mill was closed.", "This summer the mill is open."),
    ("The Tarn branch was profitable in 2024.", "The Tarn branch made a loss in 2025."),
    ("On Monday pump 4 was broken.", "On Friday pump 4 was working."),
)
OPPOSED_WITHOUT_A_CUE = (  # of the set that the rules were built on; what they reach on others is in docs/meaning.md
    ("Excavator 9 is roadworthy.", "Excavator 9 is unfit for the road."),
    ("Greta resigned from the council.", "Greta still sits on the council."),
    ("Doctor Hale never eats meat.", "Doctor Hale ordered a steak at the inn."),
    ("The dispute over the well was settled out of court.", "The dispute over the well went to trial."),
    ("The bridge is made of wood.", "The bridge is made of steel."),
    ("Dr. Amsel was found guilty.", "Dr. Amsel was acquitted."),
)


@pytest.fixture
async def rules(database: migrate.Dsns) -> AsyncIterator[Chain]:
    async with chain(database, None) as started:
        yield started


async def in_companies(rules: Chain, pairs: tuple[tuple[str, str], ...]) -> set[str]:
    """Write each pair as a company of its own; return the companies with a finding."""
    for number, pair in enumerate(pairs):
        await remember(rules.mine, [said(text, company=f"case {number}") for text in pair])
    report = await rules.audit()
    assert (report.compared, report.failed) == (len(pairs), 0)
    return {found.memories[0].company for found in report.semantic_contradictions}


async def test_17_restatements_spend_no_budget_and_nothing_is_too_old(rules: Chain) -> None:
    await rules.mine.add([said(LATE, company="Globex")], NOW - 400 * DAY, [at(20)])
    repeated = [said(ON_TIME, company="Globex", session=f"s{number}") for number in range(30)]
    await rules.mine.add(repeated, NOW, [at(0)] * 30)
    newer = [said(f"Shelf {number} was counted.", company=f"Other {number}") for number in range(300)]
    await rules.mine.add(newer, NOW, [at(number) for number in range(300)])
    report = await rules.audit(max_pairs=1)
    # 435 pairs of equal words are nearer than any opposed one: they are counted, and not judged.
    assert (report.restatements, report.candidate_pairs, report.audited) == (435, 30, 331)
    [found] = report.semantic_contradictions
    assert [memory.content for memory in found.memories] == [LATE, ON_TIME]


async def test_18_what_held_at_other_times_is_no_contradiction(rules: Chain) -> None:
    assert await in_companies(rules, HELD_AT_OTHER_TIMES) == set()


async def test_18_opposition_without_a_cue_is_found(rules: Chain) -> None:
    found = await in_companies(rules, OPPOSED_WITHOUT_A_CUE)
    assert len(found) == len(OPPOSED_WITHOUT_A_CUE)


async def test_18_the_subjects_must_match(rules: Chain) -> None:
    await remember(rules.mine, [said("Tarn Mills is open."), said("Penn Mills is closed.")])
    report = await rules.audit()
    assert (report.compared, report.ok) == (1, True)


async def test_19_a_period_on_one_side_only_does_not_part_two_statements(rules: Chain) -> None:
    await remember(rules.mine, [said(LATE, period="2026-05"), said(ON_TIME)])
    assert len((await rules.audit()).semantic_contradictions) == 1


async def test_19_how_near_a_pair_must_be_is_told_and_may_be_chosen(rules: Chain) -> None:
    await rules.mine.add([said(LATE), said(ON_TIME)], NOW, [at(0), at(70)])  # a cosine of 0.34
    report = await rules.audit()
    assert (report.candidate_pairs, report.similarity_threshold) == (0, 0.5)
    wide = await rules.audit(similarity_threshold=0.3)
    assert (wide.candidate_pairs, len(wide.semantic_contradictions)) == (1, 1)
