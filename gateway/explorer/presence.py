"""How present one memory is and will be, read and drawn.

Rules: a memory that has ended fades no more and has no curve. It does not know the formula: the API projects.
"""

from gateway.explorer.api import Api, Json
from gateway.explorer.charts import salience
from gateway.explorer.words import instant

POINTS = 48
SMALL_WIDTH, SMALL_HEIGHT = 180.0, 44.0


async def curve(api: Api, memory_id: str, *, small: bool = False) -> Json:
    """Return the projection with its pictures: `wide` and `narrow`, or `small` alone."""
    told = await api.get(f"/v1/memories/{memory_id}:salience", points=POINTS)
    points = [(instant(point["at"]), float(point["salience"])) for point in told["points"]]
    fades_at, floor = instant(told["fadesAt"]) if told["fadesAt"] else None, float(told["floor"])
    alive = told["state"] == "active"
    if not alive:
        return {**told, "alive": False}
    if small:
        pictures = {"small": salience.draw(points, floor, fades_at, width=SMALL_WIDTH, height=SMALL_HEIGHT)}
    else:
        pictures = {
            "wide": salience.draw(points, floor, fades_at),
            "narrow": salience.draw(points, floor, fades_at, width=340.0, height=150.0),
        }
    return {**told, "alive": True, "now": points[0][1] if points else 0.0, **pictures}
