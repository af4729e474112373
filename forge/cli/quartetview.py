"""Prints sets of pairs: what a build came to, one scenario in all its conditions, the exclusion ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from forge.cli.console import clean, short, write
from forge.cli.figures import many
from forge.model.scenarios import Exclusion, PairSet, Scenario
from forge.text.edits import compare

if TYPE_CHECKING:
    from rich.console import Console

    from forge.pairs.build import Share
    from forge.session.pairbuild import Built

_SHORT = 12
"""Digits of a digest that people are shown."""


def print_built(built: Built, console: Console) -> None:
    """Print what a build came to, and what to do next."""
    made = built.made
    console.print(_head(made))
    console.print(_shares(built.shares))
    if built.stale:
        said = f"{many(built.stale)} item{'s' if built.stale != 1 else ''} left out: their seeds have another text now"
        console.print(Text(said, style="yellow"))
    if built.replaced:
        console.print(Text(f"replaces another set of this name ({built.replaced[:_SHORT]})", style="yellow"))
    if made.exclusions:
        print_ledger(made.name, made.exclusions, console)
    console.print(Text(f"\nnext: forge pairs audit {made.name}; forge ratings assign {made.name} --out DIR", "dim"))


def print_sets(found: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print the sets of pairs, one a line."""
    if not found:
        write("no sets of pairs yet: forge pairs build --seed-set core")
        return
    rows = [("name", "family", "scenarios", "excluded", "rounds", "selection", "order", "digest", "from")]
    for one in found:
        counts = [many(one[key]) for key in ("size", "excluded", "rounds")]
        told = (one["name"], one["family"], *counts, one["selection"], one["order"], one["digest"][:_SHORT])
        rows.append((*told, short(one["source"], 200)))
    # Lines as long as they need to be: a name that is cut or folded cannot be copied.
    widths = [max(len(row[column]) for row in rows) for column in range(8)]
    for row in rows:
        write("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[8]]))


def print_set(made: PairSet, console: Console) -> None:
    """Print a set's head and its scenarios, one a line with the edit that tells trap from control."""
    console.print(_head(made))
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for name in ("cell", "scenario", "domain", "first", "edit"):
        table.add_column(name, no_wrap=name != "edit")
    for one in made.scenarios:
        first = one.options.get(one.first, "both" if one.options else "")
        table.add_row(one.cell, clean(one.id), one.domain, clean(short(first, 30)), _edit(one))
    console.print(table)
    if made.exclusions:
        console.print(Text(f"{many(len(made.exclusions))} excluded: forge pairs show {made.name} --excluded", "dim"))


def print_scenario(one: Scenario, console: Console) -> None:
    """Print one scenario: every condition with what it adds or changes marked, what is right, and why."""
    console.print(Text.assemble((clean(one.id), "bold"), f"  {one.family} · cell {one.cell} · {one.dimension}"))
    told = [one.domain, f"seed {one.seed}", f"author {one.author}", f"selection {one.selection}"]
    told += [f"{piece} by {who}" for piece, who in one.pieces.items()]
    console.print(Text(clean(" · ".join(part for part in told if part)), style="dim"))
    base = next(iter(one.versions.values())).text
    for name, version in one.versions.items():
        gold = one.options.get(version.gold, version.gold)
        console.print(Text.assemble((f"\n{name}", "bold"), "  right: ", (clean(gold), "green")))
        console.print(Padding(_marked(base, version.text), (0, 0, 0, 2)))
        if version.why:
            console.print(Padding(Text(clean(version.why), style="dim"), (0, 0, 0, 2)))
    if one.options:
        order = [one.first, *(label for label in one.options if label != one.first)] if one.first else [*one.options]
        console.print(Text("\noptions" + ("" if one.first else ", in both orders"), style="bold"))
        for letter, label in zip("AB", order, strict=False):
            console.print(Padding(Text(clean(f"{letter}. {one.options[label]}  ({label})")), (0, 0, 0, 2)))
    for name, version in one.gradients.items():
        if version.text == base:
            continue
        console.print(Text.assemble((f"\n{name}", "dim")))
        console.print(Padding(_marked(base, version.text), (0, 0, 0, 2)))


def print_ledger(name: str, rows: Sequence[Exclusion], console: Console) -> None:
    """Print the exclusion ledger: every scenario that is out, with all reasons."""
    if not rows:
        console.print(f"nothing is excluded from {name}")
        return
    counts = Counter(row.stage for row in rows)
    console.print(Text(f"\nexcluded from {name}: " + ", ".join(f"{n} at {one}" for one, n in counts.items()), "bold"))
    for row in rows:
        round_ = f", round {row.round}" if row.round else ""
        console.print(Text.assemble((clean(row.scenario), "bold"), (f"  {row.stage}{round_}", "dim")))
        for reason in row.reasons:
            console.print(Padding(Text(clean(reason), style="yellow"), (0, 0, 0, 2)))


def _head(made: PairSet) -> Text:
    count = len(made.scenarios)
    text = Text.assemble((made.name, "bold"), f": {many(count)} scenario{'' if count == 1 else 's'}")
    if made.exclusions:
        text.append(f", {many(len(made.exclusions))} excluded", style="yellow")
    order = f" · order {made.order}" if any(one.options for one in made.scenarios) else ""
    text.append(f" · {made.family} · selection {made.selection}{order} · digest {made.digest[:_SHORT]}")
    text.append(f" · from {clean(made.source)}")
    return text


def _shares(shares: Sequence[Share]) -> Table:
    labels = list(dict.fromkeys(label for share in shares for label in share.first))
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("cell")
    for name in ("scenarios", *(f"A is {label}" for label in labels)):
        table.add_column(name, justify="right", no_wrap=True)
    for share in shares:
        style = "bold" if share.cell == "all" else ""
        firsts = [str(share.first.get(label, 0)) for label in labels]
        if share.cell == "all" and share.n:
            firsts = [f"{one} ({100 * int(one) / share.n:.1f} %)" for one in firsts]
        table.add_row(share.cell, many(share.n), *firsts, style=style)
    return table


def _edit(one: Scenario) -> str:
    versions = list(one.versions.values())
    if len(versions) < 2:
        return ""
    # With both orders the second condition is the first one again, its options swapped.
    other = next((version for version in versions[1:] if version.text != versions[0].text), versions[0])
    left, right = versions[0].text.split(), other.text.split()
    spans = compare(versions[0].text, other.text).spans
    edits = (
        f"{' '.join(left[s.a_start : s.a_end]) or '∅'} → {' '.join(right[s.b_start : s.b_end]) or '∅'}" for s in spans
    )
    return clean("; ".join(edits))


def _marked(base: str, text: str) -> Text:
    """Return a text with what is not in the first condition underlined."""
    spans = compare(base, text).spans
    new = {place for span in spans for place in range(span.b_start, span.b_end)}
    made = Text()
    for place, word in enumerate(text.split()):
        made.append(" " if place else "")
        made.append(clean(word), style="bold underline" if place in new else "")
    return made
