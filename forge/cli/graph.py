"""`forge graph`: print the search as a Mermaid picture."""

from __future__ import annotations

import click

from forge.cli.console import write
from forge.cli.house import Command


@click.command("graph", cls=Command)
def command() -> None:
    """Print the compiled search graph as Mermaid text on standard output."""
    from forge.grow.graph import mermaid

    write(mermaid())
