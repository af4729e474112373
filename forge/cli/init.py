"""`forge init`: the files that a workspace starts from."""

from __future__ import annotations

from pathlib import Path

import click

from forge.cli.console import say, write, write_json
from forge.cli.house import Call, Command, json_option, pass_call


@click.command(cls=Command)
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(file_okay=False, path_type=Path))
@json_option
@pass_call
def command(call: Call, folder: Path | None, as_json: bool) -> None:
    """Write a commented forge.toml and an example seed set into DIR (default: the current folder).

    Also registry/.gitkeep, and a .gitignore for what is not worth keeping in git. A file that is there already is left
    alone, and named.
    """
    from forge.session import scaffold
    from forge.workspace import paths

    root = (folder or call.folder or Path.cwd()).resolve()
    outer = paths.find(root.parent)
    done = scaffold.start_workspace(root)
    lacking = scaffold.unignored(root)
    if as_json:
        document = {"workspace": str(root), "made": _names(done.made), "kept": _names(done.kept), "unignored": lacking}
        write_json(document)
        return
    for path in done.made:
        say(f"wrote       {path.relative_to(root)}")
    for path in done.kept:
        say(f"left alone  {path.relative_to(root)}")
    if lacking:
        say(f"note: your .gitignore lacks {', '.join(lacking)}")
    if outer.configured:
        say(f"note: {outer.root} is a workspace too; inside {root} this one counts from now on")
    write("\n".join(_next(root, scaffold.FIRST_SET)))


def _names(made: tuple[Path, ...]) -> list[str]:
    return [str(path) for path in made]


def _next(root: Path, first: str) -> list[str]:
    """Return what to do now."""
    lines = [f"The workspace is {root}."]
    if root != Path.cwd():
        import shlex

        lines.append(f"  cd {shlex.quote(str(root))}")
    steps = (
        (f"forge seeds lint {first}", "is the example seed in order?"),
        (f"forge check --seed {first}-magnets", "what do guards and checkers say of its wording?"),
        (f"forge anneal --seed-set {first} --dry-run", "what would be sent, and what would it cost?"),
        (f"forge anneal --seed-set {first}", "grow it"),
        ("forge seeds new NAME", "write your own"),
        ("forge doctor", "does this machine lack anything?"),
    )
    return [*lines, *(f"  {step:<44}{why}" for step, why in steps)]
