"""The closed vocabularies: roles, operators, routes, states, groups, tiers and causes."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What a model, or `rules`, is asked to be."""

    VIABILITY = "viability"
    GENERATOR = "generator"
    TRUTH = "truth"
    ALIGNMENT = "alignment"
    NATURALNESS = "naturalness"
    SOLVER = "solver"
    JUDGE = "judge"
    ANNEALER = "annealer"
    ENHANCER = "enhancer"
    COMPLIANCE = "compliance"


CHECKERS = (Role.TRUTH, Role.ALIGNMENT, Role.NATURALNESS)
REWRITERS = (Role.GENERATOR, Role.ANNEALER, Role.ENHANCER)


class Operator(StrEnum):
    """How a candidate came about. `seed` is c0, the seed's own wording."""

    SEED = "seed"
    GENERATE = "generate"
    ANNEAL = "anneal"
    PRE_SOLVER_ANNEAL = "pre_solver_anneal"
    ENHANCE = "enhance"

    @property
    def role(self) -> Role:
        """The role that carries the operator out."""
        return _OPERATOR_ROLES[self]


_OPERATOR_ROLES = {
    Operator.GENERATE: Role.GENERATOR,
    Operator.ANNEAL: Role.ANNEALER,
    Operator.PRE_SOLVER_ANNEAL: Role.ANNEALER,
    Operator.ENHANCE: Role.ENHANCER,
}


class Route(StrEnum):
    """Where a candidate goes next (SaliTrap 3.3.2, Routing)."""

    ARCHIVE = "archive"
    PRE_SOLVER_ANNEAL = "pre_solver_anneal"
    SOLVE = "solve"
    CERTIFY = "certify"
    ANNEAL = "anneal"
    ENHANCE = "enhance"


class State(StrEnum):
    """How a seed ends a run."""

    CERTIFIED = "certified"
    EXHAUSTED = "exhausted"
    FAILED = "failed"
    PENDING = "pending"


class Group(StrEnum):
    """The group that stability is counted in."""

    STRONG = "strong"
    SOFT = "soft"
    NONE = "none"


class Tier(StrEnum):
    """The attack tier of a failure (SaliTrap D.1)."""

    STRONG = "strong"
    SOFT = "soft"


class Cause(StrEnum):
    """Why the certified solver failed."""

    SALIENCE = "salience"
    IGNORANCE = "ignorance"
    COMPLIANCE = "compliance"
    INCAPACITY = "incapacity"
    POSITION = "position"
    UNCLEAR = "unclear"


class Knows(StrEnum):
    """What the balanced probe says of the solver's knowledge."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


class Grade(StrEnum):
    """Viability of a seed (SaliTrap E.1)."""

    A = "A"
    A_MINUS = "A-"
    B = "B"
    C = "C"
