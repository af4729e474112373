"""`forge doctor`: what is amiss on this machine and in this workspace, and how to mend it."""

from __future__ import annotations

import click

from forge.cli.console import clean, out, say, write_json
from forge.cli.house import Call, Command, json_option, pass_call, profile_option

STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red"}


@click.command(cls=Command)
@profile_option
@json_option
@pass_call
def command(call: Call, profile: str | None, as_json: bool) -> None:
    """Check this machine, its models and this workspace; each line is ok, warn or fail, with how to mend it.

    Looks at Python and forge itself, another `forge` on the PATH, local models, memory and disk, forge.toml, keys (by
    the names of their variables), families, seeds, templates, ledger, registry and terminal. Changes nothing.

    Exit code 3 when something fails.
    """
    from forge.session.doctor import Status, examine

    lines, console = [], out()
    for line in examine(call.session(profile)):
        lines.append(line)
        if not as_json:
            from rich.text import Text

            mark = Text(f"{line.status.value:<5}", style=STYLES[line.status.value])
            console.print(Text.assemble(mark, (f"{line.name:<14}", "bold"), clean(line.text)), soft_wrap=True)
            if line.fix:
                console.print(Text(f"{'':<19}→ {clean(line.fix)}"), soft_wrap=True)
    counts = {status.value: sum(line.status is status for line in lines) for status in Status}
    if as_json:
        rows = [
            {"name": line.name, "status": line.status.value, "text": line.text, "fix": line.fix or None}
            for line in lines
        ]
        write_json({"ok": not counts["fail"], "counts": counts, "lines": rows})
    else:
        say(", ".join(f"{count} {name}" for name, count in counts.items()))
    raise click.exceptions.Exit(3 if counts["fail"] else 0)
