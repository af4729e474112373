"""Kinds of fields that the seeds of several families have: what YAML may have made of a text is refused by name."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field


def _written(value: Any) -> Any:
    """Refuse blanks, and what YAML made of an unquoted number, date or yes/no: 382.80 would come back as 382.8."""
    if isinstance(value, bool | int | float):
        raise ValueError(f"write {value!r} between quotes: YAML reads it as a number or a truth value, not as text")
    if isinstance(value, str) and value and not value.strip():
        raise ValueError(f"{value!r} holds nothing but white space: write a word, or take it out")
    return value


Text = Annotated[str, BeforeValidator(_written), Field(min_length=1)]
