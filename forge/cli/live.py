"""Draws a LiveModel for a terminal. The model is folded elsewhere; this lays it out, within the screen's height."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from forge.cli.console import short
from forge.cli.figures import bar, counts, dollars, duration, many, percent, roughly, size
from forge.cli.livemodel import LiveModel, SeedRow

STATE_STYLES = {"certified": "bold green", "exhausted": "yellow", "failed": "red", "pending": "magenta"}
# Lines that are not seed rows: title, figures, two of weights, table head, rest line, three counts, retries, notices.
AROUND = 14
NOTICE_SECONDS = 30.0


def draw(model: LiveModel, title: str, now: float, width: int, height: int, stopping: bool = False) -> RenderableType:
    """Return the whole view.

    Args:
        title: set and profile.
        now: monotonic seconds.
        width, height: of the terminal.
    """
    parts: list[RenderableType] = [_title(model, title, width, stopping), _figures(model, now, width)]
    if model.weights is not None:
        parts.append(_weights(model, width))
    parts.append(_seeds(model, width, max(height - AROUND, 3)))
    parts += _counts(model, width)
    parts += _waiting(model, now, width)
    if now - model.noticed < NOTICE_SECONDS:
        parts += [Text(short(notice, width), style="dim") for notice in list(model.notices)[-2:]]
    return Group(*parts)


def _title(model: LiveModel, title: str, width: int, stopping: bool) -> Text:
    line = Text.assemble((short(title, width), "bold"))
    if model.run:
        line.append(f"  {model.run}", style="dim")
    if stopping:
        line = Text.assemble(("stopping: storing what is under way; once more to leave at once", "bold yellow"))
    line.truncate(width, overflow="ellipsis")
    return line


def _figures(model: LiveModel, now: float, width: int) -> Text:
    total = len(model.seeds)
    parts = [f"{duration(now - model.began)}"]
    left = model.seconds_left(now)
    if left is not None:
        parts.append(f"about {roughly(left)} left" if left >= 60 else "under a minute left")
    parts += [f"{model.ended()}/{total} seeds", f"{model.items()} items"]
    parts.append(f"{many(model.made)} calls, {many(model.replayed)} replayed")
    if model.unpriced:
        parts.append("unknown price")
    elif model.usd:
        parts.append(dollars(model.usd))
    rate = model.tokens_per_second(now)
    if rate is not None:
        parts.append(f"{rate:.0f} tokens/s")
    line = Text(" · ".join(parts))
    line.truncate(width, overflow="ellipsis")
    return line


def _weights(model: LiveModel, width: int) -> Text:
    assert model.weights is not None
    weights = model.weights
    if weights.stage == "wait":
        return Text(short(f"weights {weights.model}: waiting for another process that is pulling them", width))
    share = weights.done / weights.total if weights.total else 0.0
    verb = {"check": "checking", "join": "joining"}.get(weights.stage, "fetching")
    speed = f" · {size(weights.rate)}/s" if weights.rate else ""
    left = f" · {duration((weights.total - weights.done) / weights.rate)} left" if weights.rate else ""
    text = f"{size(weights.done)} of {size(weights.total)}{speed}{left} · {weights.source}"
    line = Text.assemble(f"{verb} {weights.model} ", (bar(share, 16), "cyan"), " ", text)
    line.truncate(width, overflow="ellipsis")
    return line


def _seeds(model: LiveModel, width: int, room: int) -> RenderableType:
    rows = list(model.seeds.values())
    shown, hidden = _fit(rows, room)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim", expand=False, width=width)
    name = min(max((len(row.id) for row in rows), default=4), 28 if width >= 96 else 22)
    rest = width - name - 17 - 11 - 9 - 6 - 5
    for title, columns in (("seed", name), ("stage", 17), ("", 10), ("wordings", 8), ("items", 5), ("last", rest)):
        justify = "center" if title in ("wordings", "items") else "left"
        table.add_column(title, width=columns, no_wrap=True, overflow="ellipsis", justify=justify)  # type: ignore[arg-type]
    for row in shown:
        style = STATE_STYLES.get(row.state or "", "" if row.started else "dim")
        last = row.reason if row.state is not None else row.last
        table.add_row(
            Text(short(row.id, name)),
            Text(row.state or row.stage, style=style),
            Text(bar(row.share(model.shape), 10), style=style or "cyan"),
            Text(str(row.wordings) if row.wordings else ""),
            Text(str(row.certified) if row.certified else "", style="green"),
            Text(short(last, max(rest, 1)), style="dim"),
        )
    if not hidden:
        return table
    return Group(table, Text(f"and {len(hidden)} more: {_rest(hidden)}", style="dim"))


def _fit(rows: list[SeedRow], room: int) -> tuple[list[SeedRow], list[SeedRow]]:
    """Return the rows to show, in file order, and those there is no room for: seeds under way come first."""
    if len(rows) <= room:
        return rows, []
    order = sorted(range(len(rows)), key=lambda n: (_rank(rows[n]), n))
    kept = sorted(order[: room - 1])
    return [rows[n] for n in kept], [row for n, row in enumerate(rows) if n not in set(kept)]


def _rank(row: SeedRow) -> int:
    if row.state is None:
        return 0 if row.started else 2
    return 1


def _rest(rows: list[SeedRow]) -> str:
    return counts({state: sum((row.state or "waiting") == state for row in rows) for state in _states(rows)})


def _states(rows: list[SeedRow]) -> list[str]:
    return list(dict.fromkeys(row.state or "waiting" for row in rows))


def _counts(model: LiveModel, width: int) -> list[RenderableType]:
    lines: list[RenderableType] = []
    total = sum(model.causes.values())
    causes = " · ".join(f"{name} {count} ({percent(count, total)})" for name, count in model.causes.most_common())
    if model.refused:
        causes = " · ".join(part for part in (causes, f"not stable {model.refused}") if part)
    for name, text in (("routes", counts(model.routes)), ("labels", counts(model.labels)), ("causes", causes)):
        if text:
            lines.append(Text.assemble((f"{name}  ", "dim"), short(text, width - 8)))
    return lines


def _waiting(model: LiveModel, now: float, width: int) -> list[RenderableType]:
    """One line per endpoint: whoever waits longest speaks for it."""
    by_endpoint: dict[str, list[str]] = {}
    for wait in sorted(model.waiting.values(), key=lambda wait: -wait.until):
        left = max(wait.until - now, 0.0)
        told = f"{wait.kind}, attempt {wait.attempt}, " + (f"again in {left:.0f} s" if left >= 0.5 else "asking again")
        by_endpoint.setdefault(wait.endpoint, []).append(told)
    lines: list[RenderableType] = []
    for endpoint, waits in list(by_endpoint.items())[:2]:
        more = f" (and {len(waits) - 1} more)" if len(waits) > 1 else ""
        lines.append(Text(short(f"retrying {endpoint}: {waits[0]}{more}", width), style="yellow"))
    return lines
