"""Plain values from several sources, merged key by key, each remembered with where it came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Layered:
    """A nested mapping under construction. Dotted paths name leaves; lists are leaves."""

    values: dict[str, Any] = field(default_factory=dict)
    sources: dict[tuple[str, ...], str] = field(default_factory=dict)

    def add(self, values: Mapping[str, Any], source: str, at: tuple[str, ...] = ()) -> None:
        """Lay `values` over what is there; mappings merge, everything else replaces."""
        target = self.values
        for key in at:
            target = target.setdefault(key, {})
        self._merge(target, values, source, at)

    def _merge(self, target: dict[str, Any], values: Mapping[str, Any], source: str, at: tuple[str, ...]) -> None:
        for key, value in values.items():
            path = (*at, str(key))
            if isinstance(value, Mapping):
                below = target.setdefault(str(key), {})
                if not isinstance(below, dict):
                    below = target[str(key)] = {}
                self._merge(below, value, source, path)
            else:
                target[str(key)] = value
                self.sources[path] = source

    def leaves(self) -> Iterator[tuple[tuple[str, ...], Any, str]]:
        """Yield (path, value, source), in path order."""
        yield from _leaves(self.values, (), self.sources)


def _leaves(
    values: Mapping[str, Any], at: tuple[str, ...], sources: Mapping[tuple[str, ...], str]
) -> Iterator[tuple[tuple[str, ...], Any, str]]:
    for key in sorted(values):
        path = (*at, key)
        if isinstance(values[key], dict) and values[key]:
            yield from _leaves(values[key], path, sources)
        else:
            yield path, values[key], sources.get(path, "default")
