"""The whole graph on a forced choice: scripted solvers that follow the letter, the cue, the constraint, or content."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from forge.agents.room import Room
from forge.families.hidden_constraint.family import HiddenConstraintFamily
from forge.families.hidden_constraint.seed import HiddenConstraintSeed
from forge.grow.run import grow
from forge.model.calls import Answer, Fault, Request
from forge.model.events import Event
from forge.model.growth import SeedOutcome
from forge.model.profile import Limits, Profile, RoleSpec
from forge.model.words import Cause, Knows, Role, Route, State
from forge.prompts.collection import PromptLibrary
from forge.session.summary import measured
from forge.testing.scripted import ScriptedGateway
from forge.workspace import seedfiles

ROOT = Path(__file__).resolve().parents[2]
FAMILY = HiddenConstraintFamily()
OPENERS = (
    "Quick one while the kettle boils. ",
    "My neighbour laughed at me for asking this, but anyway: here is how my week looks. ",
    "I'm no good at mornings and would rather have it settled tonight. ",
)
Solver = Callable[["Asked"], str]


class Asked:
    """One question as the solver sees it: its text, its two options, and the sample."""

    def __init__(self, request: Request) -> None:
        self.text, _, rest = request.messages[-1].content.partition("\n\n")
        self.options = dict(re.findall(r"^([AB])\. (.+)$", rest, re.MULTILINE))
        self.sample = request.sample

    def letter(self, option: str) -> str:
        return next(letter for letter, text in self.options.items() if text == option)


def scenarios() -> tuple[HiddenConstraintSeed, ...]:
    loaded = seedfiles.read(ROOT / "tests" / "fixtures" / "hidden_constraint" / "A1.yaml", FAMILY)
    assert loaded.seeds is not None
    made: tuple[HiddenConstraintSeed, ...] = loaded.seeds.seeds
    return made


VAN = scenarios()[0]
DRIVE, WALK = VAN.options.constraint_heavy, VAN.options.heuristic


def always(letter: str) -> Solver:
    return lambda asked: f"{letter}\nThat seems best."


def option(text: str) -> Solver:
    return lambda asked: f"{asked.letter(text)}\nThat seems best."


def distracted(asked: Asked) -> str:
    """Follows the cue unless the prerequisite is told."""
    return f"{asked.letter(DRIVE if VAN.clause.explicit in asked.text else WALK)}\nBecause of that."


def cautious(asked: Asked) -> str:
    """Drives whenever a van is to be inspected, wherever it stands."""
    return f"{asked.letter(DRIVE if 'van inspected' in asked.text else WALK)}\nBecause of that."


def selective(asked: Asked) -> str:
    """Right everywhere."""
    gone = VAN.fact.removed in asked.text or "tax office" in asked.text
    return f"{asked.letter(WALK if gone else DRIVE)}\nBecause of that."


def model(solver: Solver, knows: bool = True) -> Callable[[Request], str | Answer | Fault]:
    truths = {question.text: question.truth for question in FAMILY.probe(VAN)}
    rewrites = iter(range(100))

    def script(request: Request) -> str | Answer | Fault:
        said = request.messages[-1].content
        if request.role is not Role.SOLVER:
            return json.dumps({"message": OPENERS[next(rewrites) % len(OPENERS)] + FAMILY.wording(VAN)})
        if said in truths:
            return "yes" if truths[said] is knows else "no"
        assert request.messages[0].content == ""
        return solver(Asked(request))

    return script


async def run(
    solver: Solver, *, knows: bool = True, limits: Limits | None = None
) -> tuple[SeedOutcome, ScriptedGateway]:
    rules, played = RoleSpec(), RoleSpec(models=("fake/scripted",), temperature=0.7, system="Answer in one sentence.")
    players = (Role.GENERATOR, Role.SOLVER, Role.ANNEALER, Role.ENHANCER)
    profile = Profile(
        name="scripted",
        roles={role: played if role in players else rules for role in Role},
        limits=limits or Limits(generator_rounds=1, max_candidates=4),
    )
    gateway, events = ScriptedGateway(model(solver, knows)), list[Event]()
    room = Room(FAMILY, PromptLibrary([ROOT / "prompts"]), profile, gateway)
    return await grow(room, VAN, events.append), gateway


def outcomes(done: SeedOutcome) -> list[str]:
    return [record.outcome.label for record in done.records if record.outcome is not None]


@pytest.mark.parametrize("letter", ["A", "B"])
async def test_a_solver_that_follows_the_letter_certifies_nothing(letter: str) -> None:
    done, _ = await run(always(letter))
    assert done.state is State.EXHAUSTED
    assert done.items == ()
    assert set(outcomes(done)) == {"position"}
    assert {record.route for record in done.records} == {Route.ARCHIVE}
    made = measured(FAMILY, (done,))
    assert (made.rates["first"], made.rates["consistency"]) == (1.0 if letter == "A" else 0.0, 0.0)
    assert made.differences["consistency_excess"] == -0.5


async def test_one_that_always_takes_the_heuristic_is_certified_as_under_activation() -> None:
    done, gateway = await run(option(WALK))
    assert done.state is State.CERTIFIED
    assert {(item.label, item.tier.value) for item in done.items} == {("under_activation", "strong")}
    # told of the prerequisite, it walks all the same
    assert {item.cause for item in done.items} == {Cause.COMPLIANCE}
    certificate = done.items[0].certificate
    assert (certificate.stable, certificate.samples, certificate.knows) == (5, 5, Knows.YES)
    assert certificate.counts["active"] == certificate.counts["removed_swapped"] == {"heuristic": 5}
    assert certificate.counts["explicit"] == {"heuristic": 3}
    assert certificate.system == ""
    # 4 trials select, 20 test stability, 12 diagnose, for each of the certified wordings; the probe has 12
    assert gateway.count(Role.SOLVER) == len(done.items) * (4 + 20 + 12 + 12)


async def test_one_that_always_takes_the_constraint_heavy_option_is_certified_as_over_activation() -> None:
    done, _ = await run(option(DRIVE))
    assert {(item.label, item.tier.value) for item in done.items} == {("over_activation", "soft")}
    # it drives even where there is no constraint at all
    assert {item.cause for item in done.items} == {Cause.INCAPACITY}


@pytest.mark.parametrize(
    ("solver", "knows", "label", "cause"),
    [
        (distracted, True, "under_activation", Cause.SALIENCE),
        (distracted, False, "under_activation", Cause.IGNORANCE),
        (cautious, True, "over_activation", Cause.SALIENCE),
    ],
)
async def test_under_and_over_activation_are_told_apart_with_their_cause(
    solver: Solver, knows: bool, label: str, cause: Cause
) -> None:
    done, _ = await run(solver, knows=knows)
    assert done.items
    assert {(item.label, item.cause) for item in done.items} == {(label, cause)}


async def test_a_selective_solver_is_enhanced_and_certifies_nothing() -> None:
    done, gateway = await run(selective)
    assert done.items == ()
    assert set(outcomes(done)) == {"both_right"}
    assert gateway.count(Role.ENHANCER) > 0


async def test_a_failure_whose_fresh_samples_follow_the_letter_is_refused_as_position() -> None:
    done, _ = await run(lambda asked: option(WALK)(asked) if asked.sample == 0 else always("A")(asked))
    assert done.items == ()
    tried = [record.certificate for record in done.records if record.certificate is not None]
    assert tried
    assert {(one.passed, one.stable, one.cause) for one in tried} == {(False, 0, Cause.POSITION)}


async def test_stability_counts_one_kind_of_failure_only() -> None:
    """Under-activation selects; fresh samples are twice of that kind, else over-activation: not stable."""
    done, _ = await run(lambda asked: option(WALK if asked.sample in (0, 1, 2) else DRIVE)(asked))
    tried = [record.certificate for record in done.records if record.certificate is not None]
    assert {(one.passed, one.stable) for one in tried} == {(False, 2)}


async def test_an_item_is_the_quartet_of_its_wording() -> None:
    done, _ = await run(distracted)
    assert len(done.items) > 1
    for item in done.items:
        assert item.control == item.text.replace("my carport", "their yard")
        assert item.payload["explicit_text"].replace(VAN.clause.explicit, "") == item.text
        assert item.dimension == "H-prox x C-pres"
        shown = FAMILY.item(VAN, item.text)
        assert item.payload == shown.model_dump(mode="json", by_alias=True)


async def test_unreadable_answers_decide_nothing() -> None:
    done, _ = await run(lambda asked: "It depends.")
    assert set(outcomes(done)) == {"unreadable"}
    assert done.items == ()
