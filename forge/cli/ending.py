"""Prints what a run came to, from its summary document: seeds, items, causes, chance, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from forge.cli.console import clean, short
from forge.cli.figures import dollars, duration, many, percent
from forge.cli.live import STATE_STYLES

if TYPE_CHECKING:
    from rich.console import Console

CAUSES = {
    "salience": "it knows the fact, is right when told and on the control, and fails the trap",
    "ignorance": "it does not know the fact: this failure says nothing about salience",
    "compliance": "it goes along even when the fact is spelled out",
    "incapacity": "it fails the control too: the task itself is too hard",
    "position": "it answers by position, not by content",
    "unclear": "the diagnosis does not point one way",
}
CERTIFIED = "Certified means a stable failure. Only cause salience shows that the solver knew better."


def report(document: Mapping[str, Any], console: Console) -> None:
    """Print the tables of a summary, as `Summary.document` gives it."""
    console.print(Text.assemble(("Seeds", "bold"), f"  {_states(document['seeds'])}", (overlap(document), "bold red")))
    console.print(_seeds(document))
    if document["items"]:
        console.print()
        read = f"  read by {document.get('reader', '?')}, scope {document.get('scope', '?')}"
        console.print(Text.assemble(("Items", "bold"), (read, "dim"), (overlap(document), "bold red")))
        items(document["items"], console)
        console.print()
        console.print(Text.assemble(("Causes", "bold"), (overlap(document), "bold red")))
        console.print(_causes(document))
        console.print(CERTIFIED)
    console.print()
    for line in figures(document):
        console.print(line)


def overlap(document: Mapping[str, Any]) -> str:
    """Return the mark that every table bears when the judge is the solver, else nothing."""
    shared = document.get("overlap") or []
    return f"  [overlap: judge and solver are {', '.join(shared)}]" if shared else ""


def items(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print items, two lines each: figures, then the wording."""
    width = console.width
    console.print(Text(f"{'id':<15}{'label':<24}{'cause':<12}{'stable':<17}{'score':>7}", style="dim"))
    for row in rows:
        low, high = row["interval"]
        stable = f"{row['stable']} [{low:.2f}, {high:.2f}]"
        line = Text.assemble(
            f"{row['id']:<15}",
            (f"{row['label']:<24}", "red" if row["tier"] == "strong" else "yellow"),
            (f"{row['cause']:<12}", "bold" if row["cause"] == "salience" else ""),
            f"{stable:<17}",
            f"{row['score']:>7.0f}",
        )
        if row.get("duplicate_of"):
            line.append(f"  duplicate of {row['duplicate_of']}", style="magenta")
        console.print(line, soft_wrap=True)
        about = f"  {row['seed']} · {row['tier']} · {row['operator']} · "
        console.print(Text.assemble((about, "dim"), short(row["text"], max(width - len(about), 20))), soft_wrap=True)


def figures(document: Mapping[str, Any]) -> list[str]:
    """Return the lines of figures: calls, money, time, calls per item, and what chance would have given."""
    calls, chance = document["calls"], document.get("chance") or {}
    usd = document.get("usd")
    lines = [
        f"calls: {many(calls['made'])} made, {many(calls['replayed'])} replayed · {dollars(usd)} · "
        f"{duration(document['seconds'])}"
    ]
    if document.get("calls_per_item") is not None:
        lines.append(f"calls per certified item: {document['calls_per_item']:.1f}")
    if chance.get("failure_rate") is not None:
        tried = chance["tried"]
        lines.append(
            f"chance: {percent(chance['failure_rate'], 1)} of {chance['trials']} selection trials failed; of {tried} "
            f"certification{'s' if tried != 1 else ''} tried, a solver failing at random at that rate would have "
            f"passed {chance['expected_certificates']:.1f}; {len(document['items'])} passed"
        )
        lines.append("probe: a coin that answers yes or no would be said to know in 1 of 16")
    lines += (document.get("measures") or {}).get("lines") or []
    if document.get("selection") == "coverage":
        lines.append("selection coverage: sets of pairs take the seeds' own wordings, whatever the solver answered")
    return lines


def next_steps(document: Mapping[str, Any], command: str) -> list[str]:
    """Return what to do next, as commands.

    Args:
        command: the command line that made the run.
    """
    steps = []
    if document["seeds"]["pending"]:
        steps.append(f"{command}    takes up the pending seeds; what was answered replays free")
    if document["items"]:
        best = max(document["items"], key=lambda row: row["score"])
        steps.append(f"forge items show {best['id']}    the pair, its certificate and what the model answered")
        steps.append(f"forge items tree {best['seed']}    every wording that was tried, and why it went where")
    elif ended := [one["seed"] for one in document["ends"] if one["state"] != "pending"]:
        steps.append(f"forge items tree {ended[0]}    every wording that was tried, and why it went where")
    if not document["seeds"]["pending"]:
        steps.append(f"forge replay {document['run']}    grow it again from its answers alone")
    return steps


def print_next(steps: Sequence[str], console: Console) -> None:
    """Print the next steps, aligned."""
    console.print()
    console.print(Text("Next", style="bold"))
    pairs = [step.partition("    ") for step in steps]
    widest = min(max((len(left) for left, _, _ in pairs), default=0), 46)
    for left, _, right in pairs:
        # A command stays on one line, to be copied whole.
        console.print(Text.assemble((f"  {clean(left):<{widest}}", "cyan"), (f"  {right}", "dim")), soft_wrap=True)


def _states(states: Mapping[str, int]) -> str:
    return ", ".join(f"{states[name]} {name}" for name in STATE_STYLES if states[name]) + f" of {states['total']}"


def _seeds(document: Mapping[str, Any]) -> Table:
    counts: dict[str, int] = {}
    for row in document["items"]:
        counts[row["seed"]] = counts.get(row["seed"], 0) + 1
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for name in ("seed", "state", "items", "grade", "reason"):
        table.add_column(name, no_wrap=name in ("state", "items", "grade"), overflow="fold")
    for one in document["ends"]:
        table.add_row(
            clean(one["seed"]),
            Text(one["state"], style=STATE_STYLES.get(one["state"], "")),
            str(counts.get(one["seed"], "")),
            clean(one["grade"] or ""),
            Text(short(one["reason"], 300), style="dim"),
        )
    return table


def _causes(document: Mapping[str, Any]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("cause")
    table.add_column("n", justify="right")
    table.add_column("share", justify="right")
    table.add_column("what it means")
    total = sum(document["causes"].values())
    for cause, count in document["causes"].items():
        table.add_row(
            Text(cause, style="bold" if cause == "salience" else ""),
            str(count),
            percent(count, total),
            CAUSES.get(cause, ""),
        )
    return table
