"""Names of units and currencies, and which of them mean the same.

Standard library only, because exported readers ship it. It converts nothing but cents and pence.
"""

from __future__ import annotations

import re
from decimal import Decimal

# canonical: (symbols, case-sensitive; words, any case)
_MEASURES: dict[str, tuple[str, str]] = {
    "m": ("m", "metre|metres|meter|meters"),
    "km": ("km", "kilometre|kilometres|kilometer|kilometers|kms"),
    "cm": ("cm", "centimetre|centimetres|centimeter|centimeters"),
    "mm": ("mm", "millimetre|millimetres|millimeter|millimeters"),
    "mi": ("mi", "mile|miles"),
    "yd": ("yd|yds", "yard|yards"),
    "ft": ("ft", "foot|feet"),
    "in": ("", "inch|inches"),
    "m²": ("m²|m2|sqm|sq m", "square metre|square metres|square meter|square meters"),
    "m³": ("m³|m3", "cubic metre|cubic metres|cubic meter|cubic meters"),
    "ha": ("ha", "hectare|hectares"),
    "acre": ("", "acre|acres"),
    "g": ("g", "gram|grams|gramme|grammes"),
    "kg": ("kg|kgs", "kilo|kilos|kilogram|kilograms|kilogramme|kilogrammes"),
    "mg": ("mg", "milligram|milligrams"),
    "t": ("", "tonne|tonnes|metric ton|metric tons"),
    "ton": ("", "ton|tons"),
    "lb": ("lb|lbs", ""),
    "oz": ("oz", "ounce|ounces"),
    "l": ("l|L|ltr", "litre|litres|liter|liters"),
    "ml": ("ml|mL", "millilitre|millilitres|milliliter|milliliters"),
    "cl": ("cl", "centilitre|centilitres|centiliter|centiliters"),
    "gal": ("gal", "gallon|gallons"),
    "pt": ("", "pint|pints"),
    "cup": ("", "cup|cups"),
    "tbsp": ("tbsp", "tablespoon|tablespoons"),
    "tsp": ("tsp", "teaspoon|teaspoons"),
    "ms": ("ms", "millisecond|milliseconds"),
    "s": ("s", "sec|secs|second|seconds"),
    "min": ("min", "mins|minute|minutes"),
    "h": ("h", "hr|hrs|hour|hours"),
    "d": ("", "day|days"),
    "week": ("wk|wks", "week|weeks"),
    "month": ("", "month|months"),
    "year": ("yr|yrs", "year|years"),
    "km/h": ("km/h|kmh|km/hr|kph", "kilometres per hour|kilometers per hour|kilometres an hour|kilometers an hour"),
    "mph": ("mph", "mile per hour|miles per hour|miles an hour"),
    "m/s": ("m/s", "metres per second|meters per second|metres a second|meters a second"),
    "°C": ("°C|° C|ºC|℃|C", "degrees celsius|degree celsius|degrees centigrade|degrees c|celsius"),
    "°F": ("°F|° F|ºF|℉|F", "degrees fahrenheit|degree fahrenheit|degrees f|fahrenheit"),
    "deg": ("°", "degree|degrees"),
    "W": ("W", "watt|watts"),
    "kW": ("kW|kw|KW", "kilowatt|kilowatts"),
    "MW": ("MW", "megawatt|megawatts"),
    "Wh": ("Wh|wh|WH", "watt hour|watt hours|watt-hour|watt-hours"),
    "kWh": ("kWh|kwh|KWh|KWH", "kilowatt hour|kilowatt hours|kilowatt-hour|kilowatt-hours"),
    "mAh": ("mAh|mah", "milliamp hours|milliamp-hours"),
    "Ah": ("Ah|ah", "amp hours|amp-hours"),
    "V": ("V", "volt|volts"),
    "A": ("A", "amp|amps|ampere|amperes"),
    "Hz": ("Hz|hz|HZ", "hertz"),
    "kHz": ("kHz|khz|KHz|KHZ", "kilohertz"),
    "MHz": ("MHz|mhz", "megahertz"),
    "GHz": ("GHz|ghz", "gigahertz"),
    "dB": ("dB|db", "decibel|decibels"),
    "bar": ("", "bar|bars"),
    "psi": ("psi|PSI", ""),
    "Pa": ("Pa", "pascal|pascals"),
    "kPa": ("kPa", "kilopascal|kilopascals"),
    "J": ("J", "joule|joules"),
    "kJ": ("kJ", "kilojoule|kilojoules"),
    "N": ("N", "newton|newtons"),
    "kcal": ("kcal", "calorie|calories|kilocalorie|kilocalories"),
    "lx": ("lx", "lux"),
    "lm": ("lm", "lumen|lumens"),
    "KB": ("KB|kB|kb", "kilobyte|kilobytes"),
    "MB": ("MB", "megabyte|megabytes"),
    "GB": ("GB", "gigabyte|gigabytes"),
    "TB": ("TB", "terabyte|terabytes"),
    "Mbit/s": ("Mbit/s|Mbps|mbps", "megabits per second"),
    "percent": ("%|pct", "percent|per cent"),
}
_MONEY: dict[str, tuple[str, str]] = {
    "USD": ("$", "usd|dollar|dollars|us dollars|bucks"),
    "GBP": ("£", "gbp|quid|pounds sterling"),
    "EUR": ("€", "eur|euro|euros"),
    "JPY": ("¥", "jpy|yen"),
    "INR": ("₹", "inr|rupee|rupees"),
    "CHF": ("", "chf|swiss francs|franken"),
    "cent": ("¢", "cent|cents"),
    "penny": ("p", "pence|penny|pennies"),
    "pound": ("", "pound|pounds"),
}

PERCENT = "percent"
MONEY_UNITS = frozenset(_MONEY) - {"pound"}
TEMPERATURES = frozenset({"°C", "°F", "deg"})
# Symbols that are also English words, list labels or model numbers: read as units only when glued to the number.
GLUED_ONLY = frozenset({"C", "F", "p", "N", "J"})
CURRENCY_PREFIXES = {"US$": "USD", "$": "USD", "£": "GBP", "€": "EUR", "¥": "JPY", "₹": "INR"}
CURRENCY_CODES = ("USD", "GBP", "EUR", "JPY", "INR", "CHF")

# A pound is money or a weight and a bare degree has either scale: each goes with what it may mean.
_LOOSE = frozenset(frozenset(pair) for pair in (("pound", "lb"), ("pound", "GBP"), ("deg", "°C"), ("deg", "°F")))
_SUBUNITS = {"cent": (frozenset({"USD", "EUR"}), Decimal(100)), "penny": (frozenset({"GBP", "pound"}), Decimal(100))}

_SYMBOLS = {
    name: canonical
    for table in (_MEASURES, _MONEY)
    for canonical, (symbols, _) in table.items()
    for name in symbols.split("|")
    if name
}
_WORDS = {
    name: canonical
    for table in (_MEASURES, _MONEY)
    for canonical, (_, words) in table.items()
    for name in words.split("|")
    if name
}


def _alternatives(names: list[str]) -> str:
    ordered = sorted(names, key=lambda name: (-len(name), name))
    return "|".join(re.escape(name).replace(r"\ ", r"[ \u00a0]").replace(r"\-", "[-‑]") for name in ordered)


# A symbol or word of a unit; nothing that would make it part of a longer word may follow. Use with `.match(text, pos)`.
UNIT_PATTERN = re.compile(
    rf"(?:(?P<symbol>{_alternatives(list(_SYMBOLS))})|(?i:(?P<word>{_alternatives(list(_WORDS))})))(?![^\W_])"
)


def canonical_unit(name: str) -> str:
    """The one name of a unit: "metres" → "m", "%" → "percent", "$" → "USD", "kmh" → "km/h".

    "GBP per litre" gives the unit of its head, "GBP". A name not listed comes back in lower case, unless that
    would make it a listed one.
    """
    stripped = " ".join(name.replace("\u00a0", " ").split())
    if stripped in _MEASURES or stripped in _MONEY:
        return stripped
    known = _SYMBOLS.get(stripped) or _WORDS.get(stripped.casefold().replace("‑", "-"))
    if known:
        return known
    head, per, _ = stripped.partition(" per ")
    if per:
        return canonical_unit(head)
    # An unknown "M" must not become a metre.
    folded = stripped.casefold()
    return stripped if folded in _SYMBOLS else folded


def compatible_units(a: str | None, b: str | None) -> bool:
    """Whether two units can mean the same; None matches any, "pound" both money and weight."""
    if a is None or b is None:
        return True
    first, second = canonical_unit(a), canonical_unit(b)
    return first == second or frozenset((first, second)) in _LOOSE


def in_main_unit(value: Decimal, unit: str | None, other: str | None) -> Decimal:
    """`value` in the unit `other` when `unit` is its hundredth (cents, pence), else as it is."""
    if unit is None or other is None:
        return value
    main, parts = _SUBUNITS.get(canonical_unit(unit), (frozenset[str](), Decimal(1)))
    return value / parts if canonical_unit(other) in main else value


def is_subunit_of(unit: str | None, other: str | None) -> bool:
    """Whether `unit` is the hundredth of `other`: cents of dollars or euros, pence of pounds."""
    if unit is None or other is None:
        return False
    return canonical_unit(other) in _SUBUNITS.get(canonical_unit(unit), (frozenset[str](), None))[0]
