"""Releases: frozen items, the manifest that names their hashes, and what an exporter is given of them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from forge.model.scenarios import Order, Scenario, Selection
from forge.model.seeds import Frozen

FORMAT: Literal[1] = 1


class ReleaseItem(Frozen):
    """One line of items.jsonl (SaliTrap, appendix D: the schema; Core-100, section 5).

    Attributes:
        id: the scenario's id; unique within the release.
        wave: the wave that it was frozen in, from 1.
        trap_core, ground_truth, numbers, attack_tier: what the paper's schema names; `numbers` are the injected numbers,
            counted again in the text, without those that belong to the trap's core; empty or None where a family has
            none.
        naturalness: what raters or a checker gave, with `by` (`raters`, `rules` or a model), or None.
        certificate: the certificate of a grown item as JSON values (k of n, interval, models, counts), else None.
        cause, label: of the certificate; None without one.
        rated: figures per condition that the inclusion rule saw, or None where nobody rated it.
        included, included_cue: what the inclusion rule said; None where nobody rated it.
        lineage: the candidates from the seed's own wording to this one.
        origin: `grown`, `seed`, or `imported` (somebody else's benchmark).
        certified: whether its family's requirements hold; an imported item is frozen as uncertified.
    """

    format: Literal[1] = FORMAT
    id: str = Field(min_length=1)
    wave: int = Field(ge=1)
    scenario: Scenario
    trap_core: str = ""
    ground_truth: str = ""
    numbers: tuple[str, ...] = ()
    attack_tier: str | None = None
    naturalness: dict[str, Any] | None = None
    certificate: dict[str, Any] | None = None
    cause: str | None = None
    label: str | None = None
    rated: dict[str, Any] | None = None
    included: bool | None = None
    included_cue: bool | None = None
    lineage: tuple[str, ...] = ()
    origin: Literal["grown", "seed", "imported"]
    certified: bool


class ItemHash(Frozen):
    """One item in the manifest.

    Attributes:
        sha256: of the item's canonical JSON (RFC 8785), without the line's end.
        held_back: its text is in no public file.
    """

    id: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    wave: int = Field(ge=1)
    held_back: bool = False


class Wave(Frozen):
    """One freezing: waves append and never alter.

    Attributes:
        root: SHA-256 over `sha256 id` lines of all items up to and with this wave.
        frozen: UTC, ISO 8601 with seconds.
    """

    wave: int = Field(ge=1)
    items: int = Field(ge=0)
    root: str = Field(pattern=r"^[0-9a-f]{64}$")
    frozen: str
    source: str


class Manifest(Frozen):
    """manifest.json.

    Attributes:
        root: the last wave's.
        canary: a string with a GUID that stands in every export, so that training on it can be found.
        counts: what is counted → value → how many: family, cell, dimension, domain, origin, cause.
        models: role → declared model, over all runs that made the items: an evaluated model must not be among them.
        seeds: seed → its content id.
        prompts: template → SHA-256.
        versions: forge and the libraries that made it.
    """

    format: Literal[1] = FORMAT
    name: str
    root: str = Field(pattern=r"^[0-9a-f]{64}$")
    families: tuple[str, ...]
    selection: Selection
    order: Order | None = None
    certified: bool
    canary: str
    licence: str
    waves: tuple[Wave, ...]
    items: tuple[ItemHash, ...]
    counts: dict[str, dict[str, int]]
    profile: dict[str, Any] = {}
    models: dict[str, tuple[str, ...]] = {}
    prompts: dict[str, str] = {}
    seeds: dict[str, str] = {}
    versions: dict[str, str] = {}
    files: dict[str, str] = {}


class Release(Frozen):
    """A release as read and verified: what an exporter, a runner and a report are given.

    Attributes:
        items: those whose text is at hand, in the manifest's order.
    """

    manifest: Manifest
    items: tuple[ReleaseItem, ...]
    card: str = ""
