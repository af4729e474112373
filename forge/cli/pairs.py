"""`forge pairs`: build sets of pairs, and audit how minimal they are. It reads options; the session does the work."""

from __future__ import annotations

import math
from typing import Any

import click

from forge.cli import pairsbuild
from forge.cli.console import out, say, write_json
from forge.cli.house import Call, Group, json_option, pass_call

FAILED = 3


@click.group("pairs", cls=Group)
def command() -> None:
    """Build sets of pairs of traps and controls, and measure how minimal they are."""


command.add_command(pairsbuild.build)
command.add_command(pairsbuild.list_sets)
command.add_command(pairsbuild.show)


def _mapped(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in given:
        key, equals, name = one.partition("=")
        if not equals:
            raise click.BadParameter(f"{one!r} is not FIELD=NAME, such as active=trap")
        if key in found:
            raise click.BadParameter(f"{key!r} is given twice")
        found[key] = name
    return found


def _number(_: click.Context, __: click.Parameter, given: float) -> float:
    if math.isnan(given):
        raise click.BadParameter("nan is no similarity")
    return given


@command.command("audit")
@click.argument("what", required=False)
@click.option("--where", metavar="EXPR",
              help='Audit items of the registry instead, such as "cause = salience and stable >= 4".')  # fmt: skip
@click.option("--map", "mapped", multiple=True, callback=_mapped, metavar="FIELD=NAME",
              help="What id, active or removed is called in the file, such as active=trap; may be repeated.")  # fmt: skip
@click.option("--max-words", type=click.IntRange(min=0), default=2, show_default=True, metavar="N",
              help="The numbers of words may differ by so many.")  # fmt: skip
@click.option("--min-similarity", type=click.FloatRange(0, 1), default=0.80, show_default=True, metavar="S",
              callback=_number, help="Similarity of characters: the lower of indel and difflib.")  # fmt: skip
@click.option("--max-token-edits", type=click.IntRange(min=0), default=7, show_default=True, metavar="N",
              help="Edits of white-space tokens; a substitution is one.")  # fmt: skip
@click.option("--max-spans", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
              help="Places in which the texts may differ.")  # fmt: skip
@click.option("--show", type=click.IntRange(min=0), default=10, show_default=True, metavar="N",
              help="How many failing pairs to print; --json has them all.")  # fmt: skip
@click.option("--strict", is_flag=True, help="End with 3 when a pair fails or a row is no pair.")
@json_option
@pass_call
def audit(
    call: Call,
    what: str | None,
    where: str | None,
    mapped: dict[str, str],
    max_words: int,
    min_similarity: float,
    max_token_edits: int,
    max_spans: int,
    show: int,
    strict: bool,
    as_json: bool,
) -> None:
    """Measure how far apart the two texts of pairs are, and say why pairs fail.

    WHAT is a file of pairs (.jsonl, .ndjson, .csv, .tsv; rows {id, active, removed}, and where there are clauses
    explicit and salience_control), a set of pairs in the registry, or a seed set, by FAMILY/NAME or path: each seed's
    prompt against the control that its family builds. With --where, items of the registry.

    A pair passes the gate when all four bounds hold. The first two, at their defaults, are the published criterion for
    minimal pairs; what meets it is printed beside the gate.
    """
    from forge.cli.pairsview import print_report, warn
    from forge.pairs.audit import Gate
    from forge.session import pairaudit

    gate = Gate(max_words, min_similarity, max_token_edits, max_spans)
    source, rows = _rows(call, what, where, mapped)
    report = pairaudit.audit(source, rows, gate)
    if as_json:
        write_json(report.document())
    else:
        print_report(report, out(), show)
    for line in warn(report):
        say(line)
    if strict and not report.clean:
        raise click.exceptions.Exit(FAILED)


def _rows(call: Call, what: str | None, where: str | None, mapped: dict[str, str]) -> tuple[str, Any]:
    """Return what is audited, in words, and its pairs."""
    from forge.model.errors import UsageError
    from forge.session import pairrows

    if (what is None) == (where is None):
        said = "neither WHAT nor --where is given" if what is None else "WHAT and --where are both given"
        raise UsageError(said, fix="name a file of pairs or a seed set, or filter items with --where")
    if what is not None:
        return what, pairrows.from_name(call.session(), what, mapped)
    assert where is not None
    if mapped:
        raise UsageError("--map is for files of pairs", fix="leave it out: items name their own texts")
    return f"items where {where}", pairrows.from_items(call.session(), where)
