"""Wires guards and checkers for one wording written by hand: without a gateway when rules check alone."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from forge.agents.room import Room
from forge.llm.budget import Budget
from forge.llm.gateway import Gateway
from forge.llm.ledger import Ledger
from forge.llm.prices import Prices, check_prices
from forge.llm.provider import require_keys
from forge.model.calls import Answer, Fault, Request
from forge.model.errors import ConfigError
from forge.model.profile import Profile
from forge.model.words import CHECKERS, Route
from forge.session.checking import Checked, check
from forge.session.estimate import TOKENS, Estimate
from forge.session.locals import LocalModels
from forge.session.lookup import FoundSeed
from forge.workspace import paths

if TYPE_CHECKING:
    from forge.session.session import Session


@dataclass(frozen=True)
class ByHand:
    """What a check came to, and what it took.

    Attributes:
        usd: None when a price is unknown.
        reached: why the budget stopped it, if it did.
    """

    checked: Checked
    made: int = 0
    replayed: int = 0
    usd: float | None = 0.0
    reached: str | None = None

    @property
    def solved(self) -> bool:
        """Whether the wording would go on to a solver; never when a checker gave no answer."""
        return not self.checked.faults and self.checked.route == Route.SOLVE.value


class NoModel:
    """The gateway of a check that rules do alone: whoever asks it has a bug."""

    async def ask(self, request: Request) -> Answer | Fault:
        """Refuse.

        Raises:
            ConfigError: always.
        """
        raise ConfigError(f"the role {request.role} is played by rules: there is no model to ask")


def checkers_of(profile: Profile) -> Profile:
    """Return the profile with the roles that a check may ask, and no others: those of models among the checkers."""
    roles = {role: profile.roles[role] for role in CHECKERS if not profile.roles[role].rules}
    return profile.model_copy(update={"roles": roles})


def estimate_check(profile: Profile) -> Estimate:
    """Return what checking one wording takes: one call for each checker that is a model, and at most one repair."""
    prices, asked = Prices(profile), checkers_of(profile).roles
    sizes = [(spec, TOKENS[role][0], min(TOKENS[role][1], spec.max_tokens)) for role, spec in asked.items()]
    money = [prices.usd(spec.models[0], tokens_in, out) for spec, tokens_in, out in sizes]
    worst = [prices.usd(spec.models[0], tokens_in, spec.max_tokens) for spec, tokens_in, _ in sizes]
    known, most = [one for one in money if one is not None], [one for one in worst if one is not None]
    return Estimate(
        seeds=1,
        calls=len(sizes),
        most_calls=2 * len(sizes),
        tokens=(sum(one for _, one, _ in sizes), sum(out for *_, out in sizes)),
        usd=sum(known) if len(known) == len(sizes) else None,
        most_usd=2 * sum(most) if len(most) == len(sizes) else None,
        seconds=0.0,
    )


async def by_hand(
    session: Session, found: FoundSeed, text: str, *, max_usd: float | None = None, max_calls: int | None = None
) -> ByHand:
    """Run guards and checkers on a wording of a seed.

    Raises:
        ConfigError: a key is missing, or `max_usd` is given and a price is unknown.
        PromptError: a checker's template is missing or malformed.
        ModelError, StorageError: the models or the ledger cannot be had.
    """
    library = session.prompts(found.family, found.extends)
    profile, asked = session.profile, checkers_of(session.profile)
    if not asked.roles:
        room = Room(found.family, library, profile, NoModel())
        return ByHand(await check(room, found.seed, text))
    require_keys(asked)
    if max_usd is not None:
        check_prices(asked)
    for role in asked.roles:
        library.get(found.family.templates[role])
    session.workspace.ready()
    longest = max(spec.max_tokens for spec in asked.roles.values())
    with tempfile.TemporaryDirectory(prefix="forge-check-") as logs:
        models = LocalModels(
            Path(logs), paths.cache() / "models", session.settings.local_paths, session.observer, 1, 1024 + longest
        )
        ledger = Ledger(session.workspace.ledger)
        try:
            budget = Budget(max_usd, max_calls)
            gateway = Gateway(profile, ledger, budget=budget, local=models.address, emit=session.observer)
            checked = await check(Room(found.family, library, profile, gateway), found.seed, text)
            await gateway.aclose()
            tally = gateway.tally
            usd = None if tally.unpriced else round(tally.usd, 6)
            return ByHand(checked, tally.made, tally.replayed, usd, budget.reached)
        finally:
            await models.stop()
            ledger.close()
