"""`forge runs`: list and show the runs of this workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from forge.cli.console import clean, out, say, write_json
from forge.cli.house import Call, Group, json_option, pass_call

if TYPE_CHECKING:
    from forge.registry.rows import RunRow
    from forge.session import Session


@click.group("runs", cls=Group)
def command() -> None:
    """List and show the runs of this workspace."""


@command.command("list")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the newest N.")
@json_option
@pass_call
def list_runs(call: Call, limit: int | None, as_json: bool) -> None:
    """List all runs, the newest last."""
    found = call.session().registry.runs()
    if limit is not None:
        found = found[-limit:]
    if as_json:
        write_json([document(run) for run in found])
        return
    if not found:
        say("no runs yet: forge anneal --seed-set NAME makes one")
        return
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for name in ("run", "set", "profile", "seeds", "items", "calls", "usd", "took"):
        justify = "right" if name in ("items", "calls", "usd") else "left"
        table.add_column(name, justify=justify, no_wrap=name in ("run", "took"))  # type: ignore[arg-type]
    for run in found:
        table.add_row(*_cells(run))
    out().print(table)


@command.command("show")
@click.argument("run")
@json_option
@pass_call
def show_run(call: Call, run: str, as_json: bool) -> None:
    """Show one run: its seeds, items, causes and figures.

    RUN is a run's id, the unique beginning of one, or `last`.
    """
    session = call.session()
    row = session.registry.run(resolve(session, run))
    if as_json:
        write_json({**document(row), "settings": row.settings, "summary": row.summary})
        return
    from forge.cli import ending

    console = out()
    console.print(clean(f"{row.id}: {row.command} {row.seed_set}, profile {row.profile}, draw {row.draw}"))
    if row.summary is not None and row.command not in ("anneal", "scale"):
        console.print(clean(_came_to(row.command, row.summary)))
        if "set" in row.summary:
            console.print(f"next: forge pairs show {row.summary['set']}", style="dim")
        return
    if row.summary is not None:
        from forge.cli import scaleview

        shown = scaleview if row.command == "scale" else ending
        shown.report(row.summary, console)
        ending.print_next(shown.next_steps(row.summary, _command(row)), console)
        return
    console.print("it has not ended: it runs still, or it was killed; these seeds have ended so far")
    for seed in session.registry.seeds(row.id):
        console.print(clean(f"  {seed['seed']}: {seed['state']}: {seed['reason']}"))


def resolve(session: Session, name: str, command: str | None = None) -> str:
    """Return the run that `last`, or the unique beginning of an id, means.

    Args:
        command: `last` is the last run of this command; None: of any.

    Raises:
        UsageError: there is none, or more than one.
    """
    from forge.model.errors import UsageError

    if name != "last":
        return session.registry.run(name).id
    runs = [run for run in session.registry.runs() if command in (None, run.command)]
    if not runs:
        raise UsageError("there is no run yet", where=str(session.workspace.registry), fix="forge anneal makes one")
    return runs[-1].id


def document(run: RunRow) -> dict[str, Any]:
    """Return a run as JSON values, without its settings."""
    summary = run.summary or {}
    return {
        "run": run.id,
        "command": run.command,
        "seed_set": run.seed_set,
        "family": run.family,
        "profile": run.profile,
        "draw": run.draw,
        "started": run.started.isoformat(),
        "ended": run.ended.isoformat() if run.ended else None,
        "forge": run.forge,
        "seeds": summary.get("seeds"),
        "items": len(summary["items"]) if "items" in summary else None,
        "calls": summary.get("calls"),
        "usd": summary.get("usd"),
        "seconds": summary.get("seconds"),
        "stopped": summary.get("stopped"),
        "overlap": summary.get("overlap", []),
    }


def _cells(run: RunRow) -> list[str]:
    from forge.cli.figures import dollars, duration, many

    about = [run.id, run.seed_set, run.profile]
    if run.summary is None:
        return [*map(clean, about), "not ended", "", "", "", ""]
    summary = run.summary
    asked, usd = summary.get("calls", {"made": 0, "replayed": 0}), summary.get("usd", 0.0)
    calls = many(asked["made"] + asked["replayed"])
    return [
        *map(clean, about),
        _came_to(run.command, summary),
        str(len(summary["items"])) if "items" in summary else "",
        calls,
        dollars(usd) if usd is not None else "unknown",
        duration(summary.get("seconds", 0.0)),
    ]


def _came_to(command: str, summary: dict[str, Any]) -> str:
    if command == "scale":
        return f"{summary['accepted']} of {summary['wanted']} accepted"
    if "seeds" not in summary:
        out = sum(summary.get("excluded", {}).values())
        return f"{summary.get('scenarios', 0)} scenarios, {out} excluded"
    counts = summary["seeds"]
    states = ", ".join(f"{counts[name]} {name}" for name in counts if name != "total" and counts[name])
    return f"{states} [overlap]" if summary.get("overlap") else states


def _command(run: RunRow) -> str:
    draw = f" --draw {run.draw}" if run.draw else ""
    if run.command == "scale" and run.summary is not None:
        about = run.summary
        who = f"--profile {run.profile}" if about["profile"] else "--no-model"
        return f"forge scale --seed-set {run.seed_set} -n {about['wanted']} --proposer {about['proposer']} {who}{draw}"
    return f"forge {run.command} --seed-set {run.seed_set} --profile {run.profile}{draw}"
