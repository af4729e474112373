"""What the reader of a trap is told of its seed: one small record that an export can ship as JSON.

Standard library only. The reader of a control is never given this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class TrapKey:
    """The parts of a seed that reading an answer to its trap takes.

    Attributes:
        prompt: what the solver was shown.
        tool, object, action: the seed's triple.
        kind: the blocker's kind: property, condition, time, body or credential.
        needs: what the action needs and lacks.
        core: the trap core and the blocker as it stands in the trap, in sentences.
        edited: what the control edits.
        anchors: the key terms that have no alternative.
        plain, negated: the awareness terms.
        swaps: what a mended or swapped tool looks like.
        work: results that only an answer which does the task prints.
        english: the general English lexicons apply.
    """

    prompt: str
    tool: str
    object: str
    action: str
    kind: str
    needs: str
    core: tuple[str, ...]
    edited: tuple[str, ...]
    anchors: tuple[str, ...]
    plain: tuple[str, ...]
    negated: tuple[str, ...]
    swaps: tuple[str, ...]
    work: tuple[str, ...]
    english: bool = True

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> TrapKey:
        """From what `to_json` gave; lists become tuples.

        Raises:
            KeyError: a field is missing.
        """
        picked: dict[str, Any] = {field.name: values[field.name] for field in fields(cls)}
        for name, value in picked.items():
            picked[name] = tuple(value) if isinstance(value, list) else value
        return cls(**picked)
