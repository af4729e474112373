"""Fakes that forge ships for its own tests, for benchmarks and for authors of families and profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forge.testing.contract import assert_family_contract

__all__ = ["assert_family_contract"]


def __getattr__(name: str) -> Any:
    """Load the contract when it is first asked for (PEP 562): fakes alone stay cheap to import."""
    if name == "assert_family_contract":
        from forge.testing.contract import assert_family_contract

        return assert_family_contract
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
