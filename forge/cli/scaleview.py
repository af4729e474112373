"""Prints what `forge scale` came to, from its summary document: coverage, filters, needs, and what was thrown away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from forge.cli.console import clean, short
from forge.cli.figures import dollars, duration, many, percent
from forge.grow.scaling.filters import TITLES

if TYPE_CHECKING:
    from rich.console import Console

    from forge.session.scaleplan import ScalePlan

_REASONS = {**TITLES, "viability": "graded below A-", "invalid": "no valid seed"}


def report(document: Mapping[str, Any], console: Console, *, explain: bool = False) -> None:
    """Print the tables of a summary."""
    wanted, accepted = document["wanted"], document["accepted"]
    style = "bold green" if accepted == wanted else "bold yellow"
    console.print(Text.assemble((f"Accepted {accepted} of {wanted}", style), f"  {_voiced(document)}"))
    if accepted < wanted and document["ended"] == "used up":
        console.print(_why_few(document))
    console.print()
    console.print(Text("Filters", style="bold"))
    console.print(_filters(document))
    console.print()
    console.print(Text.assemble(("Coverage", "bold"), ("  seeds by niche: all, and new ones in brackets", "dim")))
    console.print(coverage(document["coverage"]))
    console.print()
    _needs(document, console)
    for one in document["viral"]:
        console.print(
            Text.assemble(
                (f"viral {one['seed']}", "magenta"),
                f" is {one['similarity']:.2f} similar to {one['published']}: {short(one['source'], 90)}",
            )
        )
    if explain:
        _explain(document, console)
    calls = document["calls"]
    console.print(
        f"calls: {many(calls['made'])} made, {many(calls['replayed'])} replayed · {dollars(document['usd'])} · "
        f"{duration(document['seconds'])} · {document['waves']} waves"
    )
    if document["file"]:
        console.print(f"written: {document['file']}", soft_wrap=True)


def _voiced(document: Mapping[str, Any]) -> str:
    if document["profile"] is None or not document["accepted"]:
        return "in the table's own wording" if document["accepted"] else ""
    if document["proposer"] == "model":
        return "proposed by a model"
    return f"{document['voiced']} worded by a model, the others as the table has them"


def _why_few(document: Mapping[str, Any]) -> str:
    if document["proposer"] == "compose":
        return "The table is used up: add rows to it, or raise scaling.need_share."
    return "The last waves brought nothing new: look at --explain, and at the niches."


def _filters(document: Mapping[str, Any]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for title, justify in (("filter", "left"), ("rejected", "right"), ("what it looks at", "left")):
        table.add_column(title, justify=justify)  # type: ignore[arg-type]
    for name, count in document["rejected"].items():
        shown = f"{len(document['viral'])} tagged" if name == "f5" else str(count)
        table.add_row(name, Text(shown, style="" if count else "dim"), Text(_REASONS[name], style="dim"))
    table.add_row("", "", "")
    rest = f", {document['surplus']} more were not needed" if document["surplus"] else ""
    table.add_row("proposed", str(document["proposed"]), Text(f"{document['accepted']} accepted{rest}", style="dim"))
    return table


def coverage(grid: Mapping[str, Any]) -> Table:
    """Return the grid of niches as a table: how many seeds there are, and how many of them are new."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(f"{clean(grid['rows']['axis'])} \\ {clean(grid['columns']['axis'])}")
    for name in grid["columns"]["groups"]:
        table.add_column(clean(name), justify="right")
    for name, before, after in zip(grid["rows"]["groups"], grid["before"], grid["after"], strict=True):
        cells = [_cell(old, new) for old, new in zip(before, after, strict=True)]
        table.add_row(clean(name), *cells)
    return table


def _cell(before: int, after: int) -> Text:
    if not after:
        return Text("·", style="red")
    new = after - before
    return Text.assemble(str(after), (f" (+{new})", "green") if new else "")


def _needs(document: Mapping[str, Any], console: Console) -> None:
    needs = document["needs"]
    if not needs:
        return
    total = sum(needs.values())
    top, count = next(iter(needs.items()))
    console.print(
        Text.assemble(
            (f"{len(needs)} distinct needs", "bold"),
            f" behind {total} seeds; the most common, {clean(top)}, holds {percent(count, total)}",
        )
    )
    console.print(Text(short(" · ".join(f"{name} {count}" for name, count in needs.items()), 400), style="dim"))
    console.print()


def _explain(document: Mapping[str, Any], console: Console) -> None:
    if not document["rejections"]:
        console.print("Nothing was rejected.")
        console.print()
        return
    console.print(Text("Rejected", style="bold"))
    for one in document["rejections"]:
        score = "" if one["score"] is None else f" {one['score']:.2f}"
        other = f" with {one['other']}" if one["other"] else ""
        console.print(
            Text.assemble(
                (f"  {one['filter']}{score}", "yellow"), f"  {short(one['name'], 70)}", (other, "cyan"),
                (f"  {short(one['detail'], 160)}", "dim"),
            ),
            soft_wrap=True,
        )  # fmt: skip
    console.print()


def next_steps(document: Mapping[str, Any], command: str) -> list[str]:
    """Return what to do next, as commands."""
    steps = []
    if document["ended"] not in ("enough", "used up"):
        steps.append(f"{command}    goes on; what was answered replays free")
    if document["file"]:
        name = document["seed_set"] + ".scaled"
        steps.append(f"forge seeds show {name}    read them: nobody has yet")
        steps.append(f"forge seeds lint {name}    check them again after you changed any")
        steps.append(f"forge anneal --seed-set {name}    grow them into items")
    if any(document["rejected"].values()):
        asked = command if "--explain" in command.split() else f"{command} --explain"
        steps.append(f"{asked}    what was thrown away, and why; runs/{document['run']}/rejected.jsonl")
    return steps


def plan_document(plan: ScalePlan) -> dict[str, Any]:
    """Return a dry run as JSON values."""
    told = plan.estimate
    return {
        "dry_run": True,
        "seed_set": plan.name,
        "proposer": plan.proposer,
        "wanted": plan.wanted,
        "kept": len(plan.before),
        "combinations": len(plan.composer.options) if plan.composer else None,
        "needs": _option_needs(plan),
        "thresholds": {"f2": plan.limits.f2, "f3": plan.limits.f3, "f5": plan.limits.f5, "slots": plan.limits.slots},
        "published": len(plan.published),
        "estimate": {"calls": told.calls, "tokens": list(told.tokens), "usd": told.usd, "seconds": told.seconds},
        "file": str(plan.target),
    }


def _option_needs(plan: ScalePlan) -> dict[str, int]:
    needs: dict[str, int] = {}
    for option in plan.composer.options if plan.composer else ():
        needs[option.need] = needs.get(option.need, 0) + 1
    return dict(sorted(needs.items(), key=lambda pair: (-pair[1], pair[0])))


def print_plan(plan: ScalePlan, messages: Sequence[Mapping[str, str]], console: Console) -> None:
    """Print a dry run.

    Args:
        messages: what would be sent first.
    """
    document = plan_document(plan)
    if document["combinations"] is not None:
        needs = document["needs"]
        console.print(f"the table holds {document['combinations']} sound combinations on {len(needs)} needs")
        console.print(Text(short(" · ".join(f"{name} {count}" for name, count in needs.items()), 400), style="dim"))
    console.print(
        "thresholds: " + ", ".join(f"{name} {value:g}" for name, value in document["thresholds"].items())
        + f"; held against {document['published']} published items"
    )  # fmt: skip
    console.print(f"would be written: {document['file']}", soft_wrap=True)
    if messages:
        console.print()
        console.print(Text("The first request of the first wave", style="bold"))
    for message in messages:
        console.print(Text(f"[{message['role']}]", style="cyan"))
        console.print(Text(clean(message["content"])), soft_wrap=True)
