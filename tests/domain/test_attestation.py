"""A chain of salted commitments: it holds for what was signed, with or without the statements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.attestation import SALT_BYTES, Entry, commitment, entry, head

statements = st.lists(st.text(max_size=40), max_size=6)
SALT = b"s" * SALT_BYTES


@given(statements, st.integers(0, 5), st.text(max_size=40))
def test_the_head_stands_for_every_statement_its_place_and_their_number(
    texts: list[str], place: int, other: str
) -> None:
    made = [entry(bytes([number]) * SALT_BYTES, text) for number, text in enumerate(texts)]
    whole = head([one.commitment for one in made])
    assert all(one.holds for one in made)
    assert head([Entry(one.commitment, None, None).commitment for one in made]) == whole
    assert head([*(one.commitment for one in made), commitment(SALT, other)]) != whole
    if place < len(made):
        assert head([one.commitment for one in made[:place] + made[place + 1 :]]) != whole
        changed = Entry(made[place].commitment, made[place].salt, other)
        assert changed.holds == (other == texts[place])
    if len(made) > 1:
        assert head([one.commitment for one in reversed(made)]) != whole


def test_salt_and_statement_go_together() -> None:
    made = entry(SALT, "text")
    assert Entry(made.commitment, None, None).holds
    assert not Entry(made.commitment, SALT, None).holds
    assert not Entry(made.commitment, None, "text").holds
    assert not Entry(made.commitment, SALT[:-1], "text").holds


def test_a_short_salt_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(b"salt", "text")
