"""Writes a seed set as YAML that a person can read and mend, and says whether one did. It reads nothing back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from forge.model.ids import digest

WIDTH = 116
DIGEST = "written"
"""The header's key for the digest of the seeds as forge wrote them."""


class _Dumper(yaml.SafeDumper):
    """Leaf collections on one line, text as it stands."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: _Dumper, value: str) -> yaml.ScalarNode:
    # PyYAML writes U+0085 between single quotes as it stands, and reads it back as a space.
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style='"' if "\x85" in value else None)


_Dumper.add_representer(str, _text)


def seed_file(comment: Sequence[str], header: Mapping[str, Any], seeds: Sequence[Mapping[str, Any]]) -> str:
    """The text of a seed file: a comment, the header with the seeds' digest, one block a seed, blank lines between."""
    # With the empty list the header is no leaf, so that it is never put on one line.
    head = _dump({**header, DIGEST: digest(list(seeds)), "seeds": []})
    parts = ["".join(f"# {line}\n" for line in comment), head.removesuffix(" []\n") + "\n" if seeds else head]
    parts += [_dump([dict(seed)]) + "\n" for seed in seeds]
    return "".join(parts).rstrip("\n") + "\n"


def touched(header: Mapping[str, Any], seeds: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the seeds of a file are others than forge wrote; also where it never wrote any."""
    return header.get(DIGEST) != digest(list(seeds))


def _dump(value: Any) -> str:
    return str(
        yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH, default_flow_style=None)
    )
