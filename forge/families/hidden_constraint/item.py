"""The hidden-constraint item: a wording that passed the guards, as a quartet with its two options in order."""

from __future__ import annotations

from forge.families.hidden_constraint import rendering
from forge.families.hidden_constraint.labels import ACTIVE, EXPLICIT, REMOVED, SALIENCE_CONTROL, ChoiceLabel, version_of
from forge.families.hidden_constraint.order import heavy_first
from forge.families.hidden_constraint.seed import ConstraintKind, Gold, Heuristic, HiddenConstraintSeed, Options, Why
from forge.model.seeds import Frozen
from forge.text.edits import apply_edits, insert_after


class HiddenConstraintItem(Frozen):
    """All that `render` and `read` need of a seed and one of its wordings.

    Attributes:
        text: the active version; every text is without options.
        constraint_heavy_first: the constraint-heavy option is A in the unswapped order, in every condition.
    """

    seed: str
    lang: str
    heuristic: Heuristic
    constraint_kind: ConstraintKind
    text: str
    removed_text: str
    explicit_text: str
    salience_control_text: str
    no_conflict_text: str
    question: str
    goal: str
    constraint: str
    options: Options
    constraint_heavy_first: bool
    gold: Gold
    why_unique: Why

    def version(self, name: str) -> str:
        """The text of a version, without options."""
        texts = {
            ACTIVE: self.text,
            REMOVED: self.removed_text,
            EXPLICIT: self.explicit_text,
            SALIENCE_CONTROL: self.salience_control_text,
        }
        return texts.get(name, self.no_conflict_text)

    def order(self, condition: str) -> tuple[ChoiceLabel, ChoiceLabel]:
        """The labels of options A and B under a condition.

        Raises:
            ValueError: there is no such condition.
        """
        heavy, quick = ChoiceLabel.CONSTRAINT_HEAVY, ChoiceLabel.HEURISTIC
        _, swapped = version_of(condition)
        return (heavy, quick) if self.constraint_heavy_first is not swapped else (quick, heavy)

    def listed(self, condition: str) -> tuple[str, str]:
        """The options' words as A and B under a condition.

        Raises:
            ValueError: there is no such condition.
        """
        first, second = self.order(condition)
        return self.options.text(first), self.options.text(second)

    def prompt(self, condition: str) -> str:
        """What a solver is shown under a condition; conditions differ in text or in the options' order alone.

        Raises:
            ValueError: there is no such condition.
        """
        name, _ = version_of(condition)
        return rendering.shown(self.version(name), self.listed(condition))


def build(seed: HiddenConstraintSeed, text: str) -> HiddenConstraintItem:
    """Build the item of a wording.

    Raises:
        ValueError: the fact or the clauses' place does not stand in it exactly once.
    """
    place = rendering.anchor(seed)
    if place is None:
        raise ValueError("no words in front of {clause} mark one place of the text")
    return HiddenConstraintItem(
        seed=seed.id,
        lang=seed.lang,
        heuristic=seed.heuristic,
        constraint_kind=seed.constraint_kind,
        text=text,
        removed_text=apply_edits(text, [rendering.fact_edit(seed)]),
        explicit_text=insert_after(text, place, seed.clause.explicit),
        salience_control_text=insert_after(text, place, seed.clause.salience_control),
        no_conflict_text=seed.no_conflict.text,
        question=seed.question,
        goal=seed.goal,
        constraint=seed.constraint,
        options=seed.options,
        constraint_heavy_first=heavy_first(seed.id),
        gold=seed.gold,
        why_unique=seed.why_unique,
    )
