"""The services by which people decide, and what they decide about: put together for the mount."""

from services.ingest.asking import Means
from services.ingest.decisions import DecisionsServicer
from services.ingest.findings import FindingsServicer
from services.ingest.lifecycle import LifecycleServicer
from services.ingest.settings import SettingsServicer


def servicers(means: Means) -> tuple[object, ...]:
    """Return the servicers."""
    return DecisionsServicer(means), FindingsServicer(means), LifecycleServicer(means), SettingsServicer(means)
