"""What a sentence tells only in the light of what is known."""

import pytest

from tests.domain.extraction.turns import facts, told

KNOWN = {
    "slot.residence": "Porto",
    "slot.employer": "Kestrel Robotics",
    "slot.work_language": "Ruby",
    "slot.designer": "Greta",
    "slot.vehicle": "Honda Civic",
    "slot.due.grant_report": "2026-05-12",
    "slot.appointment.physio": "2026-05-05",
    "slot.budget.summer_trip": "2800 euros",
    "slot.status.osprey": "prototype",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kestrel and I parted ways; my thanks go to Vantor.", "|slot.employer=Vantor<Kestrel Robotics"),
        ("I quit Kestrel Robotics.", "|slot.employer=<Kestrel Robotics!"),
        ("I've swapped Porto for Brno.", "|slot.residence=Brno<Porto"),
        ("Greta waved goodbye to us, hello Bram.", "|slot.designer=Bram<Greta"),
        ("I no longer have a car.", "|slot.vehicle=<Honda Civic!"),
        ("The report is off my desk!", "|slot.due.grant_report=<2026-05-12!"),
        ("The grant report can wait until 20 May.", "|slot.due.grant_report=2026-05-20"),
        ("Physio on 8 May instead of 5 May.", "|slot.appointment.physio=2026-05-08"),
        ("The trip budget is now 3200 euros.", "|slot.budget.summer_trip=3200 euros"),
        ("Osprey got as far as production.", "|slot.status.osprey=production"),
        ("The lunch at Kestrel Robotics was good to me.", "|slot.employer=Kestrel Robotics"),
    ],
)
def test_what_is_known_completes_what_is_said(text: str, expected: str) -> None:
    assert told(text, KNOWN) == [expected]


@pytest.mark.parametrize(
    "text",
    ["Kestrel and I parted ways; my thanks go to Vantor.", "I've swapped Porto for Brno.", "I quit Kestrel Robotics."],
)
def test_without_it_the_sentence_is_kept_as_it_stands(text: str) -> None:
    assert [(fact.slot, fact.text) for fact in facts(text)] == [("", text)]


def test_a_question_about_what_is_known_tells_nothing() -> None:
    assert facts("Do I still live in Porto?", KNOWN) == ()
