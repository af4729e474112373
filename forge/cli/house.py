"""What all commands share: the click classes with forge's help, common options, and the call's own object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from forge.model.events import Event
    from forge.session import Session

F = TypeVar("F", bound=Callable[..., Any])


@dataclass
class Call:
    """One call of the command line: what stands before the command's name.

    Attributes:
        folder: -C: where to look for the workspace; None is the current folder.
        args: the command line as given, to be named in advice.
    """

    folder: Path | None = None
    args: tuple[str, ...] = ()

    def session(
        self,
        profile: str | None = None,
        settings: tuple[str, ...] = (),
        observer: Callable[[Event], None] | None = None,
    ) -> Session:
        """Return a session on the workspace; nothing is read or written before it is asked.

        Args:
            settings: the KEY=VALUE pairs of --set.

        Raises:
            UsageError: a pair is malformed.
        """
        from forge.config.settings import override
        from forge.session import Session

        made = Session(self.folder, profile, override(settings) if settings else {})
        if observer is not None:
            made.observer = observer
        return made


class Command(click.Command):
    """A command whose help is drawn by `helptext`."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Draw the help page."""
        from forge.cli.helptext import command_help

        formatter.write(command_help(self, ctx))


class Group(click.Group):
    """A group whose help is drawn by `helptext`, and whose commands are of this house."""

    command_class = Command

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Draw the help page."""
        from forge.cli.helptext import command_help

        rows = [(name, ctx.command.commands[name].get_short_help_str(200)) for name in self.list_commands(ctx)]  # type: ignore[attr-defined]
        formatter.write(command_help(self, ctx, [("Commands", rows)]))


pass_call = click.make_pass_decorator(Call, ensure=True)


def json_option(function: F) -> F:
    """Add --json, as the argument `as_json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help="One JSON document on standard output, all else on standard error."
    )(function)


def profile_option(function: F) -> F:
    """Add --profile, as `profile`."""
    return click.option(
        "--profile",
        metavar="NAME",
        help="Which profile's models play the roles; default: $FORGE_PROFILE, forge.toml, local.",
    )(function)


def set_option(function: F) -> F:
    """Add the repeatable --set, as `settings`."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Override one setting, such as limits.top_k=3; may be repeated.",
    )(function)
