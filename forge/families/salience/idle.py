"""Finds negations that deny nothing of the plan: excuses of the writer, "no need", "not only". Judges nothing.

Standard library only, because exported readers ship it.
"""

from __future__ import annotations

import re

from forge.families.salience import phrases_en as en

_OWN = re.compile(r"(?:^|(?<![^\W_])(?:i|we|it|it's|is|i'm|we're|would|'d)(?: \w+){0,2}) *$")


def idle_spans(text: str) -> list[tuple[int, int]]:
    """Where lower-case text excuses its writer ("I can't say") or denies in passing ("you don't need to")."""
    excuses = [match.span() for match in en.EXCUSE.finditer(text) if _OWN.search(text[: match.start()])]
    return [*excuses, *(match.span() for match in en.IDLE_NOT.finditer(text))]
