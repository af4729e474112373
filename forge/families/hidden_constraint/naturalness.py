"""Surface naturalness by rules: three of the paper's five scores. Whether a scene is lifelike no rule can say."""

from __future__ import annotations

from forge.families.hidden_constraint import rendering
from forge.families.hidden_constraint.guards import advice_in, cues_in
from forge.families.hidden_constraint.seed import HiddenConstraintSeed
from forge.families.surface import (
    BEST,
    CONTRACTION,
    DOUBTS,
    EXAM,
    FIRST_PERSON,
    STILTED,
    WORST,
    clamped,
    conciseness,
    no_escape,
)
from forge.model.checks import Verdict
from forge.model.words import Role
from forge.text.normalise import sentences, squash

IDEAL_CHARACTERS = (150, 420)


def naturalness(seed: HiddenConstraintSeed, text: str) -> Verdict:
    """The verdict: `score` is the mean of the scores present; what it is worth is the routing table's to say."""
    scores = {
        "conciseness": conciseness(text, IDEAL_CHARACTERS),
        "concealment": _concealment(seed, text),
        "no_escape_word": no_escape(text),
    }
    weakest = min(scores, key=lambda name: (scores[name], name))
    details = {"name": "surface", "life_naturalness": None, "numeric_naturalness": None, **scores}
    return Verdict(
        Role.NATURALNESS.value,
        passed=True,
        reason=f"weakest: {weakest} {scores[weakest]:.1f}",
        score=round(sum(scores.values()) / len(scores), 6),
        details=details,
    )


def _concealment(seed: HiddenConstraintSeed, text: str) -> float:
    """1 when fact or cue is not there. Else the loss is: 1.5 for words of doubt; 1 for advice outside the question; 2
    without a first person; 0.5 per exam or stiff word, at most 2; 0.3 when nothing is contracted; 1 when fact and cue
    share the sentence of the question."""
    fact = squash(seed.fact.active).lower()
    if fact not in squash(text).lower() or not cues_in(seed, text):
        return WORST
    told = squash(text).replace(squash(seed.question), " ")
    lost = 1.5 if DOUBTS.search(told) else 0.0
    lost += 1.0 if advice_in(told) and not advice_in(rendering.active(seed).replace(seed.question, " ")) else 0.0
    lost += 0.0 if FIRST_PERSON.search(told) else 2.0
    lost += min(2.0, 0.5 * (len(EXAM.findall(told)) + len(STILTED.findall(told))))
    lost += 0.0 if CONTRACTION.search(text) else 0.3
    asked = [span.text for span in sentences(text) if span.text.endswith("?")]
    if any(fact in squash(one).lower() and cues_in(seed, one) for one in asked):
        lost += 1.0
    return clamped(BEST - lost)
