"""Where things are: the workspace, its ledger, registry and runs, and the roots of seeds and prompts."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import forge
from forge.model.errors import StorageError, UsageError

CONFIG = "forge.toml"
_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")


def safe(name: str, what: str) -> str:
    """Return `name` when it may become one path component.

    Raises:
        UsageError: it is empty, too long, or holds anything but letters, digits, dot, dash and underscore.
    """
    if not _NAME.fullmatch(name) or ".." in name:
        raise UsageError(
            f"not a name for {what}", value=name, fix="use letters, digits, dots, dashes and underscores, up to 100"
        )
    return name


@dataclass(frozen=True)
class Workspace:
    """A folder that forge works in.

    Attributes:
        root: the nearest parent with a forge.toml, else the folder forge was called in.
        configured: whether a forge.toml was found there.
    """

    root: Path
    configured: bool

    @property
    def config(self) -> Path:
        """forge.toml, whether or not it is there."""
        return self.root / CONFIG

    @property
    def runs(self) -> Path:
        """One folder per run."""
        return self.root / "runs"

    @property
    def ledger(self) -> Path:
        """Every model answer in this workspace."""
        return self.runs / "ledger.sqlite"

    @property
    def registry(self) -> Path:
        """Everything else that is stored."""
        return self.root / "registry" / "forge.duckdb"

    def run(self, run_id: str) -> Path:
        """The folder of one run."""
        return self.runs / safe(run_id, "a run")

    def roots(self, kind: str) -> tuple[Path, ...]:
        """Return the folders that may hold `prompts` or `seeds`: workspace, packed data, checkout. First wins."""
        package = Path(forge.__file__ or "").resolve().parent
        packed, checkout = package / "_data" / kind, package.parent / kind
        places = [self.root / kind, packed]
        if (package.parent / "pyproject.toml").is_file():
            places.append(checkout)
        unique = dict.fromkeys(place.resolve() for place in places if place.is_dir())
        return tuple(unique)

    def ready(self) -> None:
        """Make the folders that a writing command needs.

        Raises:
            StorageError: the workspace cannot be written.
        """
        for folder in (self.runs, self.registry.parent):
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StorageError(
                    f"the workspace cannot be written: {error.strerror}",
                    where=str(folder),
                    fix="call forge in a folder that you may write to, or mend its permissions",
                ) from error


def find(start: Path | None = None) -> Workspace:
    """Return the workspace around `start` (default: the current folder)."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / CONFIG).is_file():
            return Workspace(folder, configured=True)
    return Workspace(here, configured=False)


def cache() -> Path:
    """Return the user's cache for model weights: $FORGE_CACHE, else XDG_CACHE_HOME/forge, else ~/.cache/forge."""
    if named := os.environ.get("FORGE_CACHE"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "forge"
