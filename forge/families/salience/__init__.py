"""Salience traps: everyday plans that cannot work, asked as sums. The package only hands out its family, lazily."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forge.families.salience.family import SalienceFamily

__all__ = ["SalienceFamily"]


def __getattr__(name: str) -> Any:
    """Load the family on first use: the readers beside it must stay importable without pydantic."""
    if name == "SalienceFamily":
        from forge.families.salience.family import SalienceFamily

        return SalienceFamily
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
