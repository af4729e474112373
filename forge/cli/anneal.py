"""`forge anneal`: grow a seed set into certified items."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import click

from forge.cli.console import err, out, say, write_json
from forge.cli.house import Call, Command, json_option, pass_call, profile_option, set_option

if TYPE_CHECKING:
    from forge.session import Session
    from forge.session.session import Plan
    from forge.session.summary import Summary


@click.command(cls=Command)
@click.option(
    "--seed-set",
    "seed_set",
    required=True,
    metavar="NAME",
    help="The set to grow: D1, FAMILY/NAME, or a path ending in .yaml.",
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Grow only the first N seeds.")
@profile_option
@click.option(
    "--draw",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Which search this is; another N asks every model anew.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Seeds grown at once; it changes nothing but the time."
)
@click.option("--all-grades", is_flag=True, help="Grow seeds of viability grade C too.")
@click.option("--allow-overlap", is_flag=True, help="Let the judge be the solver; every table is then marked.")
@set_option
@click.option("--max-usd", type=click.FloatRange(min=0), metavar="X", help="Stop before the run would pass X dollars.")
@click.option("--max-calls", type=click.IntRange(min=1), metavar="N", help="Stop after N calls that are paid for.")
@click.option("--yes", is_flag=True, help="Do not ask, whatever it costs.")
@click.option(
    "--dry-run", is_flag=True, help="Show the estimate and what would be sent for the first seed; send nothing."
)
@json_option
@pass_call
def command(
    call: Call, seed_set: str, limit: int | None, profile: str | None, draw: int, workers: int | None,
    all_grades: bool, allow_overlap: bool, settings: tuple[str, ...], max_usd: float | None, max_calls: int | None,
    yes: bool, dry_run: bool, as_json: bool,
) -> None:  # fmt: skip
    """Grow a seed set into certified items.

    Each seed's wording is rewritten, checked, asked of the solver, judged and routed on; wordings on which the solver
    fails are tested on fresh samples, and the cause of the failure is looked for.

    To resume is to run again: every answer is kept, and a seed that ended replays free. Ctrl-C stops in order.
    """
    from forge.cli import asking
    from forge.cli.running import terminable

    with terminable():
        session = call.session(profile, settings)
        say(asking.workspace_line(session))
        plan = session.plan(
            seed_set, limit=limit, draw=draw, allow_overlap=allow_overlap, max_usd=max_usd, need_keys=not dry_run
        )
        for line in (*plan.warnings, *asking.estimate_lines(plan), *asking.weights_lines(session, plan.profile)):
            say(line)
        if dry_run:
            _show(session, plan, as_json)
            return
        asking.allow(plan.profile, plan.estimate, max_usd=max_usd, max_calls=max_calls, yes=yes)
        summary = _grow(session, plan, workers=workers, all_grades=all_grades, max_usd=max_usd, max_calls=max_calls)
    _end(summary, call, as_json)
    raise click.exceptions.Exit(summary.exit_code)


def _grow(session: Session, plan: Plan, **bounds: Any) -> Summary:
    from forge.cli.livemodel import Shape
    from forge.cli.running import run
    from forge.cli.watching import Watch

    limits, family, first = plan.profile.limits, plan.family, plan.seeds.seeds[0]
    asked = limits.diagnosis_samples * (len(family.diagnosis) + len(family.probe(first)))
    tries = min(limits.top_k, limits.certify_tries or limits.top_k, 2)
    shape = Shape(
        wordings=min(limits.max_candidates, 2 + limits.generator_rounds),
        certify_calls=tries * (limits.stability_samples * len(family.trials(first, family.wording(first))) + asked),
    )
    title = f"{family.name}/{plan.seeds.name} · {plan.profile.name} · {plan.estimate.seeds} seeds"
    with Watch(title, shape) as watch:
        watch.model.expect([seed.id for seed in plan.seeds.seeds])
        session.observer = watch
        return run(session.anneal(plan, **bounds), watch.stop, watch.close)


def _end(summary: Summary, call: Call, as_json: bool) -> None:
    from forge.cli import ending

    document = summary.document()
    if summary.stopped:
        say(f"stopped: {summary.stopped}")
    if as_json:
        write_json(document)
        return
    console = out()
    ending.report(document, console)
    ending.print_next(ending.next_steps(document, _again(call)), console)


def _again(call: Call) -> str:
    return shlex.join(["forge", *call.args]) if call.args else "the same command again"


def _show(session: Session, plan: Plan, as_json: bool) -> None:
    """Show what each role that a model plays would be sent for the first seed."""
    from forge.cli.asking import estimate_document
    from forge.cli.dryrun import messages, print_messages

    shown = messages(session, plan)
    if as_json:
        write_json({"dry_run": True, "seed_set": f"{plan.family.name}/{plan.seeds.name}", "profile": plan.profile.name,
                    "draw": plan.draw, "estimate": estimate_document(plan), "messages": shown})  # fmt: skip
        return
    print_messages(shown, plan.seeds.seeds[0].id, out())
    err().print("nothing was sent")
