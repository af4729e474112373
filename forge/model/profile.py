"""Which model plays each role, with limits, weights, endpoints and prices. Values only: config.py reads them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from forge.model.scenarios import Order, Selection
from forge.model.seeds import Frozen
from forge.model.words import Role

RULES = "rules"


class RoleSpec(Frozen):
    """Who plays a role, and how it decodes.

    Attributes:
        models: litellm model strings (`openai/…`, `local/…`), asked in order as a pool; or the one word `rules`.
        temperature: sampling temperature; part of the ledger key, as are top_p and `extra`.
        max_tokens: reply limit; not part of the ledger key.
        reasoning_effort: passed through where a provider knows it; part of the ledger key.
    """

    models: tuple[str, ...] = (RULES,)
    temperature: float = Field(0.0, ge=0.0, le=2.0)
    top_p: float | None = Field(None, gt=0.0, le=1.0)
    max_tokens: int = Field(512, ge=1)
    reasoning_effort: str | None = None
    system: str = ""
    """The solver's system message. Empty, as in the paper (F.3), unless a profile asks for something, such as brief
    answers from a slow local model; it stands in every certificate. Other roles have templates and ignore it."""

    @property
    def rules(self) -> bool:
        """Whether rules play it."""
        return self.models == (RULES,)

    @property
    def declared(self) -> str:
        """The declared model, for tables: the pool in order."""
        return " | ".join(self.models)

    @model_validator(mode="after")
    def _pool(self) -> RoleSpec:
        if not self.models:
            raise ValueError("name at least one model, or rules")
        if RULES in self.models and len(self.models) > 1:
            raise ValueError("rules cannot be part of a pool")
        return self


class Weights(Frozen):
    """Weights of the composite score (papers/README.md; SaliTrap 3.3.3). `length_unit` is characters per point of
    length penalty: 250 for alphabetic scripts, 100 in the authors' code for Chinese."""

    strong: float = 300
    soft: float = 200
    strict_pass: float = 20
    naturalness: float = 20
    natural_enough: float = 40
    aligned: float = 20
    sub_task_escape: float = -100
    near_duplicate: float = -5
    length_unit: float = Field(250, gt=0)
    length_most: float = 3


class Limits(Frozen):
    """Every threshold and bound of the search (papers/README.md; design section 4)."""

    to_certify: float = 3.5
    to_solve: float = 2.5
    to_enhance: float = 3.0
    duplicate: float = Field(0.985, gt=0, le=1)
    near_duplicate: float = Field(0.88, gt=0, le=1)
    generator_rounds: int = Field(2, ge=0)
    anneal_rounds: int = Field(3, ge=0)
    pre_solver_rounds: int = Field(3, ge=0)
    enhance_rounds: int = Field(2, ge=0)
    redraws: int = Field(2, ge=0)
    rewrite_repairs: int = Field(1, ge=0, le=1)
    """How often a rewriter whose wording the guards object to is asked again, where its template has an `again`."""
    max_candidates: int = Field(12, ge=1)
    max_steps: int = Field(18, ge=0)
    patience: int = Field(2, ge=1)
    gain: float = 0.3
    top_k: int = Field(5, ge=1)
    certify_tries: int | None = Field(None, ge=1)
    """Most candidates per seed that certification is tried on; None: until top_k have passed."""
    stability_samples: int = Field(5, ge=1)
    stability_needed: int = Field(3, ge=1)
    diagnosis_samples: int = Field(3, ge=1)
    weights: Weights = Weights()

    @model_validator(mode="after")
    def _consistent(self) -> Limits:
        if self.stability_needed > self.stability_samples:
            raise ValueError("stability_needed is above stability_samples")
        if self.near_duplicate > self.duplicate:
            raise ValueError("near_duplicate is above duplicate")
        return self


class Scaling(Frozen):
    """How `forge scale` proposes seeds (SaliTrap E.1)."""

    proposer: Literal["compose", "model"] = "compose"
    """Who proposes: a table of ingredients, or the generator's model."""
    voice: Literal["opening", "message", "none"] = "message"
    """What the generator words of a composed seed: its opening alone, which suits a small model, or all of it."""
    voice_tries: int = Field(2, ge=1)
    """How often an opening is asked for until one is taken; without one the table's own wording stands."""
    wave: int = Field(4, ge=1)
    """Batches whose prompts depend only on what earlier waves accepted; so many may run at once."""
    batch: int = Field(3, ge=1)
    """Seeds asked for in one batch."""
    exemplars: int = Field(3, ge=0)
    recent_tokens: int = Field(600, ge=0)
    """Room for the names and triples of accepted seeds in a batch's prompt, newest first."""
    max_tokens: int = Field(6000, ge=1)
    """Reply limit of one batch."""
    patience: int = Field(3, ge=1)
    """Waves that accept nothing before a model's proposals count as used up."""
    need_share: float = Field(0.15, gt=0, le=1)
    """Most seeds that may rest on one need: many items on few truths are few clusters."""


class Price(Frozen):
    """US dollars per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(None, ge=0)


class Endpoint(Frozen):
    """How hard one provider may be pressed. Found by the model string's prefix before the first slash, or by the
    whole model string."""

    api_base: str | None = None
    api_key_env: str | None = Field(None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    concurrency: int = Field(8, ge=1)
    per_second: float | None = Field(None, gt=0)
    per_minute: float | None = Field(None, gt=0)
    timeout: float = Field(120.0, gt=0)
    retries: int = Field(6, ge=0)
    breaker_after: int = Field(8, ge=1)
    """Consecutive faults after which the endpoint rests for `breaker_rest` seconds."""
    breaker_rest: float = Field(30.0, ge=0)


class Profile(Frozen):
    """Everything that decides what a run asks of whom."""

    name: str
    roles: dict[Role, RoleSpec]
    limits: Limits = Limits()
    scaling: Scaling = Scaling()
    endpoints: dict[str, Endpoint] = {}
    prices: dict[str, Price] = {}
    scope: Literal["answer", "reasoning+answer"] = "answer"
    selection: Selection | None = None
    """How scenarios get into a set of pairs; None takes the family's own."""
    order: Order = Order.BALANCED
    """How it is decided which of two options is shown first in a set of pairs."""
    workers: int = Field(8, ge=1)
    """Seeds grown at once. It changes nothing but the time a run takes."""
    trials_at_once: int = Field(16, ge=1)
    """Samples of one certification asked at once. One after the other suits a local server, which then reads their
    common prompt once."""

    @model_validator(mode="after")
    def _complete(self) -> Profile:
        missing = [role.value for role in Role if role not in self.roles]
        if missing:
            raise ValueError(f"the profile names nobody for: {', '.join(missing)}")
        for role in (Role.SOLVER, Role.GENERATOR, Role.ANNEALER, Role.ENHANCER):
            if self.roles[role].rules:
                raise ValueError(f"rules cannot play {role.value}: it needs a model")
        if len(self.roles[Role.SOLVER].models) != 1:
            raise ValueError("the solver is one pinned model, never a pool: a certificate names who failed")
        return self

    @property
    def models(self) -> tuple[str, ...]:
        """All model strings that the profile may call, sorted."""
        return tuple(sorted({m for spec in self.roles.values() if not spec.rules for m in spec.models}))
