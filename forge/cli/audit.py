"""`forge audit`: measure rules against labelled records. It measures nothing itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forge.cli.console import out, write_json
from forge.cli.house import Call, Group, json_option, pass_call

if TYPE_CHECKING:
    from forge.families.base import Family
    from forge.session import Session

DATA = click.option("--data", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="F",
                    help="JSON Lines of labelled records.")  # fmt: skip
SHOW = click.option("--show", type=click.IntRange(min=0), default=5, show_default=True, metavar="N",
                    help="How many disagreements to print.")  # fmt: skip
FAMILY = click.option("--family", "family_name", metavar="NAME",
                      help="Whose rules to measure; default: the family of the first record's seed.")  # fmt: skip


@click.group("audit", cls=Group)
def command() -> None:
    """Measure rules against labelled records."""


@command.command("judge")
@DATA
@FAMILY
@click.option("--scope", type=click.Choice(["answer", "reasoning+answer"]), default="answer", show_default=True,
              help="What of a response is read.")  # fmt: skip
@SHOW
@json_option
@pass_call
def judge(call: Call, data: Path, family_name: str | None, scope: str, show: int, as_json: bool) -> None:
    """Measure how the family's rules read responses.

    Each record: `seed` (an object in the seed format, or an id), `condition` (default trap), `response`, `label`.
    """
    from forge.session.audits import audit_judge

    family, seed = _family(call.session(), data, family_name)
    found = audit_judge(family, data, seed, scope)
    if as_json:
        write_json(found)
        return
    from forge.cli.auditview import print_judge

    print_judge(found, out(), show)


@command.command("guards")
@DATA
@FAMILY
@SHOW
@json_option
@pass_call
def guards(call: Call, data: Path, family_name: str | None, show: int, as_json: bool) -> None:
    """Measure the family's guards on labelled rewrites.

    Each record: `seed`, `text`, and `guards`: the names of those that should object, empty for a good rewrite.
    """
    from forge.session.audits import audit_guards

    family, seed = _family(call.session(), data, family_name)
    found = audit_guards(family, data, seed)
    if as_json:
        write_json(found)
        return
    from forge.cli.auditview import print_guards

    print_guards(found, out(), show)


@command.command("parser")
@DATA
@click.option("--strict", is_flag=True, help="End with 3 when a record is read otherwise than labelled.")
@json_option
def parser(data: Path, strict: bool, as_json: bool) -> None:
    """Measure how answers to forced choices are read.

    Each record: `question`, `options` (texts, in order), `response`, and `choice`: a letter, or null for no commitment.
    """
    from forge.session.parseraudit import audit_parser

    found = audit_parser(data)
    if as_json:
        write_json(found)
    else:
        from forge.cli.parserview import print_parser

        print_parser(found, out())
    if strict and found["disagreements"]:
        from forge.model.errors import VerificationError

        count = len(found["disagreements"])
        raise VerificationError(
            f"{count} of {found['n']} records are read otherwise than labelled",
            where=str(data),
            fix="look at each: mend the label, or drop --strict",
        )


def _family(session: Session, data: Path, name: str | None) -> tuple[Family, Any]:
    from forge.session.seedfinder import SeedFinder

    finder = SeedFinder(session)
    family = finder.family(data, name)
    return family, finder.finds(family)
