"""What the tests of judge share: retries that do not wait."""

import pytest


@pytest.fixture(autouse=True)
def at_once(retries_at_once: None) -> None:
    """Every test here."""
