"""The composition root: what a notebook imports. `from forge.session import Session`; its methods are coroutines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forge.session.session import Session

__all__ = ["Session"]


def __getattr__(name: str) -> Any:
    # Loaded when first asked for, so that reading the package's parts stays cheap.
    if name == "Session":
        from forge.session.session import Session

        return Session
    raise AttributeError(name)
