"""One run's folder: what went in (profile, seeds, templates), what happened (events), what came out (items)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from forge.model.errors import StorageError
from forge.model.events import Event
from forge.model.growth import Item
from forge.model.profile import Profile
from forge.model.seeds import SeedSet
from forge.prompts.collection import PromptLibrary
from forge.session.files import write, write_json, write_lines


class RunFolder:
    """The files of one run. Made before the first call is paid for.

    run.json says what was asked for; profile.json, seeds.json and prompts/ are what a replay reads; events.jsonl
    grows line by line; items.jsonl and summary.json are written at the end, each at once.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._events: TextIO | None = None

    def freeze(
        self, about: dict[str, Any], profile: Profile, seeds: SeedSet, prompts: PromptLibrary, ids: Iterable[str]
    ) -> None:
        """Keep everything that decides the run."""
        write_json(self.path / "profile.json", profile.model_dump(mode="json"))
        document = {
            "name": seeds.name,
            "family": seeds.family,
            "path": seeds.path,
            "header": _plain(seeds.header),
            "seeds": [seed.model_dump(mode="json", by_alias=True) for seed in seeds.seeds],
        }
        write_json(self.path / "seeds.json", document)
        for name in ids:
            template = prompts.get(name)
            write(self.path / "prompts" / f"{template.id}.md", template.source.encode())
        write_json(self.path / "run.json", about)

    def event(self, event: Event) -> None:
        """Append one event.

        Raises:
            StorageError: the disk is full.
        """
        try:
            if self._events is None:
                self.path.mkdir(parents=True, exist_ok=True)
                self._events = (self.path / "events.jsonl").open("a", encoding="utf-8", buffering=1 << 15)
            record = {"kind": event.kind.value, "seed": event.seed, **event.data}
            self._events.write(json.dumps(record, ensure_ascii=True, separators=(",", ":")) + "\n")
        except OSError as error:
            raise StorageError(
                f"the run's events cannot be written: {error.strerror}", where=str(self.path), fix="free some space"
            ) from error

    def flush(self) -> None:
        """Make what was appended visible to a reader."""
        if self._events is not None:
            self._events.flush()

    def finish(self, items: list[Item], summary: dict[str, Any]) -> None:
        """Write what came out."""
        write_lines(self.path / "items.jsonl", [item_document(item) for item in items])
        write_json(self.path / "summary.json", summary)

    def keep(self, name: str, values: list[Any]) -> None:
        """Write one more list of the run, as JSON Lines."""
        write_lines(self.path / name, values)

    def close(self) -> None:
        """Close the event log."""
        if self._events is not None:
            self._events.close()
            self._events = None

    def discard(self) -> None:
        """Remove the folder of a run that never started."""
        self.close()
        shutil.rmtree(self.path, ignore_errors=True)

    def read(self, name: str) -> Any:
        """Return one of the run's JSON documents.

        Raises:
            StorageError: it is missing or broken.
        """
        path = self.path / name
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise StorageError(
                f"the run's {name} cannot be read: {error}",
                where=str(path),
                fix="`forge runs list` shows the runs of this workspace",
            ) from error


def item_document(item: Item) -> dict[str, Any]:
    """Return an item as plain JSON values: the bytes that a replay must reproduce."""
    document: dict[str, Any] = _plain(asdict(item))
    return document


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))
