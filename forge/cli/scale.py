"""`forge scale`: grow a seed set by new seeds."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forge.cli.console import out, say, write_json
from forge.cli.house import Call, Command, json_option, pass_call, profile_option, set_option

if TYPE_CHECKING:
    from forge.session import Session
    from forge.session.scaleplan import ScalePlan
    from forge.session.scalerun import ScaleSummary


@click.command(cls=Command)
@click.option("--seed-set", "seed_set", required=True, metavar="NAME", help="The set to grow: D1, or FAMILY/NAME.")
@click.option(
    "-n", "wanted", type=click.IntRange(min=1, max=100_000), required=True, metavar="N", help="New seeds to accept."
)
@click.option(
    "--proposer",
    type=click.Choice(["compose", "model"]),
    help="compose: from the set's table of ingredients; model: a capable model invents. Default: the profile's.",
)
@click.option("--no-model", is_flag=True, help="Ask no model: composed seeds keep the table's own wording.")
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Items published elsewhere, JSON Lines; seeds close to one are tagged viral. May be repeated.",
)
@profile_option
@click.option(
    "--draw",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Another N draws other numbers and frames, and asks every model anew.",
)
@click.option("--add", is_flag=True, help="Keep the seeds that the file holds, and go on from them.")
@click.option("--force", is_flag=True, help="Write over scaled seeds that were changed by hand.")
@click.option("--all-grades", is_flag=True, help="Promote seeds of viability grades B and C too.")
@click.option("--explain", is_flag=True, help="List what was rejected, by which filter, and what it collided with.")
@set_option
@click.option("--max-usd", type=click.FloatRange(min=0), metavar="X", help="Stop before the run would pass X dollars.")
@click.option("--max-calls", type=click.IntRange(min=1), metavar="N", help="Stop after N calls that are paid for.")
@click.option("--yes", is_flag=True, help="Do not ask, whatever it costs.")
@click.option("--dry-run", is_flag=True, help="Show the estimate and the first wave's plan; send and write nothing.")
@json_option
@pass_call
def command(
    call: Call, seed_set: str, wanted: int, proposer: str | None, no_model: bool, against: tuple[Path, ...],
    profile: str | None, draw: int, add: bool, force: bool, all_grades: bool, explain: bool, settings: tuple[str, ...],
    max_usd: float | None, max_calls: int | None, yes: bool, dry_run: bool, as_json: bool,
) -> None:  # fmt: skip
    """Grow a seed set by new seeds, different from each other and from what is there.

    Seeds are proposed in waves of small batches, each aimed at the emptiest niche; they pass the filters f1 to f5 and
    are graded, and those accepted are written to seeds/FAMILY/NAME.scaled.yaml in the workspace.

    To resume is to run again: every answer is kept and replays free.
    """
    from forge.cli import asking
    from forge.cli.running import terminable

    with terminable():
        session = call.session(profile, settings)
        say(asking.workspace_line(session))
        plan = session.plan_scale(
            seed_set, wanted, proposer=proposer, use_model=not no_model, draw=draw, add=add, force=force,
            all_grades=all_grades, against=against, max_usd=max_usd, need_keys=not dry_run,
        )  # fmt: skip
        for line in (*plan.warnings, *_told(plan), *_weights(session, plan)):
            say(line)
        if dry_run:
            _show(session, plan, as_json)
            return
        if plan.profile is not None:
            asking.allow(plan.profile, plan.estimate, max_usd=max_usd, max_calls=max_calls, yes=yes)
        summary = _grow(session, plan, max_usd=max_usd, max_calls=max_calls)
    _end(summary, call, explain, as_json)
    raise click.exceptions.Exit(summary.exit_code)


def _told(plan: ScalePlan) -> list[str]:
    from forge.cli.asking import money
    from forge.cli.figures import many, roughly, thousands

    who = "no model" if plan.profile is None else f"profile {plan.profile.name}"
    lines = [f"scale {plan.name}: {plan.wanted} seeds, proposer {plan.proposer}, {who}, draw {plan.draw}"]
    if plan.before:
        lines.append(f"{len(plan.before)} seeds of {plan.target.name} are kept")
    if plan.profile is not None:
        told = plan.estimate
        parts = [
            f"about {many(told.calls)} calls",
            f"{thousands(told.tokens[0])} prompt and {thousands(told.tokens[1])} reply tokens",
            money(plan.profile, told),
        ]
        if told.seconds:
            parts.append(f"about {roughly(told.seconds)} on this machine" if told.seconds >= 60 else "under a minute")
        lines.append("estimate: " + " · ".join(parts))
    return lines


def _weights(session: Session, plan: ScalePlan) -> list[str]:
    from forge.cli.asking import weights_lines

    return [] if plan.profile is None else weights_lines(session, plan.profile)


def _show(session: Session, plan: ScalePlan, as_json: bool) -> None:
    from forge.cli.scaleview import plan_document, print_plan
    from forge.session.scalepreview import preview_document

    messages = preview_document(session, plan)
    if as_json:
        write_json({**plan_document(plan), "messages": messages})
        return
    print_plan(plan, messages, out())
    say("nothing was sent, nothing was written")


def _grow(session: Session, plan: ScalePlan, **bounds: Any) -> ScaleSummary:
    from forge.cli.running import run
    from forge.cli.scalewatch import ScaleWatch

    with ScaleWatch(f"{plan.name} · {plan.proposer}", plan.wanted) as watch:
        session.observer = watch
        return run(session.scale(plan, **bounds), watch.stop, watch.close)


def _end(summary: ScaleSummary, call: Call, explain: bool, as_json: bool) -> None:
    from forge.cli import scaleview
    from forge.cli.ending import print_next

    document = summary.document()
    if summary.scaled.stopped is not None:
        say(f"stopped: {summary.scaled.ended}")
    if as_json:
        write_json(document)
        return
    console = out()
    scaleview.report(document, console, explain=explain)
    again = shlex.join(["forge", *call.args]) if call.args else "the same command again"
    print_next(scaleview.next_steps(document, again), console)
