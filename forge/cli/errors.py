"""How the command line ends badly: every exception becomes a message on standard error and an exit code."""

from __future__ import annotations

import os
import sys
import traceback

import click

from forge.cli.console import clean
from forge.model.errors import ForgeError

BUG = 1
USAGE = 2
INTERRUPTED = 130


def report(error: BaseException, *, debug: bool) -> int:
    """Write what an exception says and return the exit code. With `debug`, the traceback comes first."""
    if debug and not isinstance(error, click.UsageError):
        sys.stderr.write("".join(traceback.format_exception(error)))
    if isinstance(error, ForgeError):
        _error(str(error))
        return error.exit_code
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.message, err=True)
        return USAGE
    if isinstance(error, click.ClickException):
        _error(_usage(error))
        return USAGE
    if isinstance(error, (KeyboardInterrupt, click.Abort, EOFError)):
        _line("interrupted")
        return INTERRUPTED
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    hint = "" if debug else "\n  fix:   run again with --debug to see where"
    _error(f"forge failed in a way it should not: {what}{hint}")
    return BUG


def broken_pipe() -> int:
    """The reader of standard output went away: say nothing, and let nothing be said at exit."""
    silent = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(silent, sys.stdout.fileno())
    except (OSError, ValueError):  # Not a real file, as in tests: nothing will be flushed to a pipe.
        return BUG
    return BUG


def _usage(error: click.ClickException) -> str:
    lines = [error.format_message()]
    ctx = getattr(error, "ctx", None)
    if ctx is not None:
        lines.append(f"  fix:   {ctx.command_path} --help says how it is used")
    return "\n".join(lines)


def _error(text: str) -> None:
    mark = "error: "
    if sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
        mark = "\x1b[1;31merror:\x1b[0m "
    _line(mark + clean(text))


def _line(text: str) -> None:
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except BrokenPipeError:
        return
