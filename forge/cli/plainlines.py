"""Turns Events into plain lines for logs and pipes: what matters always, the rest no faster than can be read. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from forge.cli.figures import duration, percent, size
from forge.cli.livemodel import LiveModel
from forge.model.events import Event, EventKind

LINES_PER_SECOND = 10.0
DOWNLOAD_EVERY = 5.0
RETRY_EVERY = 5.0


@dataclass
class PlainLines:
    """Writes lines for a run.

    Args:
        model: the same run's counts, already told of the event.
    """

    model: LiveModel
    _left_out: int = 0
    _credit: float = LINES_PER_SECOND
    _at: float = 0.0
    _told: dict[str, float] = field(default_factory=dict)

    def lines(self, event: Event, now: float) -> list[str]:
        """Return the lines to write for one event, often none."""
        text = self._text(event, now)
        if text is None:
            return []
        stamp = f"[{duration(now - self.model.began)}] "
        if event.kind in (EventKind.CANDIDATE, EventKind.ROUTED, EventKind.SEED_STARTED) and not self._afford(now):
            self._left_out += 1
            return []
        made = [stamp + text]
        if self._left_out:
            made.insert(0, f"{stamp}({self._left_out} lines left out)")
            self._left_out = 0
        return made

    def _afford(self, now: float) -> bool:
        self._credit = min(LINES_PER_SECOND, self._credit + (now - self._at) * LINES_PER_SECOND)
        self._at = now
        if self._credit < 1.0:
            return False
        self._credit -= 1.0
        return True

    def _text(self, event: Event, now: float) -> str | None:
        data, seed = event.data, event.seed
        match event.kind:
            case EventKind.RUN_STARTED:
                return f"run {data.get('run')}: {len(data.get('seeds', ()))} seeds"
            case EventKind.SEED_STARTED:
                return f"{seed}: started"
            case EventKind.ROUTED:
                label = f"{data['label']} → " if data.get("label") else ""
                return f"{seed}: {data.get('operator', 'wording')} {label}{data.get('route')} ({data.get('why')})"
            case EventKind.CERTIFIED:
                return f"{seed}: certified {data.get('stable')}/{data.get('samples')}, cause {data.get('cause')}"
            case EventKind.REFUSED:
                return f"{seed}: not stable, {data.get('stable')}/{data.get('samples')}"
            case EventKind.SEED_ENDED:
                total, ended = len(self.model.seeds), self.model.ended()
                return f"{seed}: {data.get('state')}: {data.get('reason')} ({ended}/{total} seeds)"
            case EventKind.NOTICE:
                return f"{seed}: {data.get('text')}" if seed else str(data.get("text"))
            case EventKind.RETRY:
                return self._retry(event, now)
            case EventKind.DOWNLOAD:
                return self._download(event, now)
            case _:
                return None

    def _retry(self, event: Event, now: float) -> str | None:
        data = event.data
        endpoint = str(data.get("endpoint", ""))
        if not self._due(f"retry {endpoint}", now, RETRY_EVERY):
            return None
        delay = float(data.get("delay", 0.0))
        others = len(self.model.waiting) - 1
        more = f", {others} more waiting" if others > 0 else ""
        return f"retrying {endpoint}: {data.get('kind')}, attempt {data.get('attempt')}, again in {delay:.0f} s{more}"

    def _download(self, event: Event, now: float) -> str | None:
        data = event.data
        if note := str(data.get("note", "")):
            return note
        done, total = int(data.get("done", 0)), int(data.get("total", 0))
        stage = str(data.get("stage", ""))
        if done < total and not self._due(f"download {stage}", now, DOWNLOAD_EVERY):
            return None
        rate = float(data.get("rate", 0.0))
        speed = f", {size(rate)}/s, {duration((total - done) / rate)} left" if rate and done < total else ""
        verb = {"check": "checking", "join": "joining"}.get(stage, "fetching")
        shown = f"{size(done)} of {size(total)} ({percent(done, total)})"
        return f"{verb} {data.get('model')}: {shown}{speed}"

    def _due(self, key: str, now: float, every: float) -> bool:
        last = self._told.get(key)
        if last is not None and now - last < every:
            return False
        self._told[key] = now
        return True
