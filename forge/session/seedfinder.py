"""Finds the seed that a labelled record names: an object in the seed format, or an id of any seed set at hand."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from forge.families.base import Family
from forge.model.errors import ConfigError, listed
from forge.session import lookup
from forge.session.audits import rows
from forge.session.session import Session

DEFAULT_FAMILY = "salience"
# What a seed set's header would say of a seed that stands alone.
HEADER = {"set": "alone", "licence": "unknown"}


class SeedFinder:
    """The seeds of all sets that a session can see, read once, when an id is first asked for.

    Args:
        session: whose workspace it looks in.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[str, Any] | None = None

    def family(self, data: Path, name: str | None = None) -> Family:
        """Return the family called `name`, or that of the first record's seed.

        Raises:
            ConfigError: the records cannot be read. FamilyError: it cannot be loaded.
        """
        if name is not None:
            return lookup.find_family(self._session, name)[0]
        first = rows(data)[0].data.get("seed")
        if isinstance(first, Mapping):
            return lookup.find_family(self._session, str(first.get("family", DEFAULT_FAMILY)))[0]
        found = self._seeds().get(str(first))
        return lookup.find_family(self._session, found.family if found is not None else DEFAULT_FAMILY)[0]

    def finds(self, family: Family) -> Callable[[Any, str], Any]:
        """Return the function that `audits` asks: from what a record says, and its place, to a seed of the family."""

        def find(value: Any, where: str) -> Any:
            return self._made(family, value, where) if isinstance(value, Mapping) else self._named(str(value), where)

        return find

    def _made(self, family: Family, value: Mapping[str, Any], where: str) -> Any:
        try:
            return family.Seed.model_validate({**HEADER, "family": family.name, **value})
        except ValidationError as error:
            part = error.errors(include_url=False)[0]
            field = ".".join(str(piece) for piece in part["loc"])
            raise ConfigError(f"the seed does not fit: {field}: {part['msg']}", where=where) from error

    def _named(self, name: str, where: str) -> Any:
        known = self._seeds()
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
            fix = f"did you mean {listed(near)}?" if near else "give the seed itself, or put its set under seeds/"
            raise ConfigError("no seed of that id", where=where, value=name, fix=fix)
        return known[name]

    def _seeds(self) -> dict[str, Any]:
        if self._known is None:
            self._known = {}
            for state in lookup.sets(self._session, lint=False):
                read = state.loaded.seeds if state.loaded is not None else None
                for seed in read.seeds if read is not None else ():
                    self._known.setdefault(seed.id, seed)
        return self._known
