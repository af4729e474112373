"""Says what a run will cost before it starts, and asks, or refuses, where it must. It spends nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from forge.cli.console import interactive, say
from forge.cli.figures import dollars, many, roughly, size, thousands
from forge.model.errors import UsageError, listed
from forge.model.words import Role

if TYPE_CHECKING:
    from forge.model.profile import Profile
    from forge.session import Session
    from forge.session.estimate import Estimate
    from forge.session.session import Plan

ASK_ABOVE = 1.0
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def workspace_line(session: Session) -> str:
    """Name the workspace, as is done before every first write."""
    workspace = session.workspace
    note = "forge.toml" if workspace.configured else "no forge.toml found: the current folder"
    return f"workspace: {workspace.root} ({note})"


def estimate_lines(plan: Plan) -> list[str]:
    """Return the estimate in words."""
    told = plan.estimate
    prompt, reply = told.tokens
    parts = [
        f"about {many(told.calls)} calls (at most {many(told.most_calls)})",
        f"{thousands(prompt)} prompt and {thousands(reply)} reply tokens",
        money(plan.profile, told),
    ]
    if told.seconds:
        parts.append(f"about {roughly(told.seconds)} on this machine" if told.seconds >= 60 else "under a minute")
    return [
        f"anneal {plan.family.name}/{plan.seeds.name}: {told.seeds} seed{'s' if told.seeds != 1 else ''}, "
        f"profile {plan.profile.name}, solver {plan.profile.roles[Role.SOLVER].declared}, draw {plan.draw}",
        "estimate: " + " · ".join(parts),
    ]


def money(profile: Profile, told: Estimate) -> str:
    """Return the dollars of an estimate in words."""
    if all(model.startswith("local/") for model in profile.models):
        return "free (local)"
    if told.usd is None:
        return "unknown price"
    if not told.usd:
        return "free"
    return f"{dollars(told.usd)} likely, {dollars(told.most_usd)} at most"


def estimate_document(plan: Plan) -> dict[str, Any]:
    """Return the estimate as JSON values."""
    told = plan.estimate
    return {
        "seeds": told.seeds,
        "calls": told.calls,
        "most_calls": told.most_calls,
        "tokens": {"prompt": told.tokens[0], "completion": told.tokens[1]},
        "usd": told.usd,
        "most_usd": told.most_usd,
        "seconds": round(told.seconds, 1),
    }


def weights_lines(session: Session, profile: Profile) -> list[str]:
    """Say which weights must be fetched before the first answer."""
    from forge.llm import weights
    from forge.llm.catalogue import find
    from forge.session.locals import named
    from forge.workspace import paths

    lines = []
    for name in named(profile):
        if name in session.settings.local_paths:
            continue
        found = weights.status(find(name), paths.cache() / "models")
        if found.state in ("absent", "partial"):
            rest = found.model.bytes - found.bytes_present
            lines.append(f"weights: {name} will be fetched first ({size(rest)}, {found.model.licence})")
    return lines


def allow(profile: Profile, told: Estimate, *, max_usd: float | None, max_calls: int | None, yes: bool) -> None:
    """Return when the run may start.

    Above a dollar a person is asked; where nobody can be asked, whatever costs money needs a limit. A model at an
    address of this machine has no price unless one is configured.

    Raises:
        UsageError: nobody can be asked, and no limit is given.
        click.Abort: the person said no.
    """
    likely = told.usd if told.usd is None or max_usd is None else min(told.usd, max_usd)
    if likely == 0:
        return
    if likely is None:
        unknown = _elsewhere(profile)
        if not unknown:
            return
        if not interactive() and max_calls is None and not yes:
            raise UsageError(
                "the price of a model is unknown, and nobody can be asked",
                value=listed(unknown),
                fix="pass --max-calls N, or set the price in forge.toml and pass --max-usd X",
            )
        _ask(f"The price of {listed(unknown)} is unknown. Start?", yes or not interactive())
        return
    if not interactive() and max_usd is None:
        raise UsageError(
            f"this run would cost about {dollars(likely)}, and nobody can be asked",
            fix="pass --max-usd X: the run stops before it would pass X dollars",
        )
    if likely > ASK_ABOVE:
        _ask(f"This run will cost about {dollars(likely)}. Start?", yes or not interactive())


def _ask(question: str, yes: bool) -> None:
    if yes:
        return
    if not click.confirm(question, default=False, err=True):
        say("nothing was sent")
        raise click.Abort


def _elsewhere(profile: Profile) -> list[str]:
    """Return the models that may cost money: neither local ones nor those at an address of this machine."""
    from forge.llm.limits import endpoint_for

    found = []
    for model in profile.models:
        base = endpoint_for(profile, model)[1].api_base
        if not model.startswith("local/") and (base is None or urlsplit(base).hostname not in LOOPBACK):
            found.append(model)
    return found
