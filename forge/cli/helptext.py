"""Draws help pages with rich. It imports no command and nothing heavy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from forge.cli.console import out

if TYPE_CHECKING:
    from rich.console import Console

Rows = Sequence[tuple[str, str]]
WIDEST = 100
NAMES = 36


def command_help(command: click.Command, ctx: click.Context, sections: Sequence[tuple[str, Rows]] = ()) -> str:
    """Return a command's help page: usage, what it does, subcommands by section, options, epilog."""
    console = out()
    width = min(console.width, WIDEST)
    with console.capture() as capture:
        _usage(console, command, ctx)
        text = (command.help or "").split("\f")[0].strip()
        if text:
            _paragraphs(console, text, width)
        arguments, options = _records(command, ctx)
        every = [*sections, ("Arguments", arguments), ("Options", options)]
        column = min(max((len(name) for _, rows in every for name, _ in rows), default=0) + 2, NAMES)
        for title, rows in every:
            _section(console, title, rows, width, column)
        if command.epilog:
            console.print()
            _paragraphs(console, command.epilog.strip(), width)
    return "\n".join(line.rstrip() for line in capture.get().rstrip().split("\n")) + "\n"


def _usage(console: Console, command: click.Command, ctx: click.Context) -> None:
    from rich.text import Text

    pieces = " ".join(command.collect_usage_pieces(ctx))
    console.print(Text.assemble(("Usage: ", "bold"), (ctx.command_path, "bold cyan"), " ", pieces))


def _paragraphs(console: Console, text: str, width: int) -> None:
    """Print paragraphs; one that begins with \\b keeps its lines, as in click."""
    for part in text.split("\n\n"):
        console.print()
        if part.lstrip().startswith("\b"):
            console.print(part.replace("\b\n", "").replace("\b", ""), soft_wrap=True)
        else:
            console.print(" ".join(part.split()), width=width)


def _records(command: click.Command, ctx: click.Context) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    arguments: list[tuple[str, str]] = []
    options: list[tuple[str, str]] = []
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is None:
            continue
        (options if isinstance(parameter, click.Option) else arguments).append(record)
    return arguments, options


def _section(console: Console, title: str, rows: Rows, width: int, column: int) -> None:
    if not rows:
        return
    from rich.table import Table
    from rich.text import Text

    console.print()
    console.print(Text(title, style="bold"))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="cyan", width=column, overflow="fold")
    table.add_column()
    for name, text in rows:
        table.add_row(Text("  " + name), Text(text))
    console.print(table, width=width)
