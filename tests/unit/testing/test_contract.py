"""The contract: it passes on honest families, and each broken promise is named."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from forge_tiny import TinyFamily, TinyItem, TinyLabel, TinySeed
from graph.tiny_world import seed

from forge.families.base import LintFinding, ProbeQuestion
from forge.families.salience import SalienceFamily
from forge.model.checks import Finding, Outcome, Reading, Response, Verdict
from forge.model.words import Group, Role, Tier
from forge.testing import assert_family_contract
from forge.workspace import paths, seedfiles

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def test_tiny_keeps_the_contract() -> None:
    assert_family_contract(TinyFamily(), [seed()], ["YES, 7 hours", "NO way", "It depends."])


@pytest.mark.slow
def test_salience_keeps_the_contract() -> None:
    family = SalienceFamily()
    path = seedfiles.resolve("salience/D1", paths.find().roots("seeds")).path
    loaded = seedfiles.read(path, family, lint=False)
    assert loaded.seeds is not None, loaded.errors
    clean = [one for one in loaded.seeds.seeds if all(found.severity != "error" for found in family.lint(one))]
    assert_family_contract(family, clean[:1], ["That cannot work.", "36 minutes. But water runs straight out of it."])


def test_it_needs_a_seed() -> None:
    with pytest.raises(AssertionError, match="at least one seed"):
        assert_family_contract(TinyFamily(), [])


@pytest.mark.slow
def test_an_installed_family_is_found_by_its_entry_point_and_keeps_the_contract(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    target = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*install, "--target", str(target), str(FIXTURES / "tiny_family")], check=True, timeout=120)
    code = """
from forge.families.loading import load, names
family = load("tiny")
print(type(family).__module__, type(family).__name__, family.name, names()["tiny"].value)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(FIXTURES.parents[1]), str(target)])},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == ["forge_tiny", "TinyFamily", "tiny", "forge_tiny:TinyFamily"], done.stderr


class RaisesOnControlCharacters(TinyFamily):
    def read(self, item: TinyItem, condition: str, response: Response, scope: str = "answer") -> Reading:
        if "\x00" in response.text:
            raise ValueError("a null byte")
        return super().read(item, condition, response, scope)


class Remembers(TinyFamily):
    calls = 0

    def check(self, role: Role, seed: TinySeed, text: str, parent: str | None) -> Verdict:
        type(self).calls += 1
        return Verdict(role.value, passed=True, reason=str(self.calls))


class InventsLabels(TinyFamily):
    def read(self, item: TinyItem, condition: str, response: Response, scope: str = "answer") -> Reading:
        return Reading("surprised") if response.text else Reading(None, "empty")


class TrialsElsewhere(TinyFamily):
    def trials(self, seed: TinySeed, text: str) -> tuple[str, ...]:
        return ("moonlight",)


class LopsidedProbe(TinyFamily):
    def probe(self, seed: TinySeed) -> tuple[ProbeQuestion, ...]:
        return super().probe(seed)[:3]


class SameControl(TinyFamily):
    def control(self, item: TinyItem) -> str:
        return item.text


class RejectsItsOwn(TinyFamily):
    def guards(self, seed: TinySeed, text: str, parent: str | None) -> list[Finding]:
        return [Finding("mood", "no")]


class HighReference(TinyFamily):
    def references(self, item: TinyItem) -> dict[str, dict[str, float]]:
        return {"always_yes": {"rate": 1.5}}


class UnknownRole(TinyFamily):
    templates: Any = {"poet": "tiny/poet"}


class FailsAndPasses(TinyFamily):
    def outcome(self, readings: Mapping[str, Reading]) -> Outcome:
        return Outcome(TinyLabel.FALLS, Group.STRONG, Tier.STRONG, 1.0, failure=True, passed=True)


class NeverFails(TinyFamily):
    def outcome(self, readings: Mapping[str, Reading]) -> Outcome:
        return Outcome("unreadable", Group.NONE, None, 0.0, failure=False)


class GuessesSilence(TinyFamily):
    def read(self, item: TinyItem, condition: str, response: Response, scope: str = "answer") -> Reading:
        return Reading(TinyLabel.FALLS.value)


class FalseEvidence(TinyFamily):
    def read(self, item: TinyItem, condition: str, response: Response, scope: str = "answer") -> Reading:
        return Reading(TinyLabel.FALLS.value, evidence="never said") if response.text else Reading(None, "empty")


class FailsLint(TinyFamily):
    def lint(self, seed: TinySeed) -> list[LintFinding]:
        return [LintFinding(("prompt",), "not good enough")]


class DeafProbe(TinyFamily):
    def read_probe(self, question: ProbeQuestion, response: Response) -> Reading:
        return Reading(None, "deaf")


class HalfNatural(TinyFamily):
    def check(self, role: Role, seed: TinySeed, text: str, parent: str | None) -> Verdict:
        return Verdict(role.value, passed=True, score=0.5)


class Loose(TinyItem):
    model_config = {"frozen": False}


class LooseItem(TinyFamily):
    def item(self, seed: TinySeed, text: str) -> Any:
        return Loose(text=text, control_text=text.replace("never", "always"))


class AcceptsSilence(TinyFamily):
    def guards(self, seed: TinySeed, text: str, parent: str | None) -> list[Finding]:
        return []


@pytest.mark.parametrize(
    ("family", "promise"),
    [
        (RaisesOnControlCharacters, "read never raises"),
        (Remembers, "deterministic"),
        (InventsLabels, "within the enum"),
        (TrialsElsewhere, "among the conditions"),
        (LopsidedProbe, "balanced"),
        (SameControl, "control differs"),
        (RejectsItsOwn, "own wording"),
        (HighReference, "between 0 and 1"),
        (UnknownRole, "by role"),
        (FailsAndPasses, "both fails and passes"),
        (NeverFails, "some outcome is a failure"),
        (GuessesSilence, "empty answer is unreadable"),
        (FalseEvidence, "verbatim"),
        (FailsLint, "pass lint"),
        (DeafProbe, "bare yes"),
        (HalfNatural, "1 to 5"),
        (LooseItem, "frozen"),
        (AcceptsSilence, "empty wording"),
    ],
)
def test_a_broken_promise_is_named(family: type[TinyFamily], promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        assert_family_contract(family(), [seed()])


def test_what_is_no_family_is_refused() -> None:
    class Half:
        name = "half"

    with pytest.raises(AssertionError, match="every member"):
        assert_family_contract(Half(), [seed()])  # type: ignore[arg-type]
