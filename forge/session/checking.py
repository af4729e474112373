"""Runs guards and checkers on one wording, and shows what roles would be sent, before anything is paid for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from forge.agents.alignment import alignment
from forge.agents.fence import fenced
from forge.agents.naturalness import naturalness
from forge.agents.room import Room
from forge.agents.truth import truth
from forge.families.base import Family
from forge.grow.routes import Facts, route
from forge.model.calls import Fault, Message
from forge.model.checks import Finding, Response, Verdict
from forge.model.errors import UsageError
from forge.model.profile import Limits
from forge.model.words import REWRITERS, Role
from forge.prompts.collection import PromptLibrary
from forge.text.edits import PairEdits, compare


@dataclass(frozen=True)
class Checked:
    """What guards and checkers say of one wording, and where it would go before any solver is asked."""

    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...]
    faults: tuple[str, ...]
    route: str
    why: str
    control: str | None
    pair: PairEdits | None

    def document(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "findings": [asdict(finding) for finding in self.findings],
            "verdicts": [asdict(verdict) for verdict in self.verdicts],
            "faults": list(self.faults),
            "route": self.route,
            "why": self.why,
            "control": self.control,
            "pair": None
            if self.pair is None
            else {
                "words": self.pair.words,
                "token_edits": self.pair.token_edits,
                "spans": len(self.pair.spans),
                "similarity": self.pair.similarity,
            },
        }


async def check(room: Room, seed: Any, text: str) -> Checked:
    """Run all guards, and the three checkers even when a guard objects."""
    findings = tuple(room.family.guards(seed, text, room.family.wording(seed)))
    asked = {
        Role.TRUTH: await truth(room, seed, text, None),
        Role.ALIGNMENT: await alignment(room, seed, text, None),
        Role.NATURALNESS: await naturalness(room, seed, text, None),
    }
    verdicts = {role: verdict for role, verdict in asked.items() if isinstance(verdict, Verdict)}
    faults = tuple(f"{role}: {verdict}" for role, verdict in asked.items() if isinstance(verdict, Fault))
    scored = verdicts.get(Role.NATURALNESS)
    facts = Facts(
        guards=not findings,
        truth=verdicts[Role.TRUTH].passed if Role.TRUTH in verdicts else None,
        alignment=verdicts[Role.ALIGNMENT].passed if Role.ALIGNMENT in verdicts else None,
        naturalness=scored.score if scored else None,
        scored=None if scored is None else scored.score is not None,
    )
    routed = route(facts, room.profile.limits)
    control, pair = _pair(room.family, seed, text)
    return Checked(findings, tuple(verdicts.values()), faults, routed.route.value, routed.why, control, pair)


def _pair(family: Family, seed: Any, text: str) -> tuple[str | None, PairEdits | None]:
    try:
        control = family.control(family.item(seed, text))
    except ValueError:
        return None, None
    return control, compare(text, control)


def shown(family: Family, prompts: PromptLibrary, role: Role, seed: Any, condition: str) -> tuple[Message, ...]:
    """Return the messages that a role would be sent for a seed's own wording.

    Raises:
        UsageError: the condition is not the family's.
        PromptError: the template is missing or malformed.
    """
    text = family.wording(seed)
    item = family.item(seed, text)
    if condition not in family.conditions:
        raise UsageError("no such condition", value=condition, fix=f"one of {', '.join(family.conditions)}")
    if role is Role.SOLVER:
        prompt = family.render(item, condition)
        return Message("system", prompt.system), Message("user", prompt.user)
    if role is Role.JUDGE:
        answer = "(the solver's answer)"
        variables = {
            **family.judge_context(item, condition, Response(answer)),
            "response": fenced(answer),
            "doubt": None,
        }
        return prompts.render(family.judge_template(condition), variables)
    variables = {
        **family.context(role, seed, text, None),
        "fenced_text": fenced(text, "MESSAGE"),
        "fenced_parent": fenced(text, "MESSAGE"),
    }
    if role in REWRITERS:
        voices = prompts.get(family.templates[role]).extra.get("voices") or ["yourself"]
        variables.update(voice=voices[0], intensity=1 if role is Role.ANNEALER else 0, operator=role.value)
    return prompts.render(family.templates[role], variables)


def bounds(limits: Limits) -> dict[str, Any]:
    """Return the limits as JSON values, for tables."""
    return limits.model_dump(mode="json")
