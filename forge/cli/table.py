"""The table of commands, from which help and "did you mean" are read without importing any of them. Data only."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One command: its name, the module whose `command` it is, one line of help, and its section of the help."""

    name: str
    module: str
    help: str
    section: str


START = "Start"
GROW = "Grow"
READ = "Read"
MEASURE = "Measure"
LOOK = "Look inside"

COMMANDS: tuple[Row, ...] = (
    Row("init", "forge.cli.init", "Write a commented forge.toml and an example seed set.", START),
    Row("doctor", "forge.cli.doctor", "Check this machine, its models and this workspace.", START),
    Row("seeds", "forge.cli.seeds", "List, show, lint and start seed sets.", START),
    Row("new-family", "forge.cli.newfamily", "Start a family of traps without code.", START),
    Row("scale", "forge.cli.scale", "Grow a seed set by new seeds, behind deduplication filters.", GROW),
    Row("check", "forge.cli.check", "Run guards and checkers on a wording written by hand.", GROW),
    Row("dedup", "forge.cli.dedup", "Take exact and near repeats out of a file of prompts.", GROW),
    Row("anneal", "forge.cli.anneal", "Grow a seed set into certified items.", GROW),
    Row("runs", "forge.cli.runs", "List and show the runs of this workspace.", READ),
    Row("items", "forge.cli.items", "List and show certified items and their family trees.", READ),
    Row("replay", "forge.cli.replay", "Grow a run again from its answers and compare byte for byte.", MEASURE),
    Row("audit", "forge.cli.audit", "Measure rules against labelled records.", MEASURE),
    Row("pairs", "forge.cli.pairs", "Build sets of pairs of traps and controls, and audit them.", MEASURE),
    Row("config", "forge.cli.config", "Show every setting and where it comes from.", LOOK),
    Row("prompts", "forge.cli.prompts", "List prompt templates and show what would be sent.", LOOK),
    Row("models", "forge.cli.models", "List local models and fetch their weights.", LOOK),
    Row("ledger", "forge.cli.ledger", "Say what the store of model answers holds.", LOOK),
    Row("graph", "forge.cli.graph", "Print the search as a Mermaid picture.", LOOK),
)


def find(name: str) -> Row | None:
    """Return the row of a command, or None."""
    return next((row for row in COMMANDS if row.name == name), None)


def sections() -> list[tuple[str, list[Row]]]:
    """Return the rows by section, in the table's order."""
    grouped: dict[str, list[Row]] = {}
    for row in COMMANDS:
        grouped.setdefault(row.section, []).append(row)
    return list(grouped.items())
