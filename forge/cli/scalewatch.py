"""Shows `forge scale` while it goes on: a bar and counts on a terminal, plain lines elsewhere; on standard error."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from rich.console import Group
from rich.text import Text

from forge.cli.console import say, short
from forge.cli.figures import bar, counts, duration, many, roughly
from forge.cli.livemodel import Shape
from forge.cli.watching import Watch
from forge.model.events import Event, EventKind

_LEAST, _EVERY = 3, 5
"""Answers before a time left is shown, and between two plain lines."""


class ScaleWatch(Watch):
    """An observer of one scaling run.

    Args:
        wanted: seeds to accept.
    """

    def __init__(self, title: str, wanted: int, live: bool | None = None) -> None:
        super().__init__(title, Shape(), live)
        self.wanted = wanted
        self.accepted = 0
        self.voiced = 0
        self.wave = 0
        self.rejected: Counter[str] = Counter()
        self.last = ""
        self.heard: set[str] = set()

    def __call__(self, event: Event) -> None:
        """Fold one event in."""
        if event.kind is not EventKind.SCALE:
            super().__call__(event)
            line = self._hear(event)
        else:
            with self._lock:
                line = self._fold(event.data)
        if line and not self._wanted:
            say(f"[{duration(time.monotonic() - self.model.began)}] {line}")

    def _hear(self, event: Event) -> str:
        """Count the seeds and batches that a model has answered for; every few of them are worth a line."""
        if event.kind is not EventKind.CALL or not event.seed or event.seed in self.heard:
            return ""
        self.heard.add(event.seed)
        return "" if len(self.heard) % _EVERY else f"{len(self.heard)} answered, {self.accepted} accepted"

    def _fold(self, data: dict[str, Any]) -> str:
        match data.get("what"):
            case "wave":
                done = f"; {self.accepted} accepted so far" if self.wave else ""
                self.wave = int(data["wave"])
                return f"wave {self.wave}: {data['batches']} batches of {data['seeds']} seeds in all{done}"
            case "accepted":
                self.accepted += 1
                self.voiced += bool(data.get("voiced"))
                self.last = f"accepted {data['name']}"
                return f"accepted {self.accepted}/{self.wanted}: {short(str(data['name']), 90)}"
            case "rejected":
                self.rejected[str(data["filter"])] += 1
                self.last = f"{data['filter']}: {data['name']}"
                return f"rejected by {data['filter']}: {short(str(data['name']), 60)}: {short(str(data['detail']), 90)}"
            case _:
                return ""

    def _draw(self) -> Any:
        width, now = self._console.size.width, time.monotonic()
        with self._lock:
            model = self.model
            share = min(max(self.accepted, len(self.heard)) / self.wanted, 1.0)
            title = "stopping: storing what is under way" if self.stopping else f"scale {self.title} · wave {self.wave}"
            parts = [duration(now - model.began)]
            if len(self.heard) >= _LEAST and model.working is not None and share < 1:
                parts.append(f"{roughly((now - model.working) * (1 - share) / share)} left")
            parts.append(f"{many(model.made)} calls, {many(model.replayed)} replayed")
            rate = model.tokens_per_second(now)
            if rate is not None:
                parts.append(f"{rate:.0f} tokens/s")
            lines = [
                Text(short(title, width), style="bold yellow" if self.stopping else "bold"),
                Text.assemble(
                    (bar(share, 24), "cyan"), f" {self.accepted}/{self.wanted} accepted · {' · '.join(parts)}"
                ),
            ]
            if self.rejected:
                lines.append(Text.assemble(("rejected  ", "dim"), short(counts(dict(self.rejected)), width - 10)))
            if model.weights is not None:
                done, total = model.weights.done, model.weights.total
                lines.append(Text(f"fetching {model.weights.model}: {100 * done / max(total, 1):.0f} %"))
            lines += [Text(short(wait.kind, width), style="yellow") for wait in list(model.waiting.values())[:2]]
            if self.last:
                lines.append(Text(short(self.last, width), style="dim"))
        for line in lines:
            line.truncate(width, overflow="ellipsis")
        return Group(*lines)
