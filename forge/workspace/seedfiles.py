"""Finds, reads and validates seed sets. Every complaint names file, line and what to write."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from forge.families.base import Family
from forge.model.errors import ConfigError, SeedError, listed, shorten
from forge.model.seeds import SeedSet
from forge.workspace.lines import Lined, parse
from forge.workspace.paths import safe

HEADER = ("set", "family", "lang", "licence")


@dataclass(frozen=True)
class SetRef:
    """Where one seed set lies. `name` is FAMILY/NAME."""

    family: str
    bare: str
    path: Path

    @property
    def name(self) -> str:
        """The full name."""
        return f"{self.family}/{self.bare}"


@dataclass(frozen=True)
class Problem:
    """One complaint about a seed file."""

    path: str
    line: int
    seed: str
    message: str
    severity: str = "error"

    def __str__(self) -> str:
        who = f" [{self.seed}]" if self.seed else ""
        return f"{self.path}:{self.line}: {self.severity}:{who} {self.message}"


@dataclass(frozen=True)
class Loaded:
    """A seed set as read: the set itself is None when there are errors."""

    seeds: SeedSet | None
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that forbid growing."""
        return tuple(problem for problem in self.problems if problem.severity == "error")


def available(roots: Sequence[Path]) -> list[SetRef]:
    """Return all seed sets under the roots; where two roots hold the same name, the first wins."""
    found: dict[str, SetRef] = {}
    for root in roots:
        for path in sorted(root.glob("*/*.yaml")):
            ref = SetRef(path.parent.name, path.stem, path)
            found.setdefault(ref.name, ref)
    return sorted(found.values(), key=lambda ref: ref.name)


def resolve(name: str, roots: Sequence[Path]) -> SetRef:
    """Return the seed set called `name`: FAMILY/NAME, or a bare name that only one family has.

    Bare D1 to D4 are salience's.

    Raises:
        ConfigError: unknown, with the nearest names; or a bare name of several families.
        UsageError: not a name.
    """
    for part in name.split("/", 1):
        safe(part, "a seed set")
    known = available(roots)
    matches = [ref for ref in known if name in (ref.name, ref.bare)]
    if len(matches) > 1 and name in ("D1", "D2", "D3", "D4"):
        matches = [ref for ref in matches if ref.family == "salience"] or matches
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise ConfigError(
            f"several families have a seed set {name}",
            value=name,
            fix=f"write one of {listed([ref.name for ref in matches])}",
        )
    names = [ref.name for ref in known] + [ref.bare for ref in known]
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.4) or [ref.name for ref in known]
    raise ConfigError(
        f"no seed set {name}",
        where=", ".join(str(root) for root in roots) or "no seeds folder found",
        fix=f"did you mean {listed(near)}? `forge seeds list` shows all",
    )


def read(path: Path, family: Family, *, lint: bool = True, roots: Sequence[Path] = ()) -> Loaded:
    """Read one seed file, or the one set of a file with `sets` that belongs to the family, or all the sets that a
    file `includes`.

    Args:
        roots: where the sets that a file includes are looked for by name, beside the file's own folder.

    Raises:
        SeedError: the file cannot be read or is not YAML.
    """
    document = parse(_text(path), str(path))
    if isinstance(document.data, dict) and "includes" in document.data:
        return _included(document, path, family, lint, roots)
    sets = _sets(document)
    mine = [(base, header) for base, header in sets if header.get("family") in (family.name, None)]
    if not mine:
        raise SeedError("the file holds no seed set of this family", where=str(path), value=family.name)
    problems: list[Problem] = []
    seeds: list[Any] = []
    for base, header in mine:
        got, complaints = _seeds(document, base, header, family, path, lint)
        seeds.extend(got)
        problems.extend(complaints)
    problems.extend(_twice(document, mine, path))
    failed = any(problem.severity == "error" for problem in problems)
    header = {key: value for key, value in mine[0][1].items() if key != "seeds"}
    name = str(header.get("set", path.stem))
    ready = (
        None if failed else SeedSet(name=name, family=family.name, path=str(path), header=header, seeds=tuple(seeds))
    )
    return Loaded(ready, tuple(sorted(problems, key=lambda problem: (problem.line, problem.message))))


def includes(path: Path) -> bool:
    """Whether a file only names other sets; one that cannot be read does not."""
    try:
        data = parse(_text(path), str(path)).data
    except SeedError:
        return False
    return isinstance(data, dict) and "includes" in data


def _included(document: Lined, path: Path, family: Family, lint: bool, roots: Sequence[Path]) -> Loaded:
    """Read the sets that a file names, in its order, as one set."""
    header = dict(document.data)
    names = header.pop("includes")
    problems = [Problem(str(path), 1, "", f"the header lacks `{key}`") for key in HEADER if key not in header]
    if "seeds" in header:
        line = document.line(("seeds",))
        problems.append(Problem(str(path), line, "", "a file that includes other sets holds no seeds of its own"))
    if not isinstance(names, list) or not names:
        line = document.line(("includes",))
        problems.append(Problem(str(path), line, "", "`includes` must be a list with at least one name of a set"))
        names = []
    known = {ref.bare: ref.path for ref in available(roots) if ref.family == family.name}
    known |= {one.stem: one for one in sorted(path.parent.glob("*.yaml")) if one.stem not in known}
    seeds: list[Any] = []
    first: dict[str, str] = {}
    for index, name in enumerate(names):
        line = document.line(("includes", index))
        target = known.get(name) if isinstance(name, str) else None
        if target is None or target.resolve() == path.resolve() or includes(target):
            near = difflib.get_close_matches(str(name), sorted(known), n=3, cutoff=0.4) or sorted(known)
            said = f"no seed set {shorten(repr(name), 60)} of the family {family.name}"
            said = said if target is None else f"{name} includes sets itself: name those"
            problems.append(Problem(str(path), line, "", f"{said}; there is {listed(near, 10)}"))
            continue
        if names.index(name) != index:
            problems.append(Problem(str(path), line, "", f"the set {name} is included twice"))
            continue
        loaded = read(target, family, lint=lint)
        problems.extend(loaded.problems)
        for seed in loaded.seeds.seeds if loaded.seeds else ():
            if seed.id in first:
                problems.append(Problem(str(path), line, seed.id, f"{first[seed.id]} and {name} both have this id"))
            first.setdefault(seed.id, name)
            seeds.append(seed)
    failed = any(problem.severity == "error" for problem in problems)
    made = SeedSet(
        name=str(header.get("set", path.stem)), family=family.name, path=str(path), header=header, seeds=tuple(seeds)
    )
    return Loaded(None if failed else made, tuple(problems))


def family_of(path: Path) -> tuple[str, str | None]:
    """Return the family that a seed file names, and the family it extends, without validating its seeds.

    Raises:
        SeedError: the file cannot be read, is not YAML, or names no family.
    """
    document = parse(_text(path), str(path))
    header = _sets(document)[0][1]
    family = header.get("family", path.parent.name)
    if not isinstance(family, str):
        raise SeedError("`family` must be a name", where=f"{path}:{document.line(('family',))}", value=family)
    extends = header.get("extends")
    return family, extends if isinstance(extends, str) else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SeedError(f"the seed file cannot be read: {error}", where=str(path)) from error


def _sets(document: Lined) -> list[tuple[tuple[str | int, ...], dict[str, Any]]]:
    data = document.data
    if isinstance(data, dict) and isinstance(data.get("sets"), list):
        return [(("sets", n), part) for n, part in enumerate(data["sets"]) if isinstance(part, dict)]
    if isinstance(data, dict):
        return [((), data)]
    raise SeedError(
        "a seed file is a mapping with `set`, `family` and `seeds`", fix="`forge seeds new NAME` writes one to fill in"
    )


def _seeds(
    document: Lined, base: tuple[str | int, ...], header: dict[str, Any], family: Family, path: Path, lint: bool
) -> tuple[list[Any], list[Problem]]:
    problems = [
        Problem(str(path), document.line(base), "", f"the header lacks `{key}`") for key in HEADER if key not in header
    ]
    rows = header.get("seeds")
    if not isinstance(rows, list) or not rows:
        line = document.line((*base, "seeds"))
        return [], [*problems, Problem(str(path), line, "", "`seeds` must be a list with at least one seed")]
    filled = {**{key: key for key in HEADER}, **family.Seed.inherits}
    shared = {field: header[key] for key, field in filled.items() if key in header}
    shared = {field: value for field, value in shared.items() if field in family.Seed.model_fields}
    seeds = []
    for index, row in enumerate(rows):
        at = (*base, "seeds", index)
        if not isinstance(row, dict):
            problems.append(Problem(str(path), document.line(at), "", "a seed is a mapping of fields"))
            continue
        name = str(row.get("id", f"seed {index + 1}"))
        try:
            seed = family.Seed.model_validate({**shared, "family": family.name, **row})
        except ValidationError as error:
            problems.extend(_invalid(error, document, at, name, path, family.Seed.inherits))
            continue
        seeds.append(seed)
        for found in family.lint(seed) if lint else ():
            line = document.line((*at, *found.path))
            problems.append(Problem(str(path), line, name, found.message, found.severity))
    return seeds, problems


def _invalid(
    error: ValidationError,
    document: Lined,
    at: tuple[str | int, ...],
    name: str,
    path: Path,
    inherits: Mapping[str, str],
) -> list[Problem]:
    renamed = {field: f"{field} (the header's `{key}`)" for key, field in inherits.items() if key != field}
    problems = []
    for part in error.errors(include_url=False):
        loc = tuple(piece for piece in part["loc"])
        full = (*at, *loc)
        plain = ".".join(str(piece) for piece in loc)
        field = renamed.get(plain, plain)
        message = f"{field}: {part['msg']}"
        if part["type"] == "missing":
            message = f"the field {renamed.get(plain, f'`{plain}`')} is missing"
        elif part["type"] in ("too_short", "string_too_short") and part.get("input") in ("", [], ()):
            message = f"the field `{field}` is empty: fill it in"
        elif part.get("input") is None and part["type"].endswith("_type"):
            message = f"the field `{field}` is empty: fill it in, or take the line out"
        elif part["type"] == "extra_forbidden":
            message = f"unknown field `{field}`; `forge seeds schema` lists the fields"
        elif isinstance(part.get("input"), bool) and full in document.raw:
            written = document.raw[full]
            message = f"{field}: YAML reads {written} as {str(part['input']).lower()}; write '{written}' in quotes"
        elif part["type"] == "string_type" and full in document.raw:
            written = document.raw[full]
            message = f"{field}: YAML reads {written} as a {type(part['input']).__name__}; write '{written}' in quotes"
        elif part["type"] not in ("value_error", "missing"):
            message += f" (got {shorten(repr(part.get('input')), 60)})"
        problems.append(Problem(str(path), document.line(full), name, message))
    return problems


def _twice(document: Lined, sets: Sequence[tuple[tuple[str | int, ...], dict[str, Any]]], path: Path) -> list[Problem]:
    first: dict[str, int] = {}
    problems = []
    for base, header in sets:
        rows = header.get("seeds")
        for index, row in enumerate(rows if isinstance(rows, list) else ()):
            if not isinstance(row, dict) or "id" not in row:
                continue
            line, name = document.line((*base, "seeds", index, "id")), str(row["id"])
            if name in first:
                message = f"the id {name} is taken by the seed on line {first[name]}; give this one another"
                problems.append(Problem(str(path), line, name, message))
            first.setdefault(name, line)
    return problems
