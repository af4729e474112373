"""Loads a family by name from the entry-point group `forge.families`, or builds one without code on another."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points

from forge.families.base import Family
from forge.model.errors import FamilyError, listed

GROUP = "forge.families"
SHIPPED = {
    "hidden_constraint": "forge.families.hidden_constraint:HiddenConstraintFamily",
    "salience": "forge.families.salience:SalienceFamily",
}


def names() -> dict[str, EntryPoint]:
    """Return the registered families by name; forge's own are there even when its metadata is not installed.

    Raises:
        FamilyError: two distributions register different code under one name.
    """
    found = {name: EntryPoint(name, value, GROUP) for name, value in SHIPPED.items()}
    for point in entry_points(group=GROUP):
        if point.name in found and found[point.name].value != point.value:
            raise FamilyError(
                f"two families are called {point.name}",
                value=f"{found[point.name].value} and {point.value}",
                fix="uninstall one of the two distributions",
            )
        found[point.name] = point
    return found


def load(name: str, extends: str | None = None, known: Iterable[str] = ()) -> Family:
    """Return the family called `name`.

    Args:
        extends: for a family without code: the registered family whose code it uses under its own name.
        known: further names to suggest.

    Raises:
        FamilyError: unknown, broken, or not a family; an error inside a plug-in is shown, never swallowed.
    """
    points = names()
    wanted = name if name in points else extends
    if wanted is None or wanted not in points:
        if name in set(known) and extends is None:
            raise FamilyError(
                f"the family {name} has seeds here, but no code",
                fix=f"install the package that registers {name}, or add `extends: salience` to the header",
            )
        every = sorted({*points, *known})
        near = difflib.get_close_matches(name, every, n=3, cutoff=0.4) or every
        raise FamilyError(f"no family {name}", fix=f"did you mean {listed(near)}?")
    try:
        made = points[wanted].load()()
    except Exception as error:
        raise FamilyError(
            f"the family {wanted} cannot be loaded: {type(error).__name__}: {error}",
            where=points[wanted].value,
            fix="mend or uninstall the distribution that registers it",
        ) from error
    if not isinstance(made, Family):
        missing = [part for part in _members() if not hasattr(made, part)]
        raise FamilyError(f"{wanted} is no family: it lacks {listed(missing)}", where=points[wanted].value)
    if name not in points:
        made.name = name
    return made


def _members() -> list[str]:
    return sorted({*Family.__annotations__, *(key for key in vars(Family) if not key.startswith("_"))})
