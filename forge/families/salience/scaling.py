"""Makes salience seed sets scalable: what filters compare, and seeds from a model's reply or from another wording."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from forge.families.base import Facets
from forge.families.salience import wording
from forge.families.salience.guards import guards
from forge.families.salience.seed import SalienceSeed
from forge.families.salience.tables.composer import SalienceComposer
from forge.families.salience.tables.ingredients import Table
from forge.families.salience.tables.pairing import slug
from forge.families.salience.tables.phrases import with_clause
from forge.model.errors import listed
from forge.text.edits import occurrences

_LONE = re.compile("[\ud800-\udfff]")
_HEADER = ("set", "family", "lang", "licence", "dimension")
_SHOWN = (
    "name", "domain", "niche", "triple", "blocker", "prompt", "question", "trap_core", "ground_truth", "numbers",
    "key_terms", "awareness", "swaps", "work", "probe", "control", "explicit", "salience_control", "hints",
)  # fmt: skip
"""The fields of a seed that a proposer writes; forge writes the others."""


def facets(seed: SalienceSeed) -> Facets:
    """What the deduplication filters compare (SaliTrap 3.3.1)."""
    niche = {"setting": seed.niche.setting, "class": seed.niche.class_, "quantity": seed.niche.quantity}
    triple = (seed.triple.tool, seed.triple.object, seed.triple.action)
    return Facets(seed.name, seed.prompt, seed.trap_core, triple, niche, seed.blocker.needs)


def composer(document: Any, header: Mapping[str, Any]) -> SalienceComposer:
    """Read a table of ingredients.

    Raises:
        pydantic.ValidationError: the document has not the table's form.
    """
    return SalienceComposer(Table.model_validate(document), header)


def exemplar(seed: SalienceSeed) -> dict[str, Any]:
    """A seed as the proposer's reply would hold it."""
    fields = seed.model_dump(mode="json", by_alias=True)
    return {name: fields[name] for name in _SHOWN}


def drafted(reply: Mapping[str, Any], header: Mapping[str, Any], ordinal: int) -> SalienceSeed:
    """Make a seed of one entry of the proposer's reply.

    Raises:
        ValueError: it is no valid seed; the message names the fields.
    """
    fields = {name: reply[name] for name in _SHOWN if name in reply}
    if _LONE.search(json.dumps(fields, ensure_ascii=False)):
        raise ValueError("a text holds half a character (a lone surrogate), which no file can hold")
    about = {
        "id": f"{header.get('scaled_from', header['set'])}-m{ordinal:03d}-{slug(str(reply.get('name', '')))[:48].strip('-') or 'seed'}",
        "author": {"kind": "model"},
        "source": "proposed by a model",
    }
    shared = {key: header[key] for key in _HEADER if key in header}
    try:
        return SalienceSeed.model_validate({**shared, **fields, **about})
    except ValidationError as error:
        found = [f"{'.'.join(map(str, part['loc']))}: {part['msg']}" for part in error.errors(include_url=False)]
        raise ValueError(listed(found, 3)) from error


def reworded(seed: SalienceSeed, text: str) -> SalienceSeed:
    """The seed with another wording of its prompt: the same plan, numbers, trap and question.

    Numbers that the wording says otherwise ("three minutes") are listed only when the sum does not need them.

    Raises:
        ValueError: a guard objects, the question is lost, or a number that the sum needs is written otherwise.
    """
    text = " ".join(text.split())
    objections = guards(seed, text, seed.prompt)
    if objections:
        raise ValueError(f"{objections[0].guard}: {objections[0].message}")
    if not wording.same_text(seed.question, text):
        raise ValueError("question: not word for word")
    numbers = [number for number in seed.numbers if occurrences(text, number.text)]
    lost = [number.text for number in seed.numbers if number.keep and number not in numbers]
    if lost:
        raise ValueError(f"numbers: {', '.join(lost)} written otherwise")
    clauses = {}
    for name, clause in (("explicit", seed.explicit), ("salience_control", seed.salience_control)):
        bare = clause.text.strip(" ,")
        clauses[name] = {"after": clause.after, "text": with_clause(text, clause.after, bare)}
    fields = seed.model_dump(mode="json", by_alias=True)
    fields |= {"prompt": text, "numbers": [number.model_dump() for number in numbers], **clauses}
    return SalienceSeed.model_validate(fields)
