"""How much the limits are used, and whom they refuse.

Rules: labels are pools and kinds of work, never clients. It does not know how limits are kept.
"""

from prometheus_client import Counter, Gauge

RATE_REFUSED = Counter("candor_rate_refused_total", "Requests refused by the rate limit.", ("pool",))
QUOTA_UNITS = Counter("candor_quota_units_total", "Work units used.", ("pool",))
QUOTA_REFUSED = Counter("candor_quota_refused_total", "Calls refused by a daily quota.", ("pool", "tier"))
QUOTA_UNMETERED = Counter(
    "candor_quota_unmetered_total", "Units admitted without a grant, while ingest did not answer.", ("pool",)
)
QUOTA_QUESTIONS = Counter("candor_quota_questions_total", "Calls to ingest about quotas.", ("rpc",))
PLACES_TAKEN = Gauge("candor_places_taken", "Calls that run.", ("pool", "work"))
PLACES_REFUSED = Counter("candor_places_refused_total", "Calls refused for want of a place.", ("pool", "work"))
