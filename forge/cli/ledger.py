"""`forge ledger`: what the store of model answers holds."""

from __future__ import annotations

from dataclasses import asdict

import click

from forge.cli.console import clean, out, say, write_json
from forge.cli.house import Call, Group, json_option, pass_call


@click.group("ledger", cls=Group)
def command() -> None:
    """Say what the store of model answers holds."""


@command.command("stats")
@json_option
@pass_call
def stats(call: Call, as_json: bool) -> None:
    """Count answers, tokens and dollars by role and model."""
    from forge.llm.ledger import Ledger, LedgerStats

    path = call.session().workspace.ledger
    found = LedgerStats((), 0)
    if path.exists():
        ledger = Ledger(path, readonly=True)
        try:
            found = ledger.stats()
        finally:
            ledger.close()
    unpriced = sum(row.unpriced for row in found.rows)
    if as_json:
        write_json({"path": str(path), "answers": found.answers, "usd": found.usd, "unpriced": unpriced,
                    "bytes": found.bytes, "rows": [asdict(row) for row in found.rows]})  # fmt: skip
        return
    if not found.rows:
        say(f"no answers yet in {path}")
        return
    from rich.table import Table

    from forge.cli.figures import dollars, many, size, thousands

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for name in ("role", "declared", "answered by", "answers", "prompt", "reply", "cached", "cut", "usd", "unpriced"):
        justify = "left" if name in ("role", "declared", "answered by") else "right"
        table.add_column(name, justify=justify, overflow="fold")  # type: ignore[arg-type]
    for row in found.rows:
        table.add_row(row.role, clean(row.declared), clean(row.model), many(row.answers), thousands(row.prompt),
                      thousands(row.completion), thousands(row.cached), str(row.cut),
                      "unknown" if row.unpriced == row.answers else dollars(row.usd), str(row.unpriced))  # fmt: skip
    console = out()
    console.print(table)
    paid = dollars(found.usd) if unpriced < found.answers else "unknown price"
    note = f" and {many(unpriced)} answers of unknown price" if 0 < unpriced < found.answers else ""
    console.print(f"{many(found.answers)} answers, {paid}{note}, {size(found.bytes)} in {path}", soft_wrap=True)
