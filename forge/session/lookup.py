"""Finds seeds, sets and families by name across the workspace, for commands that look at one of them."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forge.families import loading
from forge.families.base import Family, Scalable
from forge.model.errors import ConfigError, ForgeError, SeedError, listed
from forge.model.seeds import SeedSet
from forge.model.words import Role
from forge.workspace import seedfiles, tablefiles
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
        header, ids = _glance(ref)
        try:
            # What a set includes is linted where it stands.
            loaded = _read(session, ref, header, lint and "includes" not in header)[1]
            count = len(loaded.seeds.seeds) if "includes" in header and loaded.seeds else len(ids)
            states.append(SetState(ref, header, count, loaded, None))
        except ForgeError as error:
            states.append(SetState(ref, header, len(ids), None, error))
    return states


def _read(session: Session, ref: SetRef, header: dict[str, Any], lint: bool) -> tuple[Family, Loaded]:
    """Read a set whose header has been looked at; an odd header goes the long way, which says what is wrong."""
    family, extends = header.get("family"), header.get("extends")
    if not isinstance(family, str) or not isinstance(extends, str | None):
        return session.loaded(str(ref.path), lint=lint)
    made = session.family(family, extends)
    return made, seedfiles.read(ref.path, made, lint=lint, roots=session.workspace.roots("seeds"))


def _glance(ref: SetRef) -> tuple[dict[str, Any], list[str]]:
    """Return a file's header and the ids of its seeds as they are written, without any judgement."""
    import yaml

    try:
        # The C parser, where there is one, is ten times as fast; it gives the same data.
        data = yaml.load(_text(ref), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return {}, []
    if not isinstance(data, dict):
        return {}, []
    header = {str(key): value for key, value in data.items() if key != "seeds"}
    rows = data.get("seeds")
    ids = [str(row.get("id", "")) if isinstance(row, dict) else "" for row in (rows if isinstance(rows, list) else ())]
    return header, ids


def _text(ref: SetRef) -> str:
    try:
        return ref.path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def find_seed(session: Session, seed_id: str, seed_set: str | None = None) -> FoundSeed:
    """Return the seed with an id, from one set or from whichever has it. Lint's findings do not forbid it.

    Raises:
        ConfigError: no seed has the id, with the nearest ids; or several sets have it.
        SeedError: the set cannot be read, or its seeds do not fit the schema.
    """
    if seed_set is not None:
        refs = [seedfiles.SetRef("", seed_set, Path(path_of(session, seed_set)))]
    else:
        refs = seedfiles.available(session.workspace.roots("seeds"))
    found = [one for ref in refs if seed_id in _text(ref) for one in _in_set(session, ref, seed_id)]
    if len(found) == 1:
        return found[0]
    if found:
        names = listed([one.full_name for one in found])
        raise ConfigError(f"several sets have a seed {seed_id}: {names}", fix="name one with --seed-set")
    ids = [seed for ref in refs for seed in _glance(ref)[1]]
    near = difflib.get_close_matches(seed_id, ids, n=3, cutoff=0.4)
    hint = f"did you mean {listed(near)}? " if near else ""
    where = f"seed set {seed_set}" if seed_set else None
    raise ConfigError(
        f"no seed {seed_id}", where=where, fix=f"{hint}`forge seeds list` and `forge seeds show SET` show all"
    )


def _in_set(session: Session, ref: SetRef, seed_id: str) -> list[FoundSeed]:
    """Return the seeds of a set that have an id."""
    header, ids = _glance(ref)
    if seed_id not in ids and "sets" not in header:
        return []
    family, loaded = _read(session, ref, header, lint=False)
    if loaded.seeds is None:
        lines = "\n".join(f"  {problem}" for problem in loaded.errors[:20])
        raise SeedError(
            f"the seed set of {seed_id} cannot be used\n{lines}", fix=f"`forge seeds lint {ref.path}` shows all"
        )
    full = f"{family.name}/{loaded.seeds.name}"
    return [FoundSeed(family, loaded.seeds, seed, full) for seed in loaded.seeds.seeds if seed.id == seed_id]


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


def table_problems(session: Session, name: str, step: int = 1) -> list[Problem]:
    """Return what is wrong with the table of ingredients of a seed set, named as for `loaded`; none without one.

    Args:
        step: compose every so-manieth combination of the table.
    """
    path = Path(path_of(session, name))
    try:
        family, loaded = session.loaded(name, lint=False)
    except ForgeError:
        return []  # what is wrong with the set itself is said where the set is linted
    if loaded.seeds is None or not isinstance(family, Scalable):
        return []
    ref = SetRef(loaded.seeds.family, path.stem, path)
    beside = path.parent / "tables" / path.name
    table = beside if beside.is_file() else tablefiles.find(ref, session.workspace.roots("seeds"))
    if table is None:
        return []
    return list(tablefiles.read(table, family, loaded.seeds.header, step=step).problems)
