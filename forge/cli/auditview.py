"""Prints what an audit found: per label or guard, and the records where rules and labels part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from forge.cli.console import clean, short
from forge.cli.figures import percent, ratio

if TYPE_CHECKING:
    from rich.console import Console


def print_judge(found: Mapping[str, Any], console: Console, show: int) -> None:
    """Print the audit of a reader."""
    low, high = found["interval"]
    console.print(f"n {found['n']} · kappa {ratio(found['kappa'])} · accuracy {ratio(found['accuracy'])} "
                  f"[{low:.3f}, {high:.3f}] · unreadable {found['unreadable']}")  # fmt: skip
    console.print(_ratios("label", found["labels"]))
    if len(found["conditions"]) > 1:
        table = _table("condition", "n", "kappa", "accuracy", "low", "high", "unreadable")
        for name, part in found["conditions"].items():
            table.add_row(clean(name), str(part["n"]), ratio(part["kappa"]), ratio(part["accuracy"]),
                          *(f"{bound:.3f}" for bound in part["interval"]), str(part["unreadable"]))  # fmt: skip
        console.print(table)
    for one in _head(found["disagreements"], console, show):
        console.print(Text(clean(f"line {one['line']}  {one['seed']}  {one['condition']}: labelled {one['label']}, "
                                 f"read {one['read']}"), style="bold"))  # fmt: skip
        console.print(Padding(Text(short(f"why: {one['why']}", 200), style="cyan"), (0, 0, 0, 2)))
        console.print(Padding(Text(short(one["response"], 400), style="dim"), (0, 0, 0, 2)))


def print_guards(found: Mapping[str, Any], console: Console, show: int) -> None:
    """Print the audit of guards."""
    good, bad = found["good"], found["bad"]
    console.print(f"n {found['n']} · good rewrites rejected {good['rejected']} of {good['n']} "
                  f"({percent(good['rejected'], good['n'])}) · bad ones passed {bad['passed']} of {bad['n']} "
                  f"({percent(bad['passed'], bad['n'])})")  # fmt: skip
    console.print(_ratios("guard", found["guards"]))
    for one in _head(found["disagreements"], console, show):
        told = "; ".join(f"{word} {', '.join(one[word])}" for word in ("missed", "extra") if one[word])
        console.print(Text(clean(f"line {one['line']}  {one['seed']}: {told}"), style="bold"))
        console.print(Padding(Text(short(one["text"], 400), style="dim"), (0, 0, 0, 2)))


def _head(every: list[dict[str, Any]], console: Console, show: int) -> list[dict[str, Any]]:
    shown = every[:show]
    if every:
        rest = f", {len(shown)} shown (--show N)" if len(shown) < len(every) else ""
        console.print(Text(f"\n{len(every)} disagreement{'s' if len(every) != 1 else ''}{rest}", style="bold"))
    return shown


def _ratios(name: str, rows: Mapping[str, Mapping[str, Any]]) -> Table:
    table = _table(name, "n", "precision", "recall")
    for key, row in rows.items():
        table.add_row(clean(key), str(row["n"]), ratio(row["precision"]), ratio(row["recall"]))
    return table


def _table(first: str, *figures: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(first)
    for name in figures:
        table.add_column(name, justify="right")
    return table
