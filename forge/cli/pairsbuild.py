"""`forge pairs build`, `list` and `show`: sets of pairs. It reads options and prints; the session does the work."""

from __future__ import annotations

from typing import Any

import click

from forge.cli.console import out, say, write_json
from forge.cli.house import Call, Command, json_option, pass_call, profile_option, set_option


@click.command("build", cls=Command)
@click.option("--seed-set", required=True, metavar="SET", help="The seeds to build of; core names all 15 cells.")
@click.option("--name", metavar="NAME", help="The set's name in the registry; default: the seed set's.")
@click.option("--selection", type=click.Choice(["coverage", "adversarial"]),
              help="coverage: every scenario that passes the rules; adversarial: certified items alone. "
              "Default: the profile's, else the family's.")  # fmt: skip
@click.option("--where", metavar="EXPR", help='Of the certified items only these, such as "cause = salience".')
@click.option("--order", type=click.Choice(["balanced", "hash", "both"]),
              help="Which of two options is shown first; default: the profile's, else balanced within each cell.")  # fmt: skip
@click.option("--strict", is_flag=True, help="End with 3 when a scenario is excluded.")
@profile_option
@set_option
@json_option
@pass_call
def build(
    call: Call,
    seed_set: str,
    name: str | None,
    selection: str | None,
    where: str | None,
    order: str | None,
    strict: bool,
    profile: str | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Build a set of pairs: each scenario in all its conditions, checked, with its options in order.

    A scenario that misses the audit is excluded, and the reasons are kept: `forge pairs show NAME --excluded`.
    """
    from forge.cli.asking import workspace_line
    from forge.cli.quartetview import print_built
    from forge.model.scenarios import Order, Selection
    from forge.session import pairbuild

    session = call.session(profile, settings)
    say(workspace_line(session))
    wanted = pairbuild.Wanted(
        seed_set,
        name,
        where,
        Selection(selection) if selection else None,
        Order(order) if order else None,
    )
    built = pairbuild.run(session, wanted)
    for line in built.warnings:
        say(line)
    if as_json:
        write_json(built.document())
    else:
        print_built(built, out())
    if strict and built.made.exclusions:
        raise click.exceptions.Exit(3)


@click.command("list", cls=Command)
@json_option
@pass_call
def list_sets(call: Call, as_json: bool) -> None:
    """List the sets of pairs in the registry."""
    from forge.cli.quartetview import print_sets

    found: list[dict[str, Any]] = call.session().registry.pairs.sets()
    if as_json:
        write_json(found)
        return
    print_sets(found, out())


@click.command("show", cls=Command)
@click.argument("name")
@click.argument("scenario", required=False)
@click.option("--excluded", is_flag=True, help="Print the exclusion ledger: what is out, at which stage, and why.")
@json_option
@pass_call
def show(call: Call, name: str, scenario: str | None, excluded: bool, as_json: bool) -> None:
    """Show a set of pairs, one of its scenarios in all conditions, or its exclusion ledger."""
    from forge.cli import quartetview
    from forge.session import pairbuild

    session = call.session()
    if excluded:
        rows = pairbuild.ledger(session, name)
        if as_json:
            write_json([row.model_dump(mode="json") for row in rows])
        else:
            quartetview.print_ledger(name, rows, out())
        return
    made = pairbuild.load(session, name)
    if scenario is not None:
        one = pairbuild.named(made, scenario)
        if as_json:
            write_json(one.model_dump(mode="json"))
        else:
            quartetview.print_scenario(one, out())
        return
    if as_json:
        write_json(made.model_dump(mode="json"))
    else:
        quartetview.print_set(made, out())
