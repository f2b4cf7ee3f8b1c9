"""What a wording of repeats lost or made up is named; a faithful one passes."""

import pytest

from shared.domain.rewording import faults

TEA = ("User drinks green tea from Uji each morning at 7.", "In the morning User drinks tea from Uji, at 7.")


@pytest.mark.parametrize(
    "said",
    [
        "User drinks green tea from Uji each morning at 7.",
        "Each morning at 7 User drinks green tea; it comes from Uji.",
    ],
)
def test_a_faithful_wording_has_no_fault(said: str) -> None:
    assert list(faults(TEA, said)) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("  ", "empty"),
        ("User drinks green tea from Uji each morning.", "leaves out 7"),
        ("User drinks green tea each morning at 7.", "leaves out uji"),
        ("User drinks green tea from Uji each morning at 7 or 8.", "do not say 8"),
        ("User drinks green tea from Uji and Kyoto at 7.", "do not say kyoto"),
        ("User never drinks green tea from Uji at 7.", "a denial"),
        ("User drinks three teas from Uji at 7.", "a figure"),
        (" ".join(TEA) + " Indeed.", "longer than"),
        ("User drinks tea from Uji at 7.\0", "character"),
    ],
)
def test_each_fault_is_named(said: str, told: str) -> None:
    assert told in " ".join(faults(TEA, said))
