"""Units of measure: what a unit is called, what it measures, and how much of the base unit it is.

Rules: factors are exact. Months and years measure months, not days: a month has no fixed length. A percentage is a
ratio. A longer word that is not listed is a unit of its own kind, comparable only with itself. Case says nothing:
input is folded text (text.fold), and 12 T is twelve tonnes.
A unit may have an offset (temperatures); it does not know scales that are not linear.
Source: the SI brochure; international yard and pound (1959); IEC 80000-13 for binary multiples.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by its symbol: how many base units of its dimension one of it is, and what zero of it is in base units."""

    symbol: str
    dimension: str
    factor: Decimal
    offset: Decimal = Decimal(0)


BASE_SYMBOLS: Mapping[str, str] = MappingProxyType(
    {"mass": "kg", "length": "m", "time": "s", "calendar": "month", "data": "B", "volume": "l", "ratio": "%"}
    | {"temperature": "°F", "area": "sqm"}
)
# dimension | factor, and what zero is in the base unit | symbol, then other names
_TABLE = """
mass     | 0.000001     | mg milligram milligrams
mass     | 0.001        | g gram grams gramme grammes
mass     | 1            | kg kgs kilo kilos kilogram kilograms
mass     | 1000         | t tonne tonnes
mass     | 0.45359237   | lb lbs pound pounds
mass     | 0.028349523125 | oz ounce ounces
length   | 0.001        | mm millimetre millimetres millimeter millimeters
length   | 0.01         | cm centimetre centimetres centimeter centimeters
length   | 1            | m metre metres meter meters
length   | 1000         | km kilometre kilometres kilometer kilometers
length   | 0.0254       | in inch inches
length   | 0.3048       | ft foot feet
length   | 0.9144       | yd yard yards
length   | 1609.344     | mi mile miles
time     | 0.001        | ms msec millisecond milliseconds
time     | 1            | s sec secs second seconds
time     | 60           | min mins minute minutes
time     | 3600         | h hr hrs hour hours
time     | 86400        | d day days
time     | 604800       | wk week weeks
calendar | 1            | month months mo
calendar | 3            | quarter quarters
calendar | 12           | year years yr yrs
data     | 1            | B byte bytes
data     | 1000         | kB kilobyte kilobytes
data     | 1000000      | MB megabyte megabytes
data     | 1000000000   | GB gigabyte gigabytes
data     | 1000000000000 | TB terabyte terabytes
data     | 1024         | KiB kibibyte kibibytes
data     | 1048576      | MiB mebibyte mebibytes
data     | 1073741824   | GiB gibibyte gibibytes
data     | 1099511627776 | TiB tebibyte tebibytes
volume   | 0.001        | ml millilitre millilitres milliliter milliliters
volume   | 0.01         | cl centilitre centilitres centiliter centiliters
volume   | 1            | l litre litres liter liters
ratio    | 1            | % percent percentage pct
ratio    | 0.01         | bps
area     | 1            | sqm
area     | 10000        | ha hectare hectares hektar
area     | 4046.8564224 | acre acres
area     | 666.6667     | mu
area     | 3.305785     | pyeong
temperature | 1         | °F fahrenheit
temperature | 1.8 32    | °C celsius
temperature | 1.8 -459.67 | kelvin kelvins
"""
_WORD = re.compile(r"[^\W\d_]+")


def _read_table() -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for line in _TABLE.strip().splitlines():
        dimension, scale, names = (part.strip() for part in line.split("|"))
        symbol, *others = names.split()
        unit = Unit(symbol, dimension, *map(Decimal, scale.split()))
        for name in (symbol, *others):
            units[name.casefold()] = unit
    return units


UNITS: Mapping[str, Unit] = MappingProxyType(_read_table())


def known_unit(key: str) -> Unit | None:
    """Return the listed unit of a folded name, or None."""
    return UNITS.get(key)


def unit_of(key: str) -> Unit | None:
    """Return the unit a folded word names, listed or its own, or None unless it is one word of two letters or more."""
    found = known_unit(key)
    if found is None and len(key) > 1 and _WORD.fullmatch(key):
        return Unit(key, f"unit:{key}", Decimal(1))
    return found
