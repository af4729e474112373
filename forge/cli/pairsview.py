"""Prints the audit of pairs: the table, the criteria, and the failing pairs with what differs between marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from forge.cli.console import clean, short
from forge.cli.figures import many, ratio
from forge.pairs.audit import PAPER, Figures

if TYPE_CHECKING:
    from rich.console import Console

    from forge.pairs.quartet import ClauseSummary
    from forge.session.pairaudit import Failing, Report

NAMED = 20
"""So many rows that are no pairs are named one by one."""
# Marks as in word-wise diffs, so that they are there without colours too.
_MARKS = {"active": ("[-", "-]", "bold red"), "removed": ("{+", "+}", "bold green")}


def print_report(report: Report, console: Console, show: int) -> None:
    """Print what an audit found.

    Args:
        show: how many failing pairs to print.
    """
    n = report.summary.n
    head = f"{short(report.source, 80)}: n = {many(n)} pair{'' if n == 1 else 's'}"
    if report.rejected:
        head += f"; {many(len(report.rejected))} left out, no pair"
    console.print(Text(head, "bold"))
    console.print(_table(report))
    gate = report.gate
    console.print(_met(report, f"gate: words ≤ {gate.max_words}, similarity ≥ {gate.min_similarity:g}, "
                               f"token edits ≤ {gate.max_token_edits}, spans {_spans(gate.max_spans)}", "gate"))  # fmt: skip
    console.print(_met(report, f"published criterion: words ≤ {PAPER.max_words}, similarity ≥ "
                               f"{PAPER.min_similarity:.2f} (Core-100, appendix C)", "paper"))  # fmt: skip
    if (gate.max_words, gate.min_similarity) != (PAPER.max_words, PAPER.min_similarity):
        console.print(_met(report, "the gate's words and similarity", "both"))
    if report.clauses is not None:
        _clauses(report.clauses, console)
    shown = report.failing[:show]
    if report.failing:
        rest = f", {many(len(shown))} shown (--show N)" if len(shown) < len(report.failing) else ""
        console.print(Text(f"\n{many(len(report.failing))} failing{rest}", style="bold"))
    for one in shown:
        _failing(one, console)


_CLAUSES = (
    ("added", "each adds one clause, nothing else"),
    ("place", "both in one place"),
    ("words", "at most one word apart"),
    ("length", "at most 25 % of characters apart"),
    ("shape", "begin and end alike"),
    ("all", "all of these"),
)


def _clauses(found: ClauseSummary, console: Console) -> None:
    """Print how the clauses that tell match those that matter for nothing (Core-100, appendix C, rule 4)."""
    head = f"\nexplicit clause against salience control: n = {many(found.n)}"
    if found.words is not None and found.length is not None:
        head += f"; words apart {ratio(found.words[0])} on average, {found.words[1]} at most"
        head += f"; characters {100 * found.length[0]:.1f} %, {100 * found.length[1]:.1f} % at most"
    console.print(Text(head, "bold"))
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for name, words in _CLAUSES:
        table.add_row(words, f"{many(found.met[name])} of {many(found.n)}")
    console.print(table)


def warn(report: Report) -> Iterator[str]:
    """Yield a line for each row that is no pair, the first of them, and a count of the others."""
    for one in report.rejected[:NAMED]:
        yield f"warning: {one.where}: {one.reason}"
    if len(report.rejected) > NAMED:
        yield f"warning: {many(len(report.rejected) - NAMED)} more are no pairs; --json names them all"
    if report.rejected and not report.summary.n:
        yield "warning: nothing was audited; --map says what the fields are called, such as --map active=trap"


def _table(report: Report) -> Table:
    found, gate = report.summary, report.gate
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("")
    for name in ("mean", "median", "min/max", "limit", "within"):
        table.add_column(name, justify="right", no_wrap=True)
    within = {name: _share(report, name) for name in ("words", "similarity", "token_edits", "spans")}
    middle = "–" if found.median_token_edits is None else f"{found.median_token_edits:g}"
    table.add_row("words", *_figures(found.words), f"≤ {gate.max_words}", within["words"])
    table.add_row("similarity, indel", *_figures(found.indel), "", "")
    table.add_row("similarity, difflib", *_figures(found.difflib), "", "")
    table.add_row("similarity, lower", *_figures(found.similarity), f"≥ {gate.min_similarity:g}", within["similarity"])
    table.add_row("token edits", *_figures(found.token_edits, middle), f"≤ {gate.max_token_edits}",
                  within["token_edits"])  # fmt: skip
    table.add_row("spans", *_figures(found.spans), _spans(gate.max_spans), within["spans"])
    return table


def _spans(most: int) -> str:
    return "= 1" if most == 1 else f"1 to {most}"


def _figures(figures: Figures, middle: str = "") -> tuple[str, str, str]:
    worst = str(figures.worst) if isinstance(figures.worst, int) else ratio(figures.worst)
    return ratio(figures.mean), middle, worst


def _share(report: Report, criterion: str) -> str:
    """Write a share with its counts, never rounded up to the whole."""
    n, met = report.summary.n, report.summary.met[criterion]
    if not n:
        return "–"
    per_mille = 1000 * met // n
    return f"{many(met)} of {many(n)} ({per_mille / 10:.1f} %)"


def _met(report: Report, what: str, criterion: str) -> Text:
    return Text(f"{what}: {_share(report, criterion)}")


def _failing(one: Failing, console: Console) -> None:
    console.print(Text(clean(f"\n{short(one.pair.id, 60)}  {short(one.pair.where, 200)}"), style="bold"))
    for reason in (*(failure.reason for failure in one.failures), *one.findings):
        console.print(Padding(Text(clean(reason), style="yellow"), (0, 0, 0, 2)))
    for name, text, bounds in (
        ("active", one.pair.active, [place.active_chars for place in one.places]),
        ("removed", one.pair.removed, [place.removed_chars for place in one.places]),
    ):
        console.print(Padding(Text(f"{name}:", style="dim"), (0, 0, 0, 2)))
        console.print(Padding(_marked(text, bounds, *_MARKS[name]), (0, 0, 0, 4)))


def _marked(text: str, bounds: Sequence[tuple[int, int]], left: str, right: str, style: str) -> Text:
    """Return a text with stretches of it between marks; where nothing stands there is nothing to mark."""
    marked = Text()
    at = 0
    for start, end in bounds:
        if start < end:
            marked.append(clean(text[at:start]))
            marked.append(f"{left}{clean(text[start:end])}{right}", style=style)
            at = end
    marked.append(clean(text[at:]))
    return marked
