"""A conflict as a card shows it: sides, picture, and what a decision about it must name.

Rules: sides are in the order of the finding, oldest first; the memories that a decision names are those that were
shown. It does not know how sides are found or weighed.
"""

from gateway.explorer.api import Json
from gateway.explorer.charts import sides
from gateway.explorer.words import instant, value

MOST_SIDES = 8  # that a card shows, the recommended one among them, so that a page stays small; chosen
MOST_NAMED = 60  # memories that a form names; a conflict of more is decided about whichever there are; chosen


def card(conflict: Json) -> Json:
    """Return what a card shows of a contradiction between fields."""
    trusted = conflict["resolution"]["recommendedMemoryId"]
    shown = [
        {
            "memory_id": side["memoryId"],
            "title": value(side["value"]),
            "content": "",
            "source": side["sourceRef"],
            "session": side["session"],
            "observed_at": side["observedAt"],
            "recorded_at": side["recordedAt"],
            "carriers": side["carrierCount"],
            "named": side["carrierMemoryIds"],
            "recommended": trusted == side["memoryId"] or trusted in side["carrierMemoryIds"],
        }
        for side in conflict["values"]
    ]
    shown = _first(shown)
    whole = conflict["valueCount"] == len(shown) and all(side["carriers"] == len(side["named"]) for side in shown)
    named = sum(len(side["named"]) for side in shown)
    return {
        "finding_id": conflict["findingId"],
        "subject": conflict["subject"],
        "company": conflict["company"],
        "attribute": conflict["attribute"],
        "period": conflict["period"],
        "counterparty": conflict["counterparty"],
        "value_count": conflict["valueCount"],
        "resolution": conflict["resolution"],
        "sides": shown,
        "judge": None,
        "names_all": whole and named <= MOST_NAMED,
        "picture": _picture(shown),
    }


def pair(found: Json) -> Json:
    """Return what a card shows of two memories that contradict each other in meaning."""
    resolution = found["resolution"]
    shown = [
        {
            "memory_id": memory["memoryId"],
            "title": "",
            "content": memory["content"],
            "source": memory["sourceRef"],
            "session": memory["session"],
            "observed_at": memory["observedAt"],
            "recorded_at": memory["recordedAt"],
            "carriers": 1,
            "named": [memory["memoryId"]],
            "recommended": memory["memoryId"] == resolution["recommendedMemoryId"],
        }
        for memory in found["memories"]
    ]
    return {
        "finding_id": found["findingId"],
        "subject": "",
        "company": found["memories"][0]["company"],
        "attribute": "",
        "period": None,
        "counterparty": None,
        "value_count": len(shown),
        "resolution": resolution,
        "sides": shown,
        "judge": found["judge"],
        "names_all": True,
        "picture": _picture(shown),
    }


def _first(shown: list[Json]) -> list[Json]:
    """Return the sides that are shown: the oldest, and the recommended one in any case."""
    if any(side["recommended"] for side in shown[:MOST_SIDES]):
        return shown[:MOST_SIDES]
    return [*shown[: MOST_SIDES - 1], *(side for side in shown if side["recommended"])]


def _picture(shown: list[Json]) -> object:
    return sides.draw(
        [
            sides.Side(
                side["title"] or side["content"],
                instant(side["observed_at"] or side["recorded_at"]),
                side["recommended"],
            )
            for side in shown
        ]
    )
