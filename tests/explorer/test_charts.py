"""Charts as text: what is drawn, what is told to those who do not see it, and nothing that a page forbids."""

import xml.etree.ElementTree as ElementTree
from datetime import UTC, datetime, timedelta

import pytest
from markupsafe import Markup

from gateway.explorer.charts import life, population, salience, sides
from gateway.explorer.charts.svg import scale

START = datetime(2026, 4, 1, 9, tzinfo=UTC)
HOSTILE = '"><script>alert(1)</script>\u202e'


def after(days: float) -> datetime:
    return START + timedelta(days=days)


def parsed(picture: Markup) -> ElementTree.Element:
    root = ElementTree.fromstring(picture)
    assert root.get("role") == "img" and root.get("aria-label")
    assert not any("style" in each.attrib or each.tag == "script" for each in root.iter())
    return root


def numbers(root: ElementTree.Element, *names: str) -> list[float]:
    return [float(each.attrib[name]) for each in root.iter() for name in names if name in each.attrib]


def test_sides_stand_in_time_and_the_recommended_one_is_told() -> None:
    root = parsed(sides.draw([sides.Side("8400", START), sides.Side("8900", after(9), recommended=True)]))
    first, second = root.findall("circle")
    assert float(first.attrib["cx"]) < float(second.attrib["cx"])
    assert second.attrib["class"] == "side recommended"
    assert root.attrib["aria-label"] == "The sides in time. 2026-04-01: 8400; 2026-04-10: 8900, recommended"


@pytest.mark.parametrize("gap", [0.0, 0.001, 9, 40_000])
def test_every_mark_is_inside_whatever_the_distance(gap: float) -> None:
    drawn = sides.draw([sides.Side("x" * 500, START), sides.Side("y" * 500, after(gap))])
    width = sides.WIDTH
    assert all(0 <= x <= width for x in numbers(parsed(drawn), "x", "cx", "x1", "x2"))


def test_names_are_escaped_and_of_many_sides_eight_are_drawn() -> None:
    root = parsed(sides.draw([sides.Side(HOSTILE, after(n)) for n in range(60)]))
    assert len(root.findall("circle")) == sides.MOST_SIDES
    assert HOSTILE in root.attrib["aria-label"]


def test_nothing_to_draw_draws_nothing() -> None:
    assert sides.draw([]) == population.draw([]) == salience.draw([], 0.05, None) == ""


def test_areas_are_stacked_to_the_most_there_was() -> None:
    counts = [population.Count(after(n), {"active": n, "forgotten": 10 - n}) for n in range(11)]
    root = parsed(population.draw(counts))
    assert [path.attrib["class"] for path in root.findall("path")] == ["area active", "area forgotten"]
    assert "at the end 10 active, 0 superseded" in root.attrib["aria-label"]


def test_a_memory_of_nothing_has_no_area() -> None:
    root = parsed(population.draw([population.Count(after(n), {}) for n in range(3)]))
    assert root.findall("path") == []


def test_salience_tells_when_it_fades() -> None:
    points = [(after(n), 0.5 * 0.8**n) for n in range(11)]
    root = parsed(salience.draw(points, 0.05, after(10)))
    assert "it fades on 2026-04-11" in root.attrib["aria-label"]
    assert [each.attrib["class"] for each in root.findall("circle")] == ["now", "fades"]
    small = parsed(salience.draw(points, 0.05, None, width=180, height=44))
    assert small.findall("text") == [] and "does not fade" in small.attrib["aria-label"]


def test_life_shows_both_times_and_what_is_open_runs_on() -> None:
    drawn = life.draw(life.Span(START, after(5)), life.Span(after(2), None), [after(2)], after(10))
    holds, believed = parsed(drawn).findall("rect")
    assert (holds.attrib["class"], believed.attrib["class"]) == ("bar", "bar open")
    unsaid = parsed(life.draw(None, life.Span(START, None), [], START))
    assert "Holds: not said" in unsaid.attrib["aria-label"] and len(unsaid.findall("rect")) == 1


def test_a_scale_names_instants_as_exactly_as_its_span_calls_for() -> None:
    assert scale([START, after(0.5)], 0, 1).label(START) == "1 Apr 09:00"
    assert scale([START, after(30)], 0, 1).label(START) == "1 Apr"
    assert scale([START, after(900)], 0, 1).label(START) == "Apr 2026"
