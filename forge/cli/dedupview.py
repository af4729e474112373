"""Shows a deduplication: how far it is, and what it came to."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from forge.cli.console import clean, out, say, short, write
from forge.cli.figures import counts, duration, many, percent, roughly

if TYPE_CHECKING:
    from rich.console import Console

    from forge.session.dedup import Progress, Report, Request

EVERY = 5.0
# A share of the file, and seconds, from which a time left means something.
LEAST_SHARE = 0.02
LEAST_SECONDS = 1.0
SHOWN = 120
BEFORE = 34


class Watch:
    """Told of progress: one line that changes on a terminal, else a plain line every few seconds. Standard error.

    Args:
        console: where to draw.
        now: a monotonic clock.
    """

    def __init__(self, console: Console, now: Any = time.monotonic) -> None:
        self._console, self._now = console, now
        self._status: Any = None
        self._began = self._told = now()
        self._what = ""

    def __enter__(self) -> Self:
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            self._status = self._console.status("reading")
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        status, self._status = self._status, None
        if status is not None:
            status.stop()

    def __call__(self, progress: Progress) -> None:
        """Show how far it is."""
        now = self._now()
        if progress.what != self._what:
            self._what, self._began = progress.what, now
        if self._status is not None:
            from rich.text import Text

            self._status.update(Text(clean(line(progress, now - self._began))))
        elif now - self._told >= EVERY:
            self._told = now
            say(f"[{duration(now - self._began)}] {line(progress, now - self._began)}")


def line(progress: Progress, seconds: float) -> str:
    """Return one line: rows, rows a second, what became of them, share and time left."""
    parts = [f"{progress.what}: {many(progress.read)} rows"]
    if seconds > 0:
        parts.append(f"{many(round(progress.read / seconds))}/s")
    if progress.kept or progress.duplicates or progress.invalid:
        parts.append(
            f"kept {many(progress.kept)}, repeats {many(progress.duplicates)}, no text {many(progress.invalid)}"
        )
    parts.append(percent(progress.share, 1))
    if LEAST_SHARE <= progress.share < 1 and seconds >= LEAST_SECONDS:
        parts.append(f"{roughly(seconds * (1 - progress.share) / progress.share)} left")
    return " · ".join(parts)


def warn(text: str) -> None:
    """Say what somebody should know at once."""
    say(f"warning: {text}")


def print_report(report: Report, request: Request, *, explain: bool) -> None:
    """Print what a run came to."""
    rate = f", {many(round(report.read / report.seconds))}/s" if report.read and report.seconds else ""
    rows = "row" if report.read == 1 else "rows"
    lines = [f"{short(request.path.name, 80)}: {many(report.read)} {rows} in {duration(report.seconds)}{rate}", ""]
    elsewhere = [f"{many(report.against)} texts given to compare with"] if report.against else []
    if report.index is not None:
        elsewhere.append(f"{many(report.index['before'])} of index {report.index['name']}")
    told = {
        "kept": (report.kept, ""),
        "exact": (report.exact, "the same words and numerals as an earlier row"),
        "near": (report.near, f"similarity of at least {report.threshold:g} to a kept row"),
        "invalid": (report.invalid, counts(report.faults)),
    }
    width = max(len(many(count)) for count, _ in told.values())
    lines += [f"{name:8} {many(count):>{width}}  {what}".rstrip() for name, (count, what) in told.items()]
    if elsewhere:
        lines += ["", f"also compared with {' and '.join(elsewhere)}"]
    lines += ["", *(f"{name:10} {path}" for name, path in reversed(report.files.items()))]
    if not report.files:
        lines.append("dry run: nothing was written")
    write("\n".join(lines + [f"warning: {note}" for note in report.notes]))
    if explain:
        _print_collisions(report)


def apart(text: str, earlier: str) -> tuple[str, str]:
    """Return two texts, short enough for a table, from a little before the first place where they differ."""
    pairs = zip(text, earlier, strict=False)
    same = next((at for at, (one, other) in enumerate(pairs) if one != other), 0)
    begin = max(same - BEFORE, 0) if same > SHOWN // 2 else 0
    first, second = (
        ("…" if begin else "") + short(one[begin:], SHOWN - 1 if begin else SHOWN) for one in (text, earlier)
    )
    return first, second


def _print_collisions(report: Report) -> None:
    from rich.table import Table
    from rich.text import Text

    total = report.exact + report.near
    if not total:
        write("\nno repeats")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("row", "repeats", "similarity"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("its text, and the earlier one", ratio=1)
    for one in report.collisions:
        earlier = f"row {one['of']}" if one["source"] is None else f"{one['source']}, row {one['of']}"
        texts = "\n".join(apart(one["text"], one["earlier"]))
        similarity = "exact" if one["kind"] == "exact" else f"{one['similarity']:.3f}"
        table.add_row(str(one["row"]), Text(short(earlier, 40)), similarity, Text(texts))
    console = out()
    console.print()
    console.print(table)
    if total > len(report.collisions):
        where = report.files.get("duplicates")
        rest = f"all of them in {where}" if where else "a run without --dry-run writes all of them"
        write(f"{many(len(report.collisions))} of {many(total)} repeats; {rest}")
