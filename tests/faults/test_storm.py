"""Whatever a provider does, every seed ends in one of the four states with a reason, and nothing half-done is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge.agents.room import Room
from forge.families.salience import SalienceFamily
from forge.llm.gateway import Gateway
from forge.llm.ledger import Ledger
from forge.model.errors import ProviderRefused
from forge.model.growth import SeedOutcome
from forge.model.profile import Endpoint, Limits, Price, Profile, RoleSpec
from forge.model.words import Role, State
from forge.prompts.collection import PromptLibrary
from forge.session.annealing import Growing
from forge.testing.faults import FaultPlan, Storm, Trouble
from forge.testing.mockserver import MockServer
from forge.testing.world import world_reply
from forge.workspace.seedfiles import read

ROOT = Path(__file__).resolve().parents[2]
FAMILY = SalienceFamily()
ENDS_RUN = {Trouble.UNAUTHORIZED, Trouble.NOT_FOUND}


def profile(base: str) -> Profile:
    model = RoleSpec(models=("openai/mock",), temperature=0.7, max_tokens=400)
    endpoint = Endpoint(api_base=base, concurrency=8, retries=2, breaker_after=1000, timeout=5.0)
    return Profile(
        name="storm",
        roles=dict.fromkeys(Role, model),
        limits=Limits(top_k=1, certify_tries=1, max_candidates=3, max_steps=3),
        endpoints={"openai": endpoint},
        prices={"openai/mock": Price(input=1, output=1)},
    )


async def no_sleep(_: float) -> None:
    return None


async def grow(base: str, folder: Path, count: int) -> tuple[tuple[SeedOutcome, ...], BaseException | None]:
    loaded = read(ROOT / "seeds/salience/D1.yaml", FAMILY).seeds
    assert loaded is not None
    ledger = Ledger(folder / "ledger.sqlite")
    gateway = Gateway(profile(base), ledger, emit=lambda event: None, sleep=no_sleep)
    room = Room(FAMILY, PromptLibrary([ROOT / "prompts"]), gateway.profile, gateway)
    kept: list[SeedOutcome] = []

    async def keep(outcome: SeedOutcome) -> None:
        kept.append(outcome)

    growing = Growing(room, loaded.seeds[:count], 4, lambda event: None, keep)
    outcomes = await growing.run()
    await gateway.aclose()
    ledger.close()
    return outcomes, growing.stopped


def check(outcomes: tuple[SeedOutcome, ...], count: int) -> None:
    assert len(outcomes) == count
    for outcome in outcomes:
        assert outcome.state in set(State)
        assert outcome.reason
        assert bool(outcome.items) == (outcome.state is State.CERTIFIED)


@pytest.mark.parametrize("trouble", list(Trouble))
async def test_one_kind_of_trouble_for_every_request(
    tmp_path: Path, trouble: Trouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    if trouble is Trouble.SLOW:
        pytest.skip("a provider that never answers is tested at the gateway, with a clock of its own")
    plan = FaultPlan([trouble] * 5000, then=world_reply)
    async with MockServer(plan) as server:
        outcomes, stopped = await grow(server.base_url, tmp_path, 3)
    check(outcomes, 3)
    assert (stopped is not None) == (trouble in ENDS_RUN)
    if trouble in ENDS_RUN:
        assert isinstance(stopped, ProviderRefused)
        assert all(outcome.state is State.PENDING for outcome in outcomes)


async def test_a_storm_of_everything_then_calm_gives_what_calm_alone_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    async with MockServer(world_reply) as server:
        calm, _ = await grow(server.base_url, tmp_path / "a", 6)
    transient = [Trouble.RATE_LIMIT, Trouble.DROPPED, Trouble.NO_CHOICES, Trouble.NOT_JSON]
    for turn in range(3):
        async with MockServer(Storm(0.5, transient, seed=turn, then=world_reply)) as server:
            stormy, _ = await grow(server.base_url, tmp_path / "b", 6)
            check(stormy, 6)
    async with MockServer(world_reply) as server:
        after, _ = await grow(server.base_url, tmp_path / "b", 6)
    assert after == calm
