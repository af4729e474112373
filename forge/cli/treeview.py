"""Draws the family tree of a seed: every candidate with its operator, checks, label, route and certificate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text
from rich.tree import Tree

from forge.cli.console import clean, short
from forge.cli.live import STATE_STYLES

if TYPE_CHECKING:
    from rich.console import Console

ROUTE_STYLES = {"certify": "green", "archive": "dim", "anneal": "yellow", "pre_solver_anneal": "yellow"}
SIMILAR = 0.5


def draw(found: Mapping[str, Any], console: Console) -> None:
    """Print the tree.

    Args:
        found: as `Registry.tree` gives it.
    """
    seed = found["seed"]
    state = Text.assemble((clean(seed["seed"]), "bold"), "  ", (seed["state"], STATE_STYLES.get(seed["state"], "")),
                          f"  {short(seed['reason'], 200)}", (f"  {found['run']}", "dim"))  # fmt: skip
    root = Tree(state, guide_style="dim")
    wanted = found["candidate"]
    branches: dict[str, Tree] = {}
    for candidate in found["candidates"]:
        above = branches.get(candidate["parent"] or "", root)
        branches[candidate["id"]] = above.add(_node(candidate, console.width, candidate["id"] == wanted))
    if not found["candidates"]:
        root.add(Text("no wording was made", style="dim"))
    console.print(root)


def _node(candidate: Mapping[str, Any], width: int, wanted: bool) -> Group:
    intensity = f" {candidate['intensity']}" if candidate["intensity"] else ""
    head = Text.assemble(
        (candidate["id"], "bold reverse" if wanted else "bold"), f"  {candidate['operator']}{intensity}"
    )
    if candidate["label"]:
        head.append(f"  {candidate['label']}", style="red" if candidate["failure"] else "cyan")
    head.append(f"  → {candidate['route']}", style=ROUTE_STYLES.get(candidate["route"], ""))
    head.append(f" ({short(candidate['why'], 120)})", style="dim")
    if candidate["score"] is not None:
        head.append(f"  score {candidate['score']:.0f}")
    lines = [head, Text(short(candidate["text"], max(width - 14, 30)))]
    for finding in candidate["findings"]:
        lines.append(Text(f"guard {finding['guard']}: {short(finding['message'], 200)}", style="red"))
    if candidate["verdicts"]:
        lines.append(_verdicts(candidate["verdicts"]))
        rejected = [one for one in candidate["verdicts"] if not one["passed"] and one["reason"]]
        lines += [Text(f"{one['check']}: {short(one['reason'], 200)}", style="red") for one in rejected]
    if candidate["similar_to"] and candidate["similarity"] >= SIMILAR:
        word = "duplicate of" if candidate["duplicate"] else "near" if candidate["near_duplicate"] else "similar to"
        lines.append(Text(f"{word} {candidate['similar_to']} ({candidate['similarity']:.2f})", style="magenta"))
    if certificate := candidate["certificate"]:
        lines.append(_certificate(certificate, candidate["item"]))
    for line in lines:
        line.no_wrap, line.overflow = True, "ellipsis"
    return Group(*lines)


def _verdicts(verdicts: list[Mapping[str, Any]]) -> Text:
    text = Text(style="dim")
    for n, one in enumerate(verdicts):
        text.append(" · " if n else "")
        told = one["grade"] or (f"{one['score']:.1f}" if one["score"] is not None else "")
        text.append(f"{one['check']} {'✓' if one['passed'] else '✗'}{' ' + told if told else ''}",
                    style="" if one["passed"] else "red")  # fmt: skip
    return text


def _certificate(certificate: Mapping[str, Any], item: str | None) -> Text:
    told = f"{certificate['stable']}/{certificate['samples']}"
    if not certificate["passed"]:
        return Text(f"not stable: {told}", style="yellow")
    held = f" → {item}" if item else ""
    return Text(f"certified {told}, cause {certificate['cause']}, knows: {certificate['knows']}{held}", "bold green")
