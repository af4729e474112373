"""YAML with line numbers: the data, and the line on which each value stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from forge.model.errors import SeedError

Path = tuple[str | int, ...]
# The C parser, where PyYAML was built with it, is five to ten times as fast; data and marks are the same.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Lined:
    """A parsed YAML document.

    Attributes:
        lines: path of keys and indexes → line, from 1.
        raw: path → the scalar as it is written, for values that YAML turned into something else.
    """

    data: Any
    lines: Mapping[Path, int]
    raw: Mapping[Path, str]

    def line(self, path: Path) -> int:
        """Return the line of a value, or of its nearest ancestor that has one."""
        for length in range(len(path), -1, -1):
            if path[:length] in self.lines:
                return self.lines[path[:length]]
        return 1


def parse(text: str, where: str) -> Lined:
    """Parse one YAML document.

    Raises:
        SeedError: it is not YAML, holds more than plain data, or repeats a key; with file and line.
    """
    loader = None
    try:
        loader = _LOADER(text)
        node = loader.get_single_node()
        lines: dict[Path, int] = {}
        raw: dict[Path, str] = {}
        if node is not None:
            _walk(node, (), lines, raw, where)
        data = None if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise SeedError(
            f"not YAML: {error.problem or error.context}",
            where=f"{where}:{line}",
            fix="a value with ': ', '#' or a leading quote, dash or bracket needs quotes around it",
        ) from error
    except yaml.YAMLError as error:
        raise SeedError(f"not YAML: {error}", where=where) from error
    finally:
        if loader is not None:
            loader.dispose()
    return Lined(data, lines, raw)


def _walk(node: yaml.Node, path: Path, lines: dict[Path, int], raw: dict[Path, str], where: str) -> None:
    lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value)
            if name in seen:
                raise SeedError(
                    "the same key twice in one mapping",
                    where=f"{where}:{key.start_mark.line + 1}",
                    value=name,
                    fix="keep one of the two; YAML would silently drop the first",
                )
            seen.add(name)
            _walk(value, (*path, name), lines, raw, where)
            lines[(*path, name)] = key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _walk(value, (*path, index), lines, raw, where)
    else:
        raw[path] = str(node.value)
