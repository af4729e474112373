"""Shows a run while it goes on: a live view on a terminal, plain lines elsewhere. Always on standard error."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Any, Self

from forge.cli.console import err, say
from forge.cli.livemodel import LiveModel, Shape
from forge.cli.plainlines import PlainLines
from forge.model.events import Event

# Once a second: a local model needs the cores more than the clock does.
REFRESH = 1


class Watch:
    """An observer of one run; also a context manager around it. Events may come from any thread.

    Args:
        title: what is being run.
        shape: how long a seed's way is likely to be.
        live: draw a live view; None: when standard error is a terminal that can.
    """

    def __init__(self, title: str, shape: Shape, live: bool | None = None) -> None:
        self.title = title
        self.model = LiveModel(time.monotonic(), shape)
        self.stopping = False
        self._plain = PlainLines(self.model)
        self._lock = threading.Lock()
        self._console = err()
        able = self._console.is_terminal and not self._console.is_dumb_terminal
        self._live: Any = None
        self._wanted = able if live is None else live

    def __enter__(self) -> Self:
        if self._wanted:
            from rich.live import Live

            self._live = Live(
                console=self._console, get_renderable=self._draw, refresh_per_second=REFRESH, transient=True
            )
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Take the live view away and give the terminal back."""
        live, self._live = self._live, None
        if live is not None:
            live.stop()

    def __call__(self, event: Event) -> None:
        """Fold one event in, and write its lines when there is no live view."""
        now = time.monotonic()
        with self._lock:
            self.model.apply(event, now)
            lines = [] if self._wanted else self._plain.lines(event, now)
        for line in lines:
            say(line)

    def stop(self) -> None:
        """Say that the run is being stopped."""
        self.stopping = True
        if not self._wanted:
            say("stopping: storing what is under way; once more to leave at once")

    def _draw(self) -> Any:
        from forge.cli.live import draw

        size = self._console.size
        with self._lock:
            return draw(self.model, self.title, time.monotonic(), size.width, size.height, self.stopping)
