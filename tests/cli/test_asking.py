"""What a run costs is said before it starts, and nobody pays unasked."""

from __future__ import annotations

import click
import pytest

from forge.cli import asking
from forge.config.shipped import PROFILES
from forge.model.errors import UsageError
from forge.model.profile import Endpoint, Profile
from forge.session.estimate import Estimate


def told(usd: float | None) -> Estimate:
    most = None if usd is None else usd * 4
    return Estimate(seeds=2, calls=100, most_calls=400, tokens=(1, 1), usd=usd, most_usd=most, seconds=0)


def profile(model: str = "openai/gpt-x", base: str | None = None) -> Profile:
    roles = {role: {"models": ["rules"]} for role in PROFILES["local"]["roles"]}
    for role in ("generator", "annealer", "enhancer", "solver"):
        roles[role] = {"models": [model]}
    return Profile.model_validate({"name": "p", "roles": roles, "endpoints": {"openai": Endpoint(api_base=base)}})


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can be asked."""
    monkeypatch.setattr(asking, "interactive", lambda: False)
    monkeypatch.setattr(click, "confirm", lambda *a, **k: pytest.fail("nobody is there to be asked"))


class Person:
    """Somebody at a terminal, who answers and counts."""

    def __init__(self, answer: bool) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def __call__(self, text: str, **_: object) -> bool:
        self.asked.append(text)
        return self.answer


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Person:
    somebody = Person(True)
    monkeypatch.setattr(asking, "interactive", lambda: True)
    monkeypatch.setattr(click, "confirm", somebody)
    return somebody


def allow(usd: float | None, who: Profile | None = None, **given: object) -> None:
    bounds = {"max_usd": None, "max_calls": None, "yes": False, **given}
    asking.allow(who or profile(), told(usd), **bounds)  # type: ignore[arg-type]


@pytest.mark.usefixtures("alone")
def test_nobody_to_ask_a_run_that_costs_needs_a_limit_in_dollars() -> None:
    with pytest.raises(UsageError, match="would cost about") as caught:
        allow(0.02)
    assert caught.value.exit_code == 2
    assert "--max-usd" in str(caught.value)
    with pytest.raises(UsageError):
        allow(0.02, yes=True)
    allow(50.0, max_usd=100.0)
    allow(0.0)


@pytest.mark.usefixtures("alone")
def test_nobody_to_ask_an_unknown_price_needs_a_limit_in_calls() -> None:
    with pytest.raises(UsageError, match="price of a model is unknown"):
        allow(None)
    allow(None, max_calls=10)
    allow(None, yes=True)
    allow(None, profile("local/qwen2.5-coder-1.5b"))
    allow(None, profile(base="http://127.0.0.1:8000/v1"))
    with pytest.raises(UsageError):
        allow(None, profile(base="http://127.0.0.1.example.org/v1"))


def test_above_a_dollar_a_person_is_asked_once(person: Person) -> None:
    allow(1.0)
    allow(1.5, max_usd=0.5)
    allow(1.5, yes=True)
    allow(None, max_calls=3, yes=True)
    assert person.asked == []
    allow(1.5)
    allow(None)
    assert ["$1.50" in text or "unknown" in text for text in person.asked] == [True, True]


def test_no_is_no(person: Person) -> None:
    person.answer = False
    with pytest.raises(click.Abort):
        allow(2.0)


def test_money_in_words() -> None:
    assert asking.money(profile("local/qwen2.5-coder-1.5b"), told(0.0)) == "free (local)"
    assert asking.money(profile(), told(None)) == "unknown price"
    assert asking.money(profile(), told(0.5)) == "$0.50 likely, $2.00 at most"
