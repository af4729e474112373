"""The closed list of operations that a table's sums are built of, and how a result is written. Exact decimals only."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum

from forge.text.spelled import spelled_out

Value = Decimal | str
"""A number, or a time of day written H:MM."""

_CLOCK = re.compile(r"^(\d{1,2}):(\d{2})$")
_DAY = 24 * 60
_CURRENCY = "€£$"


class Operation(StrEnum):
    """What a step may do. A quotient must come out whole; use ceil_quotient or floor_quotient where it need not."""

    SUM = "sum"
    DIFFERENCE = "difference"
    PRODUCT = "product"
    QUOTIENT = "quotient"
    CEIL_QUOTIENT = "ceil_quotient"
    FLOOR_QUOTIENT = "floor_quotient"
    CLOCK = "clock"


class Unfit(ValueError):
    """The drawn numbers do not fit: a quotient is not whole, a difference not positive, a time no time."""


def number(value: int | float | str) -> Value:
    """A drawn value or a constant: a decimal, or a time of day.

    Raises:
        Unfit: a text that is no time of day.
    """
    if not isinstance(value, str):
        return Decimal(str(value))
    match = _CLOCK.match(value)
    if not match or int(match[1]) > 23 or int(match[2]) > 59:
        raise Unfit(f"{value!r} is no time of day such as '9:00'")
    return value


def apply(operation: Operation, operands: Sequence[Value]) -> Value:
    """One operation.

    Raises:
        Unfit: the operands do not fit it.
    """
    if operation is Operation.CLOCK:
        return _clock(operands)
    numbers = [operand for operand in operands if isinstance(operand, Decimal)]
    if len(numbers) != len(operands):
        raise Unfit(f"{operation} takes numbers, not times of day")
    if operation not in (Operation.SUM, Operation.PRODUCT) and len(numbers) != 2:
        raise Unfit(f"{operation} takes two operands, not {len(numbers)}")
    if operation in _DIVIDES and not numbers[1]:
        raise Unfit(f"{numbers[0]} / 0 has no result")
    return _ARITHMETIC[operation](numbers)


def _quotient(operands: Sequence[Decimal]) -> Decimal:
    divided, rest = divmod(operands[0], operands[1])
    if rest:
        raise Unfit(f"{operands[0]} / {operands[1]} is not whole")
    return divided


def _difference(operands: Sequence[Decimal]) -> Decimal:
    if operands[0] <= operands[1]:
        raise Unfit(f"{operands[0]} - {operands[1]} is not above zero")
    return operands[0] - operands[1]


_DIVIDES = (Operation.QUOTIENT, Operation.CEIL_QUOTIENT, Operation.FLOOR_QUOTIENT)
_ARITHMETIC: Mapping[Operation, Callable[[Sequence[Decimal]], Decimal]] = {
    Operation.SUM: lambda operands: sum(operands, Decimal(0)),
    Operation.DIFFERENCE: _difference,
    Operation.PRODUCT: lambda operands: math.prod(operands, start=Decimal(1)),
    Operation.QUOTIENT: _quotient,
    Operation.CEIL_QUOTIENT: lambda operands: Decimal(math.ceil(operands[0] / operands[1])),
    Operation.FLOOR_QUOTIENT: lambda operands: Decimal(math.floor(operands[0] / operands[1])),
}


def _clock(operands: Sequence[Value]) -> str:
    """A time of day and the minutes that follow it, in one or more operands."""
    start, *minutes = operands
    match = _CLOCK.match(start) if isinstance(start, str) else None
    if not match or not minutes:
        raise Unfit("clock takes a time of day and minutes")
    total = int(match[1]) * 60 + int(match[2])
    for each in minutes:
        if not isinstance(each, Decimal) or each != each.to_integral_value():
            raise Unfit(f"clock takes whole minutes, not {each}")
        total += int(each)
    return f"{total % _DAY // 60}:{total % 60:02d}"


def written(text: str, name: str, value: Value) -> str:
    """Put a value into its text: thousands with a comma, cents in two digits behind a currency sign."""
    place = "{" + name + "}"
    if isinstance(value, str):
        return text.replace(place, value)
    money = re.search(rf"[{_CURRENCY}]\s?{re.escape(place)}", text)
    return text.replace(place, _digits(value, cents=bool(money)))


def _digits(value: Decimal, *, cents: bool = False) -> str:
    if value == value.to_integral_value():
        return f"{int(value):,}"
    return f"{value:,.2f}" if cents else f"{value.normalize():,f}"


def spellings(text: str, name: str, value: Value) -> list[str]:
    """How a result may be written in an answer: in digits, in words, in larger units, on a twelve-hour clock."""
    found = [written(text, name, value)]
    if isinstance(value, str):
        hour, minute = value.split(":")
        if int(hour) > 12 and text.strip() == "{" + name + "}":
            found.append(f"{int(hour) - 12}:{minute}")
        return found
    whole = value == value.to_integral_value()
    if whole and 2 <= value < 100:
        found.append(text.replace("{" + name + "}", spelled_out(int(value))))
    if whole and value >= 1000:
        found.append(text.replace("{" + name + "}", str(int(value))))
    for small, large in (("second", "minute"), ("minute", "hour")):
        if whole and value >= 60 and re.search(rf"{re.escape('{' + name + '}')} {small}s\b", text):
            found += _carried(int(value), small, large)
    return found


def _carried(value: int, small: str, large: str) -> list[str]:
    units, rest = divmod(value, 60)
    head = f"{units} {large}{'s' * (units != 1)}"
    if not rest:
        return [head]
    tail = f"{rest} {small}{'s' * (rest != 1)}"
    return [f"{head} {tail}", f"{head} and {tail}"]


_SIGNS = {
    Operation.SUM: "+",
    Operation.DIFFERENCE: "-",
    Operation.PRODUCT: "×",
    Operation.QUOTIENT: "/",
    Operation.CEIL_QUOTIENT: "/",
    Operation.FLOOR_QUOTIENT: "/",
    Operation.CLOCK: "+",
}
_ROUNDED = {Operation.CEIL_QUOTIENT: "rounded up ", Operation.FLOOR_QUOTIENT: "rounded down "}


def shown(operation: Operation, operands: Sequence[Value], result: str) -> str:
    """The step as arithmetic: "40 / 5 = 8 trips"."""
    parts = [operand if isinstance(operand, str) else _digits(operand) for operand in operands]
    if operation is Operation.CLOCK:
        parts = [parts[0], *(f"{part} minutes" for part in parts[1:])]
    return f"{f' {_SIGNS[operation]} '.join(parts)} = {_ROUNDED.get(operation, '')}{result}"
