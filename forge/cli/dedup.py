"""`forge dedup`: take exact and near repeats out of a file. It reads options and prints; the session does the work."""

from __future__ import annotations

from pathlib import Path

import click

from forge.cli.console import err, write_json
from forge.cli.house import Call, Command, json_option, pass_call

FORMATS = ("jsonl", "csv", "tsv", "parquet")
FILE = click.Path(path_type=Path)


@click.command("dedup", cls=Command)
@click.argument("file", type=FILE)
@click.option("--field", required=True, metavar="NAME", help="The field or column that holds the text.")
@click.option("--format", "kind", type=click.Choice(FORMATS), help="The file's format; default: by its suffix.")
@click.option("--out", type=FILE, metavar="PATH",
              help="Where kept rows go; default: FILE.kept.<format> beside the file.")  # fmt: skip
@click.option("--threshold", type=click.FloatRange(0, 1, min_open=True), default=0.8, show_default=True, metavar="J",
              help="Jaccard similarity of 5-character shingles from which a text is a near repeat.")  # fmt: skip
@click.option("--max-chars", type=click.IntRange(min=1), default=1_000_000, show_default=True, metavar="N",
              help="A longer text is rejected.")  # fmt: skip
@click.option("--against", multiple=True, type=FILE, metavar="FILE",
              help="A file whose texts must not be repeated either; may be given again.")  # fmt: skip
@click.option("--index", metavar="NAME",
              help="Compare with all that was kept under this name before, and remember what is kept now.")  # fmt: skip
@click.option("--explain", is_flag=True, help="Show which earlier row each text repeats, and how much; the first 20.")
@click.option("--strict", is_flag=True, help="End with 3 at the first row that is no text.")
@click.option("--dry-run", is_flag=True, help="Count, and write nothing.")
@click.option("--force", is_flag=True, help="Replace outputs that are there.")
@click.option("--workers", type=click.IntRange(min=1), metavar="N",
              help="Processes that check and sign texts; default: one a core. Any number gives the same.")  # fmt: skip
@json_option
@pass_call
def command(
    call: Call,
    file: Path,
    field: str,
    kind: str | None,
    out: Path | None,
    threshold: float,
    max_chars: int,
    against: tuple[Path, ...],
    index: str | None,
    explain: bool,
    strict: bool,
    dry_run: bool,
    force: bool,
    workers: int | None,
    as_json: bool,
) -> None:
    """Take exact and near repeats out of FILE, which may be larger than memory.

    Rows are taken in order, and the first of those that repeat one another is kept. Exact: the same words and numerals
    as an earlier row, whatever case and punctuation. Near: a kept text is at least as similar as the threshold;
    numerals count as equal. MinHash proposes pairs, exact similarity decides.

    Written beside FILE: the kept rows as they stood, FILE.duplicates.jsonl (what each repeats, and how much) and
    FILE.rejects.jsonl (rows that are no text, and why).
    """
    from forge.cli.dedupview import Watch, print_report, warn
    from forge.cli.running import terminable
    from forge.session.dedup import Request, dedup

    request = Request(
        path=file,
        field=field,
        format=kind,
        out=out,
        threshold=threshold,
        max_chars=max_chars,
        strict=strict,
        against=against,
        dry_run=dry_run,
        force=force,
        workers=workers,
    )
    registry = call.session().registry if index is not None else None
    with terminable(), Watch(err()) as watch:
        report = dedup(request, registry, index, watch, warn)
    if as_json:
        document = report.document()
        write_json({**document, "collisions": report.collisions} if explain else document)
    else:
        print_report(report, request, explain=explain)
