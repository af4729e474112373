"""`forge items`: list and show certified items, and draw the family tree of a seed."""

from __future__ import annotations

from typing import Any

import click

from forge.cli.console import out, say, write_json
from forge.cli.house import Call, Group, json_option, pass_call
from forge.cli.runs import resolve

RUN_HELP = "Look in this run: an id, the unique beginning of one, or `last`."
WHERE_HELP = (
    'Keep what fits, such as "cause = salience and stable >= 4"; fields: id, seed, set, dimension, label, tier, cause, '
    "score, naturalness, stable, operator, knows, solver, judge, run, length, duplicate, text and more."
)


@click.group("items", cls=Group)
def command() -> None:
    """List and show certified items and their family trees."""


@command.command("list")
@click.option("--where", "--from", "where", metavar="EXPR", help=WHERE_HELP)
@click.option("--run", metavar="RUN", help=RUN_HELP)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N items.")
@json_option
@pass_call
def list_items(call: Call, where: str | None, run: str | None, limit: int | None, as_json: bool) -> None:
    """List items, two lines each. Without --run, each item once, as the latest run that holds it has it."""
    from forge.cli.itemrows import row_of

    session = call.session()
    chosen = None if run is None else resolve(session, run, "anneal")
    rows = [row_of(found) for found in session.registry.items(where, chosen, limit)]
    if as_json:
        write_json(rows)
        return
    if not rows:
        fix = "no item fits" if where or run else "no items yet: forge anneal --seed-set NAME grows some"
        say(fix)
        return
    from rich.text import Text

    from forge.cli import ending
    from forge.cli.itemrows import overlapping

    console = out()
    mark = {"overlap": overlapping(rows)}
    console.print(Text.assemble((f"{len(rows)} item{'s' if len(rows) != 1 else ''}", "bold"),
                                (ending.overlap(mark), "bold red")))  # fmt: skip
    ending.items(rows, console)


@command.command("show")
@click.argument("item")
@click.option("--run", metavar="RUN", help=RUN_HELP)
@click.option("--full", is_flag=True, help="Show the model's answers whole.")
@json_option
@pass_call
def show_item(call: Call, item: str, run: str | None, full: bool, as_json: bool) -> None:
    """Show one item: the pair with its edit, the certificate, the cause, and what the model answered.

    ITEM is an item's id, or the unique beginning of one.
    """
    session = call.session()
    chosen = None if run is None else resolve(session, run, "anneal")
    found = session.registry.item(item, chosen)
    tree = session.registry.tree(found["id"], found["run"])
    candidate = next((one for one in tree["candidates"] if one["id"] == found["candidate"]), None)
    if as_json:
        write_json(_document(found, candidate, tree))
        return
    from forge.cli.itemview import show

    show(found, candidate, tree, out(), full=full)


@command.command("tree")
@click.argument("name", metavar="ITEM_OR_SEED")
@click.option("--run", metavar="RUN", help=RUN_HELP)
@json_option
@pass_call
def tree(call: Call, name: str, run: str | None, as_json: bool) -> None:
    """Draw every wording that was tried for a seed: what the guards and checkers said, its label, and why it went
    where it went.

    ITEM_OR_SEED is the id of a seed, an item or a candidate, or the unique beginning of one.
    """
    session = call.session()
    chosen = None if run is None else resolve(session, run, "anneal")
    found = session.registry.tree(name, chosen)
    if as_json:
        write_json(found)
        return
    from forge.cli.treeview import draw

    draw(found, out())


def _document(found: dict[str, Any], candidate: dict[str, Any] | None, tree: dict[str, Any]) -> dict[str, Any]:
    from forge.cli.itemrows import row_of

    line = {one["id"]: one for one in tree["candidates"]}
    return {
        **row_of(found),
        "candidate": found["candidate"],
        "seed_content": found["seed_content"],
        "naturalness_by": found["naturalness_by"],
        "near_duplicate": found["near_duplicate"],
        "certificate": found["certificate"],
        "payload": found["payload"],
        "lineage": [
            {"id": key, "operator": line[key]["operator"], "text": line[key]["text"]} if key in line else {"id": key}
            for key in found["lineage"]
        ],
        "verdicts": candidate["verdicts"] if candidate else [],
        "answers": candidate["trials"] if candidate else [],
    }
