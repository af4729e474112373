"""Fences untrusted text for a judge or checker. The text cannot close a fence that is named by the text's own hash."""

from __future__ import annotations

from forge.model.ids import text_digest


def fenced(text: str, what: str = "RESPONSE") -> str:
    """Return `text` between two marker lines that it cannot contain, short of a SHA-256 fixed point."""
    name = text_digest(text)[:16]
    return f"<<<{what} {name}>>>\n{text}\n<<<END OF {what} {name}>>>"
