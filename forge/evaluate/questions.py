"""What an evaluation asks: every item of a release in every condition under every arm, as often as wanted. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from forge.families.base import Family
from forge.model.checks import Prompt
from forge.model.errors import UsageError, listed
from forge.model.releases import Release
from forge.model.scenarios import Scenario, Version

FIRST_SAMPLE = 1000
"""The sample index of an evaluation's first sample: no answer that grew or certified an item ever serves as evidence
for it, though model, prompt and decoding are the same."""
NONE = "none"


class Arm(Protocol):
    """A way of asking that is laid over a condition, such as chain of thought."""

    @property
    def id(self) -> str:
        """Its name."""

    def apply(self, prompt: Prompt) -> Prompt:
        """Return the prompt as this arm puts it."""


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt to one model, to be asked several times.

    Attributes:
        like: the condition by whose rules the response is read.
        gold: the family's label of the right answer.
    """

    item: str
    condition: str
    like: str
    arm: str
    prompt: Prompt
    gold: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a release is asked.

    Attributes:
        conditions: names; empty for all that an item has.
        gradients: also the versions by one edit of the trap's.
        limit: only so many items, in the release's order; None for all.
    """

    conditions: tuple[str, ...] = ()
    gradients: bool = False
    limit: int | None = None


def questions(
    release: Release, family: Callable[[str], Family], arms: Sequence[Arm | None], wanted: Wanted
) -> tuple[Question, ...]:
    """Return what is asked, by item, then condition, then arm.

    Args:
        family: name → family.
        arms: None is the plain prompt.

    Raises:
        UsageError: no item has a condition that was named.
    """
    _known(release, wanted.conditions)
    found: list[Question] = []
    for item in release.items[: wanted.limit]:
        scenario = item.scenario
        own = family(scenario.family)
        built = own.Item.model_validate(scenario.payload)  # type: ignore[attr-defined]
        for name, version in _versions(scenario, wanted):
            like = version.like or name
            plain = _prompt(own, built, like, version)
            for arm in arms:
                prompt = plain if arm is None else arm.apply(plain)
                found.append(Question(item.id, name, like, NONE if arm is None else arm.id, prompt, version.gold))
    return tuple(found)


def _versions(scenario: Scenario, wanted: Wanted) -> Iterator[tuple[str, Version]]:
    for name, version in scenario.versions.items():
        if not wanted.conditions or name in wanted.conditions:
            yield name, version
    if wanted.gradients or wanted.conditions:
        for name, version in scenario.gradients.items():
            if not wanted.conditions or name in wanted.conditions:
                yield name, version


def _prompt(family: Family, item: Any, condition: str, version: Version) -> Prompt:
    """The frozen words under the family's system message; what is frozen counts, whatever today's code renders."""
    shown = family.render(item, condition)
    return Prompt(version.prompt, shown.system, shown.fixed)


def _known(release: Release, conditions: Sequence[str]) -> None:
    known = dict.fromkeys(
        name for item in release.items for name in (*item.scenario.versions, *item.scenario.gradients)
    )
    for name in conditions:
        if name not in known:
            raise UsageError(
                f"no item of {release.manifest.name} has a condition {name!r}",
                value=name,
                fix=f"there is {listed(list(known), 20)}",
            )


def overlapping(release: Release, models: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the models that answered in a role of the release → those roles: what they fail on, they helped to choose
    or to word (design section 5)."""
    roles = {
        model: tuple(sorted(role for role, played in release.manifest.models.items() if _plays(played, model)))
        for model in dict.fromkeys(models)
    }
    return {model: played for model, played in roles.items() if played}


def _plays(played: Sequence[str], model: str) -> bool:
    return any(model in declared.split(" | ") for declared in played)
