"""`forge check`: guards and checkers on one wording written by hand."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from forge.cli.console import clean, out, say, write_json
from forge.cli.house import Call, Command, json_option, pass_call, profile_option, set_option

if TYPE_CHECKING:
    from rich.console import Console

    from forge.session import Session
    from forge.session.byhand import ByHand
    from forge.session.lookup import FoundSeed


@click.command(cls=Command)
@click.option("--seed", "seed_id", required=True, metavar="ID", help="The seed whose wording it is.")
@click.argument("text", metavar="[TEXT|-]", required=False)
@click.option("--seed-set", metavar="NAME", help="Where to look for the seed, when several sets have its id.")
@profile_option
@set_option
@click.option("--max-usd", type=click.FloatRange(min=0), metavar="X", help="Spend at most X dollars.")
@click.option("--max-calls", type=click.IntRange(min=1), metavar="N", help="Make at most N calls that are paid for.")
@click.option("--yes", is_flag=True, help="Do not ask, whatever it costs.")
@json_option
@pass_call
def command(
    call: Call, seed_id: str, text: str | None, seed_set: str | None, profile: str | None, settings: tuple[str, ...],
    max_usd: float | None, max_calls: int | None, yes: bool, as_json: bool,
) -> None:  # fmt: skip
    """Run guards and checkers on TEXT, a wording of a seed written by hand; - reads it from standard input.

    Without TEXT the seed's own wording is checked. Shows what the guards object to, the checkers' verdicts, the
    control that would be built, how far apart the pair is, and where the wording would go. Where rules check (the
    profile `local`), no model is asked. No solver is asked in any case.

    Exit codes: 0 the wording would go on to a solver; 3 it would not; 4 a budget was reached.
    """
    from forge.session.lookup import find_seed

    session = call.session(profile, settings)
    found = find_seed(session, seed_id, seed_set)
    wording = _wording(found, text)
    done = _checked(session, found, wording, max_usd=max_usd, max_calls=max_calls, yes=yes)
    code = 4 if done.reached else 0 if done.solved else 3
    if as_json:
        write_json(_document(found, wording, done))
    else:
        _show(out(), found, wording, done)
    raise click.exceptions.Exit(code)


def _wording(found: FoundSeed, text: str | None) -> str:
    from forge.model.errors import UsageError

    if text is None:
        return found.family.wording(found.seed)
    if text == "-":
        try:
            text = sys.stdin.read()
        except UnicodeDecodeError as error:
            raise UsageError(f"standard input is not text: {error}", fix="pipe in UTF-8") from error
    if not text.strip():
        raise UsageError("the wording is empty", fix="write it between quotes, or pass - and pipe it in")
    return text.strip()


def _checked(
    session: Session, found: FoundSeed, wording: str, *, max_usd: float | None, max_calls: int | None, yes: bool
) -> ByHand:
    import asyncio

    from forge.session.byhand import by_hand, checkers_of, estimate_check

    asked = checkers_of(session.profile)
    if asked.roles:
        from forge.cli import asking

        told = estimate_check(session.profile)
        say(asking.workspace_line(session))
        say(
            f"check: {told.calls} call{'s' if told.calls != 1 else ''} (at most {told.most_calls}) "
            f"of {', '.join(asked.models)}; {asking.money(asked, told)}"
        )
        asking.allow(asked, told, max_usd=max_usd, max_calls=max_calls, yes=yes)
    return asyncio.run(by_hand(session, found, wording, max_usd=max_usd, max_calls=max_calls))


def _document(found: FoundSeed, wording: str, done: ByHand) -> dict[str, Any]:
    return {
        "seed": found.seed.id,
        "set": found.full_name,
        "text": wording,
        "solved": done.solved,
        **done.checked.document(),
        "calls": {"made": done.made, "replayed": done.replayed},
        "usd": done.usd,
        "budget": done.reached,
    }


def _show(console: Console, found: FoundSeed, wording: str, done: ByHand) -> None:
    from rich.padding import Padding
    from rich.text import Text

    def heading(text: str) -> None:
        console.print(Text(text, style="bold"))

    def line(text: str, mark: str = "", style: str = "") -> None:
        console.print(Padding(Text.assemble((mark, style), " " if mark else "", clean(text)), (0, 0, 0, 2)))

    checked = done.checked
    heading(f"{found.seed.id} ({found.full_name})")
    line(wording)
    heading("guards")
    for finding in checked.findings:
        line(f"{finding.guard}: {finding.message}", "✗", "red")
    if not checked.findings:
        line("no objections", "✓", "green")
    heading("checkers")
    for verdict in checked.verdicts:
        figures = [f"{verdict.score:.2f}" if verdict.score is not None else "", verdict.grade or "", f"by {verdict.by}"]
        about = f"{verdict.check}: {', '.join(part for part in figures if part)}"
        shown = f"{about}; {verdict.reason}" if verdict.reason else about
        line(shown, *(("✓", "green") if verdict.passed else ("✗", "red")))
    for fault in checked.faults:
        line(f"no answer: {fault}", "?", "yellow")
    heading("control")
    line(checked.control if checked.control is not None else "none: an edit cannot be applied exactly once")
    if checked.pair is not None:
        pair = checked.pair
        line(
            f"pair: {pair.words} words apart, {pair.token_edits} token edits in {len(pair.spans)} "
            f"place{'s' if len(pair.spans) != 1 else ''}, similarity {pair.similarity:.3f}"
        )
    heading("route")
    if checked.faults:
        line(f"undecided: a checker gave no answer{f'; {done.reached}' if done.reached else ''}", "?", "yellow")
    else:
        line(f"{checked.route} ({checked.why})", *(("✓", "green") if done.solved else ("✗", "red")))
    if done.made or done.replayed:
        spent = "unknown price" if done.usd is None else f"${done.usd:.4f}"
        say(f"{done.made} calls made, {done.replayed} replayed, {spent}")
