"""`forge prompts`: the templates, where each comes from, and what a role would be sent."""

from __future__ import annotations

from typing import Any

import click

from forge.cli.console import clean, out, short, write, write_json
from forge.cli.house import Call, Group, json_option, pass_call


@click.group("prompts", cls=Group)
def command() -> None:
    """List prompt templates and show what would be sent."""


@command.command("list")
@json_option
@pass_call
def list_prompts(call: Call, as_json: bool) -> None:
    """List all templates: version, role, hash, and where each comes from.

    A template in the workspace's prompts/ takes the place of one that comes with forge; it is marked as such. Exit
    code 3 when one is malformed.
    """
    from forge.session.templates import templates

    workspace = call.session().workspace
    rows = [row.document() for row in templates(workspace.roots("prompts"), workspace.root)]
    if as_json:
        write_json(rows)
    else:
        from rich.table import Table

        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
        for name in ("id", "version", "role", "sha256", "from"):
            table.add_column(name, no_wrap=name == "id", overflow="fold")
        for row in rows:
            source = f"{row['source']}{', overrides ' + row['overrides'] if row['overrides'] else ''}"
            if row["error"]:
                table.add_row(row["id"], "-", "-", "-", f"{source}: {short(row['error'], 120)}")
                continue
            table.add_row(row["id"], str(row["version"]), short(row["role"], 30), row["sha256"][:12], source)
        out().print(table)
    raise click.exceptions.Exit(3 if any(row["error"] for row in rows) else 0)


@command.command("show")
@click.argument("role", metavar="ROLE")
@click.option("--seed", "seed_id", metavar="ID", help="The seed for whose own wording it is filled in.")
@click.option("--seed-set", metavar="NAME", help="Where to look for the seed, when several sets have its id.")
@click.option("--condition", metavar="C", help="For solver and judge: the version of the item; default: the first.")
@click.option("--raw", is_flag=True, help="Show the template as it is written; needs no seed.")
@click.option("--family", "family_name", default="salience", metavar="F", help="With --raw: whose template.")
@json_option
@pass_call
def show(
    call: Call, role: str, seed_id: str | None, seed_set: str | None, condition: str | None, raw: bool,
    family_name: str, as_json: bool,
) -> None:  # fmt: skip
    """Show the messages that ROLE would be sent for a seed's own wording. Nothing is sent.

    \b
    Roles: viability generator truth alignment naturalness solver judge annealer enhancer compliance
    """
    from forge.model.errors import UsageError
    from forge.session.lookup import find_family, find_role, find_seed
    from forge.session.templates import raw_template, rendered

    session, wanted = call.session(), find_role(role)
    if seed_id is None and not raw:
        raise UsageError("a template is filled in for a seed", fix="pass --seed ID, or --raw for the bare template")
    if seed_id is not None:
        found = find_seed(session, seed_id, seed_set)
        family, extends = found.family, found.extends
    else:
        family, extends = find_family(session, family_name)
    library = session.prompts(family, extends)
    if raw:
        template = raw_template(family, library, wanted, condition)
        if as_json:
            write_json({"id": template.id, "path": template.path, "sha256": template.sha256, "source": template.source})
        else:
            write(template.source)
        return
    shown = rendered(family, library, wanted, found.seed, condition)
    if as_json:
        write_json({"role": wanted.value, "seed": found.seed.id, **shown})
        return
    _print(shown)


def _print(shown: dict[str, Any]) -> None:
    from rich.rule import Rule
    from rich.text import Text

    console = out()
    for message in shown["messages"]:
        console.print(Rule(message["role"], align="left", style="dim", characters="-"))
        console.print(Text(clean(message["content"]) or "(empty)"), soft_wrap=True)
