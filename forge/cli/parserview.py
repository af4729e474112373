"""Prints the audit of the reader of forced choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from forge.cli.console import clean, short
from forge.cli.figures import counts, ratio

if TYPE_CHECKING:
    from rich.console import Console


def print_parser(found: Mapping[str, Any], console: Console) -> None:
    """Print agreement, what was read for what, and every disagreement."""
    low, high = found["interval"]
    told = f" ({counts(found['reasons'])})" if found["reasons"] else ""
    console.print(f"n {found['n']} · agreement {ratio(found['agreement'])} [{low:.3f}, {high:.3f}] "
                  f"· unreadable {found['unreadable']}{told}")  # fmt: skip
    console.print(_confusion(found["confusion"]))
    every = found["disagreements"]
    if every:
        console.print(Text(f"\n{len(every)} disagreement{'s' if len(every) != 1 else ''}", style="bold"))
    for one in every:
        read = one["read"] or f"unreadable ({one['reason']})"
        console.print(
            Text(clean(f"line {one['line']}: expected {one['expected'] or 'none'}, read {read}"), style="bold")
        )
        words = one["evidence"]["text"]
        if words:
            console.print(Padding(Text(short(f"evidence: “{words}”", 200), style="cyan"), (0, 0, 0, 2)))
        console.print(Padding(Text(short(one["response"], 400), style="dim"), (0, 0, 0, 2)))


def _confusion(rows: Mapping[str, Mapping[str, int]]) -> Table:
    columns = sorted(
        {name for counted in rows.values() for name in counted} | set(rows), key=lambda name: (len(name), name)
    )
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("labelled \\ read")
    for name in columns:
        table.add_column(name, justify="right")
    for label in (name for name in columns if name in rows):
        table.add_row(label, *(str(rows[label].get(name, 0) or "·") for name in columns))
    return table
