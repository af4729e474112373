"""`forge replay`: grow a run again from its own folder and the ledger alone, and compare byte for byte."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from forge.cli.console import out, say, write_json
from forge.cli.house import Call, Command, json_option, pass_call

if TYPE_CHECKING:
    from forge.workspace.paths import Workspace


@click.command("replay", cls=Command)
@click.argument("run")
@json_option
@pass_call
def command(call: Call, run: str, as_json: bool) -> None:
    """Grow a run again with the network forbidden, from its frozen profile, seeds and templates and the stored
    answers, and compare its items byte for byte. Exit code 3 when they differ.

    RUN is a run's id, the unique beginning of one, or `last`.
    """
    from forge.cli.livemodel import Shape
    from forge.cli.running import run as run_work
    from forge.cli.watching import Watch
    from forge.model.errors import VerificationError
    from forge.session.replaying import replay

    session = call.session()
    workspace = session.workspace
    name = folder_of(workspace, run)
    say(f"replaying {name} without the network")
    with Watch(f"replay {name}", Shape()) as watch:
        work = replay(name, workspace.run(name), workspace.ledger, session.family, watch)
        found = run_work(work, watch.stop, watch.close)
    if as_json:
        write_json(asdict(found))
        raise click.exceptions.Exit(0 if found.same else VerificationError.exit_code)
    if not found.same:
        raise VerificationError("the replayed items differ from the stored ones", where=name, value=found.difference)
    items = f"{found.items} item{'s' if found.items != 1 else ''}"
    out().print(f"{items} byte for byte the same, from {found.replayed} stored answers")


def folder_of(workspace: Workspace, name: str) -> str:
    """Return the run whose folder is meant by `last`, an id, or the unique beginning of one.

    Raises:
        UsageError: there is none, or more than one.
    """
    from forge.model.errors import UsageError, listed

    folders = sorted(path.parent.name for path in workspace.runs.glob("*/run.json"))
    if not folders:
        raise UsageError("there is no run yet", where=str(workspace.runs), fix="forge anneal makes one")
    if name in folders:
        return name
    found = folders[-1:] if name == "last" else [folder for folder in folders if folder.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"several runs begin with {name!r}", value=listed(found), fix="give more of the id")
    from difflib import get_close_matches

    near = get_close_matches(name, folders, n=3, cutoff=0.3) or folders[-3:]
    raise UsageError(f"no run {name!r}", where=str(workspace.runs), fix=f"did you mean {' or '.join(near)}?")
