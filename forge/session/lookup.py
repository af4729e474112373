"""Finds seeds, sets and families by name across the workspace, for commands that look at one of them."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from forge.families import loading
from forge.families.base import Family
from forge.model.errors import ConfigError, ForgeError, SeedError, listed
from forge.model.seeds import SeedSet
from forge.model.words import Role
from forge.workspace import seedfiles
from forge.workspace.seedfiles import Loaded, Problem, SetRef

if TYPE_CHECKING:
    from forge.session.session import Session


@dataclass(frozen=True)
class FoundSeed:
    """One seed, with the set it stands in.

    Attributes:
        full_name: the set's, FAMILY/NAME.
    """

    family: Family
    seeds: SeedSet
    seed: Any
    full_name: str

    @property
    def extends(self) -> str | None:
        """The family that the set's header extends."""
        return str(self.seeds.header.get("extends", "")) or None


@dataclass(frozen=True)
class SetState:
    """One seed set as it lies on disk.

    Attributes:
        error: why it cannot be read at all, else None.
    """

    ref: SetRef
    header: dict[str, Any]
    seeds: int
    loaded: Loaded | None
    error: ForgeError | None

    @property
    def errors(self) -> int:
        """How many errors lint found; one when the file cannot be read."""
        return 1 if self.loaded is None else len(self.loaded.errors)

    @property
    def warnings(self) -> int:
        """How many warnings lint gave."""
        return 0 if self.loaded is None else len(self.loaded.problems) - len(self.loaded.errors)


def sets(session: Session, *, lint: bool = True) -> list[SetState]:
    """Return every seed set under the workspace's roots, read and linted; one that fails holds its error."""
    states = []
    for ref in seedfiles.available(session.workspace.roots("seeds")):
        header, count = _glance(ref)
        try:
            states.append(SetState(ref, header, count, session.loaded(str(ref.path), lint=lint)[1], None))
        except ForgeError as error:
            states.append(SetState(ref, header, count, None, error))
    return states


def _glance(ref: SetRef) -> tuple[dict[str, Any], int]:
    """Return a file's header and its number of seeds as they are written, without any judgement."""
    import yaml

    try:
        data = yaml.safe_load(ref.path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return {}, 0
    if not isinstance(data, dict):
        return {}, 0
    rows = data.get("seeds")
    return {str(key): value for key, value in data.items() if key != "seeds"}, len(rows) if isinstance(
        rows, list
    ) else 0


def find_seed(session: Session, seed_id: str, seed_set: str | None = None) -> FoundSeed:
    """Return the seed with an id, from one set or from whichever has it. Lint's findings do not forbid it.

    Raises:
        ConfigError: no seed has the id, with the nearest ids; or several sets have it.
        SeedError: the named set cannot be read, or its seeds do not fit the schema.
    """
    if seed_set is not None:
        family, loaded = session.loaded(seed_set, lint=False)
        if loaded.seeds is None:
            lines = "\n".join(f"  {problem}" for problem in loaded.errors[:20])
            raise SeedError(f"the seed set {seed_set} cannot be used\n{lines}", fix=f"`forge seeds lint {seed_set}`")
        places = [(family, loaded.seeds, f"{family.name}/{loaded.seeds.name}")]
        broken: list[str] = []
    else:
        states = sets(session, lint=False)
        places = [
            (session.family(*seedfiles.family_of(state.ref.path)), state.loaded.seeds, state.ref.name)
            for state in states
            if state.loaded is not None and state.loaded.seeds is not None
        ]
        broken = [state.ref.name for state in states if state.errors]
    found = [
        FoundSeed(family, seeds, seed, name)
        for family, seeds, name in places
        for seed in seeds.seeds
        if seed.id == seed_id
    ]
    if len(found) == 1:
        return found[0]
    if found:
        names = listed([one.full_name for one in found])
        raise ConfigError(f"several sets have a seed {seed_id}: {names}", fix="name one with --seed-set")
    ids = [seed.id for _, seeds, _ in places for seed in seeds.seeds]
    near = difflib.get_close_matches(seed_id, ids, n=3, cutoff=0.4)
    hint = f"did you mean {listed(near)}? " if near else ""
    unread = f"; not searched, for they have errors: {listed(broken)}" if broken else ""
    raise ConfigError(f"no seed {seed_id}{unread}", fix=f"{hint}`forge seeds list` and `forge seeds show SET` show all")


def is_set(session: Session, name: str) -> bool:
    """Whether a seed set is called so, in full or bare, or lies at this path."""
    if name.endswith((".yaml", ".yml")):
        return True
    known = seedfiles.available(session.workspace.roots("seeds"))
    return any(name in (ref.name, ref.bare) for ref in known)


def path_of(session: Session, name: str) -> str:
    """Return where a seed set lies, by name or by path.

    Raises:
        ConfigError: there is no such set.
    """
    if name.endswith((".yaml", ".yml")):
        return name
    return str(seedfiles.resolve(name, session.workspace.roots("seeds")).path)


def unreadable(error: ForgeError, name: str) -> Problem:
    """Return what keeps a whole file from being read as one problem, on the line that the error names."""
    path, _, line = (error.where or name).rpartition(":")
    where, number = (path, int(line)) if path and line.isdigit() else (error.where or name, 1)
    message = " ".join(error.what.split())
    return Problem(where, number, "", f"{message}: {error.fix}" if error.fix else message)


def find_family(session: Session, name: str) -> tuple[Family, str | None]:
    """Return a family by name, and the family it extends when it has no code of its own.

    Raises:
        FamilyError: there is none, with the nearest names; or it cannot be loaded.
    """
    if name not in loading.names():
        for ref in seedfiles.available(session.workspace.roots("seeds")):
            if ref.family == name:
                owner, extends = seedfiles.family_of(ref.path)
                if owner == name and extends:
                    return session.family(name, extends), extends
    return session.family(name), None


def find_role(name: str) -> Role:
    """Return a role by name.

    Raises:
        ConfigError: there is none, with the nearest names.
    """
    names = [role.value for role in Role]
    if name in names:
        return Role(name)
    near = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.4) or names
    raise ConfigError(f"no role {name}", fix=f"did you mean {listed(near, 10)}?")
