"""The salience item: a wording that passed the guards, with its control and its two clause versions."""

from __future__ import annotations

from forge.families.salience import wording
from forge.families.salience.key import TrapKey
from forge.families.salience.seed import Awareness, Blocker, Dimension, SalienceSeed, SeedNumber, Triple
from forge.model.seeds import Frozen
from forge.text.edits import insert_after

TRAP, CONTROL, EXPLICIT, SALIENCE_CONTROL = "trap", "control", "explicit", "salience_control"
CONDITIONS = (TRAP, CONTROL, EXPLICIT, SALIENCE_CONTROL)


class SalienceItem(Frozen):
    """All that `render` and `read` need of a seed and one of its wordings."""

    seed: str
    lang: str
    dimension: Dimension
    text: str
    control_text: str
    explicit_text: str
    salience_control_text: str
    question: str
    trap_core: str
    ground_truth: str
    triple: Triple
    blocker: Blocker
    numbers: tuple[SeedNumber, ...]
    edited: tuple[str, ...]
    anchors: tuple[str, ...]
    awareness: Awareness
    swaps: tuple[str, ...]
    work: tuple[str, ...]
    expected: tuple[str, ...]

    def prompt(self, condition: str) -> str:
        """What a solver is shown under a condition.

        Raises:
            ValueError: there is no such condition.
        """
        if condition == TRAP:
            return self.text
        if condition == CONTROL:
            return self.control_text
        if condition == EXPLICIT:
            return self.explicit_text
        if condition == SALIENCE_CONTROL:
            return self.salience_control_text
        raise ValueError(f"no condition {condition!r}; one of {', '.join(CONDITIONS)}")

    def key(self, condition: str = TRAP) -> TrapKey:
        """What the trap's reader is told. Never for a control.

        Raises:
            ValueError: the condition is the control, or unknown.
        """
        if condition == CONTROL:
            raise ValueError("the reader of a control is told nothing of the trap")
        return TrapKey(
            prompt=self.prompt(condition),
            tool=self.triple.tool,
            object=self.triple.object,
            action=self.triple.action,
            kind=self.blocker.kind,
            needs=self.blocker.needs,
            core=(self.trap_core, self.blocker.trap),
            edited=self.edited,
            anchors=self.anchors,
            plain=self.awareness.plain,
            negated=self.awareness.negated,
            swaps=self.swaps,
            work=self.work,
            english=self.lang.lower().startswith("en"),
        )


def build(seed: SalienceSeed, text: str) -> SalienceItem:
    """Build the item of a wording.

    Raises:
        ValueError: an edit or a clause cannot be applied exactly once.
    """
    built = wording.pair(seed.edits, text)
    if built.control is None:
        raise ValueError(built.problem)
    return SalienceItem(
        seed=seed.id,
        lang=seed.lang,
        dimension=seed.dimension,
        text=text,
        control_text=built.control,
        explicit_text=insert_after(text, seed.explicit.after, seed.explicit.text),
        salience_control_text=insert_after(text, seed.salience_control.after, seed.salience_control.text),
        question=seed.question,
        trap_core=seed.trap_core,
        ground_truth=seed.ground_truth,
        triple=seed.triple,
        blocker=seed.blocker,
        numbers=seed.numbers,
        edited=tuple(old for old, _ in seed.edits),
        anchors=seed.anchors,
        awareness=seed.awareness,
        swaps=seed.swaps,
        work=seed.work,
        expected=seed.control.expected.any_of,
    )
