"""An index that outlives its run: taken from the registry, rebuilt when its settings are others, and stored again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from forge.model.errors import VerificationError
from forge.text.greedy import Deduper
from forge.text.saved import Saved, unpack
from forge.workspace.paths import safe

if TYPE_CHECKING:
    from forge.registry.store import Registry

_BATCH = 2000


@dataclass
class StoredIndex:
    """A named index in the registry.

    Attributes:
        before: how many texts it held when it was loaded.
    """

    registry: Registry
    name: str
    before: int = 0
    _keys: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        safe(self.name, "an index")

    def load(self, deduper: Deduper, source: int, notice: Callable[[str], None]) -> list[bytes]:
        """Put the stored texts into an empty deduper as the rows of `source`, and return them.

        Args:
            notice: told when the index had to be rebuilt, and why.

        Raises:
            VerificationError: what is stored cannot be read.
        """
        data = self.registry.load_index(self._stored)
        if data is None:
            return []
        try:
            saved = unpack(data)
        except ValueError as error:
            raise VerificationError(
                f"the saved index cannot be read: {error}",
                where=str(self.registry.path),
                value=self.name,
                fix="give --index another name and build it anew from the files",
            ) from error
        reason = deduper.settings.differs(saved.settings)
        if reason is None and saved.arrays is None:
            reason = "it holds no signatures"
        if reason is not None:
            notice(f"index {self.name}: {reason}; rebuilt from its {len(saved.keys):,} texts")
        self._fill(deduper, source, saved, anew=reason is not None)
        self._keys, self.before = saved.keys, len(saved.keys)
        return saved.normals

    def place(self, row: int) -> tuple[str, int]:
        """Where a stored text came from, in words, and its row there."""
        name, _, number = self._keys[row - 1].rpartition(":")
        return (f"index {self.name}: {name}", int(number)) if number.isdecimal() else (f"index {self.name}", row)

    def store(self, deduper: Deduper, source: int, path: Path) -> None:
        """Store the loaded texts and those that were kept of a file, which is source 0; other sources are left out."""
        name, number = path.name, 1
        taken = {key.rpartition(":")[0] for key in self._keys}
        while name in taken:
            number += 1
            name = f"{path.name}#{number}"
        names: list[str | list[str] | None] = [None] * (source + 1)
        names[0], names[source] = name, self._keys
        self.registry.save_index(self._stored, deduper.to_bytes(names))

    def _fill(self, deduper: Deduper, source: int, saved: Saved, *, anew: bool) -> None:
        signer = deduper.signer()
        for begin in range(0, len(saved.keys), _BATCH):
            end = min(begin + _BATCH, len(saved.keys))
            if anew:
                batch = signer.prepare([text.decode("utf-8") for text in saved.normals[begin:end]])
            else:
                batch = saved.prepared(begin, end)
            deduper.restore(source, saved, begin, batch)

    @property
    def _stored(self) -> str:
        return f"dedup/{self.name}"
