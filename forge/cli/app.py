"""The root of the command line: a lazy group that imports a command only when it is called. Nothing runs before
parsing, and help comes from `table`."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from forge.cli import table
from forge.cli.house import Call, Group
from forge.version import __version__


class Root(Group):
    """All commands of the table, by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the table's order."""
        return [row.name for row in table.COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module and return its `command`."""
        row = table.find(cmd_name)
        if row is None:
            return None
        command: click.Command = importlib.import_module(row.module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which names are near.

        Raises:
            click.UsageError: there is no such command.
        """
        name = args[0]
        if table.find(name) is None and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name, self.list_commands(ctx), n=3)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"no command {name!r}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Draw the help page from the table."""
        from forge.cli.helptext import command_help

        sections = [(title, [(row.name, row.help) for row in rows]) for title, rows in table.sections()]
        formatter.write(command_help(self, ctx, sections))

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run, and end as the house does: see `errors`. Not standalone, exceptions pass."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        sys.exit(self.code(args, prog_name=prog_name or "forge", complete_var=complete_var, **extra))

    def code(self, args: Sequence[str] | None = None, **extra: Any) -> int:
        """Run and return the exit code; nothing but a second interrupt passes."""
        from forge.cli import errors

        given, debug = _debug(list(sys.argv[1:] if args is None else args))
        extra.setdefault("prog_name", "forge")
        extra.setdefault("obj", Call(args=tuple(given)))
        try:
            code = super().main(given, standalone_mode=False, **extra)
            sys.stdout.flush()
        except BrokenPipeError:
            return errors.broken_pipe()
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 the one place that must catch everything
            return errors.report(error, debug=debug)
        return code if isinstance(code, int) else 0


def _debug(args: list[str]) -> tuple[list[str], bool]:
    """Take --debug out, wherever before a `--` it stands: nobody remembers the order when something fails."""
    end = args.index("--") if "--" in args else len(args)
    kept = [arg for arg in args[:end] if arg != "--debug"] + args[end:]
    return kept, len(kept) < len(args) or os.environ.get("FORGE_DEBUG", "") not in ("", "0")


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"forge {__version__}")
        ctx.exit()


@click.group(
    "forge",
    cls=Root,
    no_args_is_help=False,
    invoke_without_command=True,
    epilog="Exit codes: 0 done; 2 wrong use; 3 a configuration, model, file or verification problem, or seeds left "
    "pending; 4 a budget reached; 130 interrupted (work kept).",
)
@click.option("-C", "folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR",
              help="Work in the workspace around DIR instead of the current folder.")  # fmt: skip
@click.option("--debug", is_flag=True, expose_value=False, help="Show tracebacks; also FORGE_DEBUG=1.")
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
@click.pass_context
def app(ctx: click.Context, folder: Path | None) -> None:
    """Grow a few hand-written seeds into tested, paired, frozen benchmark items on which language models fail for a
    known reason.

    A day with it: forge init, forge seeds lint NAME, forge anneal --seed-set NAME, forge items list,
    forge items tree ITEM.
    """
    ctx.ensure_object(Call).folder = folder
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    return app.code(args)
