"""Writes files so that a reader sees the old bytes or the new ones, never half of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from forge.model.errors import StorageError
from forge.model.ids import canonical


def write(path: Path, data: bytes) -> None:
    """Replace a file's content at once.

    Raises:
        StorageError: the disk is full, or the folder cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StorageError(
            f"the file cannot be written: {error.strerror}", where=str(path), fix="free some space, then run again"
        ) from error


def write_json(path: Path, value: Any) -> None:
    """Write one JSON document in canonical form."""
    write(path, canonical(value) + b"\n")


def write_lines(path: Path, values: list[Any]) -> None:
    """Write JSON Lines in canonical form, in the order given."""
    write(path, b"".join(canonical(value) + b"\n" for value in values))
