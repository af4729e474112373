"""`forge seeds`: list, show and lint seed sets, start new ones, and describe their format to editors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forge.cli.console import clean, out, say, short, write, write_json
from forge.cli.house import Call, Group, json_option, pass_call

if TYPE_CHECKING:
    from forge.session import Session
    from forge.session.lookup import FoundSeed, SetState
    from forge.workspace.seedfiles import Problem


KINDS = ("dimension", "heuristic", "constraint")
"""Keys of a header that say what kind of trap its seeds are."""


SAMPLE = 10
"""Of a table's combinations, how many to one are composed when all sets are linted: all of them take most of a minute."""


@click.group("seeds", cls=Group)
def command() -> None:
    """List, show, lint and start seed sets."""


@command.command("list")
@json_option
@pass_call
def list_sets(call: Call, as_json: bool) -> None:
    """List all seed sets: the workspace's own, and those that come with forge."""
    from forge.session.lookup import sets

    states = sets(call.session())
    if as_json:
        write_json([_set_document(state) for state in states])
        return
    rows = [("name", "dimension", "seeds", "problems", "file")]
    for state in states:
        dimension = short(" x ".join(str(state.header[key]) for key in KINDS if key in state.header), 30)
        rows.append((state.ref.name, dimension, str(state.seeds), _problems(state), _near(state.ref.path)))
    # Lines as long as they need to be: a name or a path that is cut or folded cannot be copied.
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        write("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]]))


@command.command("show")
@click.argument("name", metavar="SET|ID")
@click.option("--seed-set", metavar="NAME", help="Where to look for the seed, when several sets have its id.")
@json_option
@pass_call
def show(call: Call, name: str, seed_set: str | None, as_json: bool) -> None:
    """Show a seed set, or one seed by its id."""
    from forge.session.lookup import find_seed, is_set

    session = call.session()
    if seed_set is None and is_set(session, name):
        _show_set(session, name, as_json)
        return
    found = find_seed(session, name, seed_set)
    document = found.seed.model_dump(mode="json", by_alias=True)
    if as_json:
        write_json({"set": found.full_name, "file": found.seeds.path, "seed": document})
        return
    _show_seed(found, document)


def _show_set(session: Session, name: str, as_json: bool) -> None:
    loaded = session.loaded(name)[1]
    family, readable = session.loaded(name, lint=False)
    if readable.seeds is None:
        for problem in loaded.problems:
            write(str(problem))
        raise click.exceptions.Exit(3)
    header = {key: str(value) for key, value in readable.seeds.header.items()}
    rows = [
        {
            "id": one.id,
            "name": one.name,
            "domain": one.domain,
            "author": one.author.kind,
            "wording": family.wording(one),
        }
        for one in readable.seeds.seeds
    ]
    problems = [_problem_document(problem) for problem in loaded.problems]
    if as_json:
        write_json({"file": readable.seeds.path, "header": header, "seeds": rows, "problems": problems})
        return
    from rich.table import Table

    for key, value in header.items():
        say(f"{key}: {short(value, 200)}")
    say(f"file: {readable.seeds.path}")
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for column in ("id", "name", "domain", "author"):
        table.add_column(column, no_wrap=column == "id", overflow="fold")
    for row in rows:
        table.add_row(*(short(row[column], 80) for column in ("id", "name", "domain", "author")))
    out().print(table)
    if problems:
        say(f"{len(problems)} problems: forge seeds lint {name}")


def _show_seed(found: FoundSeed, document: dict[str, Any]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console = out()
    console.print(Text.assemble((found.seed.id, "bold cyan"), f"  {found.full_name}  {found.seeds.path}"))
    for key, value in document.items():
        if key == "id":
            continue
        console.print(Text(f"{key}", style="bold"))
        for line in _lines(value):
            console.print(Padding(Text(line), (0, 0, 0, 2)))


def _lines(value: Any) -> list[str]:
    """Return a value of a seed as indented lines."""
    if isinstance(value, dict):
        lines = []
        for key, inner in value.items():
            below = _lines(inner)
            flat = len(below) == 1
            lines += [f"{key}: {below[0]}"] if flat else [f"{key}:", *(f"  {line}" for line in below)]
        return lines
    if isinstance(value, list):
        if all(not isinstance(one, dict | list) for one in value):
            return [clean(", ".join(map(str, value))) or "-"]
        return [f"- {'; '.join(_lines(one))}" for one in value]
    return [clean(str(value))]


@command.command("lint")
@click.argument("names", metavar="[SET|FILE]...", nargs=-1)
@json_option
@pass_call
def lint(call: Call, names: tuple[str, ...], as_json: bool) -> None:
    """Say what is wrong with seed sets and their tables of ingredients, with file and line; all when none is named.

    Of a table, every combination is composed when its set is named, and every tenth when none is.

    Exit code 3 when there are errors; warnings alone end with 0.
    """
    session = call.session()
    found: list[Problem] = []
    checked: list[dict[str, Any]] = []
    for name in names or _all_names(session):
        problems, seeds = _linted(session, name, 1 if names else SAMPLE)
        found += problems
        checked.append({"set": name, "seeds": seeds, "problems": [_problem_document(one) for one in problems]})
    errors = sum(problem.severity == "error" for problem in found)
    warnings = len(found) - errors
    if as_json:
        write_json({"ok": errors == 0, "errors": errors, "warnings": warnings, "sets": checked})
    else:
        for problem in found:
            write(str(problem))
        seeds = sum(one["seeds"] for one in checked)
        say(
            f"{_many(seeds, 'seed')} in {_many(len(checked), 'set')}: "
            f"{_many(errors, 'error')}, {_many(warnings, 'warning')}"
        )
    raise click.exceptions.Exit(3 if errors else 0)


def _all_names(session: Session) -> list[str]:
    from forge.workspace import seedfiles

    known = seedfiles.available(session.workspace.roots("seeds"))
    # What a set includes is linted where it stands; a set that names what is not there is linted too, and says so.
    return [str(ref.path) for ref in known if not (seedfiles.includes(ref.path) and _whole(session, ref.path))]


def _whole(session: Session, path: Path) -> bool:
    from forge.model.errors import FamilyError, SeedError

    try:
        _, loaded = session.loaded(str(path), lint=False)
    except (SeedError, FamilyError):
        return False
    return not loaded.errors


def _linted(session: Session, name: str, step: int) -> tuple[list[Problem], int]:
    """Return a set's problems and its number of seeds. A file that cannot be read is one problem, so that the others
    are linted all the same; a name that nobody knows is an error of the call."""
    from forge.model.errors import FamilyError, SeedError
    from forge.session.lookup import path_of, table_problems, unreadable

    try:
        _, loaded = session.loaded(name)
    except (SeedError, FamilyError) as error:
        return [unreadable(error, path_of(session, name))], 0
    count = len(loaded.seeds.seeds) if loaded.seeds else len({one.seed for one in loaded.problems if one.seed})
    return [*loaded.problems, *table_problems(session, name, step)], count


@command.command("new")
@click.argument("name")
@click.option("--family", "family_name", default="salience", show_default=True, metavar="F", help="The kind of trap.")
@json_option
@pass_call
def new(call: Call, name: str, family_name: str, as_json: bool) -> None:
    """Write seeds/FAMILY/NAME.yaml: every field explained, and one seed to fill in. Never overwrites."""
    from forge.session.lookup import find_family
    from forge.session.scaffold import new_set
    from forge.workspace import seedfiles

    session = call.session()
    family, extends = find_family(session, family_name)
    before = {ref.name: ref for ref in seedfiles.available(session.workspace.roots("seeds"))}
    say(f"workspace: {session.workspace.root}")
    path = new_set(session.workspace.root, name, family, extends)
    full = f"{family.name}/{name}"
    if full in before:
        say(f"note: from now on {full} is this file, and no longer {before[full].path}")
    if as_json:
        write_json({"set": full, "file": str(path)})
        return
    write(f"wrote {path}\nFill it in, then: forge seeds lint {full}\nFor your editor: forge seeds schema --help")


@command.command("schema")
@click.option("--family", "family_name", default="salience", show_default=True, metavar="F", help="The kind of trap.")
@pass_call
def schema(call: Call, family_name: str) -> None:
    """Print the JSON Schema of a family's seed files, with what each field is for.

    For the YAML language server, write it into a file (forge seeds schema > seeds.schema.json) and begin a seed file
    with the line "# yaml-language-server: $schema=../../seeds.schema.json".
    """
    from forge.session.lookup import find_family
    from forge.session.schema import seed_schema

    write_json(seed_schema(find_family(call.session(), family_name)[0]))


def _set_document(state: SetState) -> dict[str, Any]:
    from forge.session.lookup import unreadable

    problems = list(state.loaded.problems) if state.loaded else []
    if state.error is not None:
        problems = [unreadable(state.error, str(state.ref.path))]
    return {
        "name": state.ref.name,
        "family": state.ref.family,
        "dimension": state.header.get("dimension"),
        "seeds": state.seeds,
        "file": str(state.ref.path),
        "problems": [_problem_document(one) for one in problems],
    }


def _problem_document(problem: Problem) -> dict[str, Any]:
    return {
        "file": problem.path,
        "line": problem.line,
        "seed": problem.seed or None,
        "severity": problem.severity,
        "message": problem.message,
    }


def _problems(state: SetState) -> str:
    if state.error is not None:
        return f"cannot be read: {short(state.error.what, 60)}"
    parts = [_many(count, word) for count, word in ((state.errors, "error"), (state.warnings, "warning")) if count]
    return ", ".join(parts) or "none"


def _near(path: Path) -> str:
    """Return a path as short as it can be written from here."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
