"""Prints one item for a person: the pair with its edit, the certificate, the cause, and the answers behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from forge.cli.console import clean, short
from forge.cli.ending import CAUSES, overlap
from forge.cli.figures import counts, ratio
from forge.cli.itemrows import overlapping, row_of
from forge.text.edits import compare

if TYPE_CHECKING:
    from rich.console import Console

ANSWER = 300
_EXPLAINED = (("trap_core", "Trap core"), ("ground_truth", "A good answer"), ("constraint", "Constraint"))
"""Texts of a family's own item that explain it, with their titles."""


def show(
    item: Mapping[str, Any],
    candidate: Mapping[str, Any] | None,
    tree: Mapping[str, Any],
    console: Console,
    *,
    full: bool = False,
) -> None:
    """Print the item.

    Args:
        item: as `Registry.item` gives it.
        candidate, tree: its candidate, and the tree it stands in.
        full: print answers whole.
    """
    mark = overlap({"overlap": overlapping([row_of(item)])})
    style = "bold red" if item["tier"] == "strong" else "bold yellow"
    head = Text.assemble((item["id"], "bold"), "  ", (item["label"], style), f" ({item['tier']})  cause ")
    head.append(item["cause"], style="bold")
    head.append(f"  score {item['score']:.0f}")
    head.append(mark, style="bold red")
    console.print(head)
    console.print(Text(clean(f"{item['family']}/{item['set']} · {item['dimension']} · seed {item['seed']}"), "dim"))
    if item.get("duplicate_of"):
        console.print(Text(f"repeats {item['duplicate_of']}, similarity {item['duplicate_similarity']:.3f}", "magenta"))
    trap, control, edits = marked(item["text"], item["control"])
    titles = ("Active", "Removed") if "removed_text" in item["payload"] else ("Trap", "Control")
    for title, text in zip(titles, (trap, control), strict=True):
        _section(console, title, text)
    console.print(Text("  edit: " + "; ".join(f"{a or '∅'} → {b or '∅'}" for a, b in edits), style="dim"))
    for name, title in _EXPLAINED:
        if isinstance(item["payload"].get(name), str):
            _section(console, title, Text(clean(item["payload"][name])))
    _certificate(console, item["certificate"])
    _lineage(console, item["lineage"], tree["candidates"])
    if candidate is not None:
        _verdicts(console, candidate)
        _answers(console, candidate["trials"], full)


def marked(trap: str, control: str) -> tuple[Text, Text, list[tuple[str, str]]]:
    """Return both texts with what differs marked, and the differences as (trap's words, control's words)."""
    spans = compare(trap, control).spans
    left, right = trap.split(), control.split()
    edits = [(" ".join(left[s.a_start : s.a_end]), " ".join(right[s.b_start : s.b_end])) for s in spans]
    cut = [(_bare(a), _bare(b)) for a, b in edits]
    return (
        _painted(left, [(s.a_start, s.a_end) for s in spans], "bold red"),
        _painted(right, [(s.b_start, s.b_end) for s in spans], "bold green"),
        cut,
    )


def _bare(words: str) -> str:
    return clean(words).strip(".,;:!?")


def _painted(words: Sequence[str], spans: Sequence[tuple[int, int]], style: str) -> Text:
    text = Text()
    for n, word in enumerate(words):
        inside = any(start <= n < end for start, end in spans)
        text.append((" " if n else "") + clean(word), style=style if inside else "")
    return text


def _section(console: Console, title: str, text: Text) -> None:
    console.print(Text(f"\n{title}", style="bold"))
    console.print(Padding(text, (0, 0, 0, 2)))


def _certificate(console: Console, certificate: Mapping[str, Any]) -> None:
    stable = f"{certificate['stable']}/{certificate['samples']} fresh samples failed again"
    interval = f"95 % interval {certificate['low']:.2f} to {certificate['high']:.2f} (Clopper-Pearson)"
    console.print(Text("\nCertificate", style="bold"))
    console.print(f"  {stable}, {interval}")
    console.print(f"  cause {certificate['cause']}: {CAUSES.get(certificate['cause'], '')}")
    console.print(f"  probe: the solver knows the facts: {certificate['knows']} (a coin gets yes in 1 of 16)")
    console.print(
        clean(
            f"  solver {certificate['solver']} at temperature {certificate['temperature']:g}, "
            f"read by {certificate['judge']}, answered by {', '.join(certificate['answered_by'])}"
        )
    )
    table = Table.grid(padding=(0, 2, 0, 0))
    for condition, found in certificate["counts"].items():
        table.add_row(f"    {condition}", counts(found))
    console.print(table)


def _lineage(console: Console, lineage: Sequence[str], candidates: Sequence[Mapping[str, Any]]) -> None:
    known = {one["id"]: one for one in candidates}
    console.print(Text("\nLineage", style="bold"))
    for key in lineage:
        made = known.get(key)
        told = f"{made['operator']}  {short(made['text'], max(console.width - 40, 20))}" if made else ""
        console.print(Text(f"  {key}  {told}", overflow="ellipsis", no_wrap=True))


def _verdicts(console: Console, candidate: Mapping[str, Any]) -> None:
    if not candidate["verdicts"]:
        return
    console.print(Text("\nChecks", style="bold"))
    for verdict in candidate["verdicts"]:
        console.print(Text("  " + verdict_line(verdict), overflow="ellipsis", no_wrap=True))


def verdict_line(verdict: Mapping[str, Any]) -> str:
    """Return one line for a checker's verdict."""
    grade = f" {verdict['grade']}" if verdict["grade"] else ""
    score = f" {ratio(verdict['score'], 1)}" if verdict["score"] is not None else ""
    reason = f": {short(verdict['reason'], 160)}" if verdict["reason"] else ""
    return clean(f"{verdict['check']} {'passed' if verdict['passed'] else 'rejected'}{grade}{score} "
                 f"by {verdict['by']}{reason}")  # fmt: skip


def _answers(console: Console, trials: Sequence[Mapping[str, Any]], full: bool) -> None:
    console.print(Text("\nAnswers", style="bold"))
    same: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for trial in trials:
        same.setdefault((trial["condition"], trial["label"], trial["response"]), []).append(trial)
    for group in same.values():
        trial = group[0]
        what = trial["label"] or f"unreadable: {trial['unreadable']}"
        cut = " (cut)" if trial["cut"] or trial["response_cut"] else ""
        samples = ", ".join(f"#{one['sample']}" for one in group)
        console.print(Text.assemble((f"  {trial['condition']} {samples}  ", "dim"), (what, "bold"), cut))
        if trial["evidence"]:
            console.print(Padding(Text(f"evidence: “{short(trial['evidence'], 160)}”", style="cyan"), (0, 0, 0, 4)))
        text = clean(trial["response"]) if full else short(trial["response"], ANSWER)
        console.print(Padding(Text(text or "(empty)", style="dim"), (0, 0, 0, 4)))
