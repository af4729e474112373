"""Hidden constraints: a cue pulls to one of two options, an unstated constraint makes the other one right.

The package only hands out its family, lazily.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forge.families.hidden_constraint.family import HiddenConstraintFamily

__all__ = ["HiddenConstraintFamily"]


def __getattr__(name: str) -> Any:
    """Load the family on first use: the reader beside it must stay importable without pydantic."""
    if name == "HiddenConstraintFamily":
        from forge.families.hidden_constraint.family import HiddenConstraintFamily

        return HiddenConstraintFamily
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
