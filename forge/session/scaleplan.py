"""Plans `forge scale`: reads the seed set, its table and what it is held against, and says what a run will cost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forge.families.base import Composer, Family, Scalable
from forge.grow.scaling.filters import Published, Thresholds, thresholds
from forge.grow.scaling.niches import Grid, grid
from forge.llm.prices import Prices, check_prices
from forge.llm.provider import require_keys
from forge.model.errors import ConfigError, FamilyError, SeedError, StorageError, UsageError, listed
from forge.model.ids import text_digest
from forge.model.profile import Profile, RoleSpec, Scaling
from forge.model.seeds import SeedSet
from forge.model.words import Role
from forge.session.estimate import LOCAL_TOKENS_PER_SECOND, TOKENS, Estimate
from forge.workspace import seedfiles, seedwriter, tablefiles
from forge.workspace.lines import parse

if TYPE_CHECKING:
    from forge.session.session import Session

COMPOSE, MODEL = "compose", "model"
ENDING = ".scaled"
_ACCEPTED_OF_COMPOSED = 0.85
_ACCEPTED_OF_INVENTED = 0.6
_SEED_TOKENS = 900
"""Tokens of a seed as a proposer writes it, measured on the shipped seeds."""
_OPENING_TOKENS = (300, 38)
"""Prompt and reply tokens of a voiced opening, measured with the 1.5B model."""
_SECOND_TRIES = 0.6
"""Share of openings that are asked for again."""
_TEXT_FIELDS = ("text", "prompt", "question")


@dataclass(frozen=True)
class ScalePlan:
    """A run that has been checked and not yet started.

    Attributes:
        target: where the seeds go.
        before: seeds that stand there already and are kept (`add`).
        header: of the file that is written.
        profile: with the roles that scaling asks, and no others; without models it is None.
    """

    family: Any
    seeds: SeedSet
    header: dict[str, Any]
    target: Path
    before: tuple[Any, ...]
    wanted: int
    proposer: str
    composer: Composer | None
    grid: Grid
    limits: Thresholds
    published: tuple[Published, ...]
    draw: int
    all_grades: bool
    scaling: Scaling
    profile: Profile | None
    estimate: Estimate
    warnings: tuple[str, ...]

    @property
    def definition(self) -> str:
        """What the dimension is, as the seed set says it."""
        header = self.seeds.header
        return str(header.get("definition", header.get("dimension", self.seeds.name)))

    @property
    def name(self) -> str:
        """FAMILY/NAME of the set that is scaled."""
        return f"{self.seeds.family}/{self.seeds.name}"


def plan(
    session: Session,
    seed_set: str,
    wanted: int,
    *,
    proposer: str | None = None,
    use_model: bool = True,
    draw: int = 0,
    add: bool = False,
    force: bool = False,
    all_grades: bool = False,
    against: Sequence[Path] = (),
    max_usd: float | None = None,
    need_keys: bool = True,
) -> ScalePlan:
    """Check everything that can be checked before money is spent.

    Args:
        use_model: False words nothing and asks nobody; only for `compose`.
        add: keep the seeds of the target file and go on from them.
        force: write over seeds that somebody changed.

    Raises:
        SeedError, ConfigError, FamilyError, UsageError: with where and how to mend it.
    """
    family, seeds, warnings = session.seeds(seed_set)
    if not isinstance(family, Scalable):
        raise FamilyError(f"seed sets of {family.name} cannot be scaled", value=seed_set)
    chosen = _chosen(proposer or session.profile.scaling.proposer, use_model)
    roots = session.workspace.roots("seeds")
    reference = seedfiles.SetRef(seeds.family, seeds.name, Path(seeds.path))
    header = _header(seeds)
    composer = tablefiles.composer(reference, roots, family, header) if chosen == COMPOSE else None
    target = session.workspace.root / "seeds" / seeds.family / f"{seeds.name}{ENDING}.yaml"
    before = _before(target, family, add=add, force=force)
    _apart(seeds, before, target)
    profile = None
    if use_model:
        profile = _asked(session.profile, chosen)
        session.prompts(family, str(seeds.header.get("extends", "")) or None).get(_template(family, profile, chosen))
        _payable(profile, need_keys, max_usd)
    return ScalePlan(
        family=family,
        seeds=seeds,
        header=header,
        target=target,
        before=before,
        wanted=wanted,
        proposer=chosen,
        composer=composer,
        grid=grid(seeds.header, seeds.path),
        limits=thresholds(seeds.header, seeds.path),
        published=published(roots, against),
        draw=draw,
        all_grades=all_grades,
        scaling=session.profile.scaling,
        profile=profile,
        estimate=_estimate(profile, wanted, chosen),
        warnings=(*warnings, *_weak(profile, chosen)),
    )


def _chosen(proposer: str, use_model: bool) -> str:
    if proposer not in (COMPOSE, MODEL):
        raise UsageError("no such proposer", value=proposer, fix=f"{COMPOSE} or {MODEL}")
    if proposer == MODEL and not use_model:
        raise UsageError("--no-model leaves nobody to propose", fix=f"--proposer {COMPOSE}")
    return proposer


def _payable(profile: Profile, need_keys: bool, max_usd: float | None) -> None:
    if need_keys:
        require_keys(profile)
    if max_usd is not None:
        check_prices(profile)


def _template(family: Any, profile: Profile, proposer: str) -> str:
    """The id of the template that the generator is asked with."""
    if proposer == MODEL:
        return str(family.proposer)
    return str(family.voice if profile.scaling.voice == "opening" else family.templates[Role.GENERATOR])


def _header(seeds: SeedSet) -> dict[str, Any]:
    """The header of the scaled set: its own name, and what its seeds inherit."""
    kept = {key: value for key, value in seeds.header.items() if key not in ("set", seedwriter.DIGEST)}
    return {**kept, "set": f"{seeds.name}{ENDING}", "family": seeds.family, "scaled_from": seeds.name}


def _before(target: Path, family: Family, *, add: bool, force: bool) -> tuple[Any, ...]:
    if not target.exists():
        return ()
    if add:
        loaded = seedfiles.read(target, family, lint=False)
        if loaded.seeds is None:
            raise SeedError(
                f"the seeds in {target.name} have {len(loaded.errors)} error(s): {loaded.errors[0]}",
                where=str(target),
                fix="mend them, or move the file away",
            )
        return loaded.seeds.seeds
    if not force and _edited(target):
        raise UsageError(
            "the scaled seeds were changed by hand since forge wrote them",
            where=str(target),
            fix="--add keeps them and goes on from there; --force writes over them",
        )
    return ()


def _apart(seeds: SeedSet, before: Sequence[Any], target: Path) -> None:
    own = {seed.id for seed in seeds.seeds}
    twice = [seed.id for seed in before if seed.id in own]
    if twice:
        raise SeedError(
            f"{listed(twice)} stands in {seeds.path} too",
            where=str(target),
            fix="take it out of one of the two files",
        )


def _edited(target: Path) -> bool:
    try:
        data = parse(target.read_text(encoding="utf-8"), str(target)).data
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(f"the file cannot be read: {error}", where=str(target)) from error
    if not isinstance(data, dict) or not isinstance(data.get("seeds"), list):
        return True
    return seedwriter.touched(data, data["seeds"])


def _asked(profile: Profile, proposer: str) -> Profile:
    """The profile with the roles that scaling asks; a model's batch has room for several seeds."""
    generator = profile.roles[Role.GENERATOR]
    if proposer == MODEL:
        generator = generator.model_copy(update={"max_tokens": profile.scaling.max_tokens})
    roles: dict[Role, RoleSpec] = {Role.GENERATOR: generator, Role.VIABILITY: profile.roles[Role.VIABILITY]}
    return profile.model_copy(update={"roles": roles})


def _weak(profile: Profile | None, proposer: str) -> tuple[str, ...]:
    if proposer != MODEL or profile is None:
        return ()
    local = [name for name in profile.roles[Role.GENERATOR].models if name.startswith("local/")]
    if not local:
        return ()
    return (f"{local[0]} is too small to invent seeds (none of 8 was valid when tried): use --proposer {COMPOSE}",)


def _estimate(profile: Profile | None, wanted: int, proposer: str) -> Estimate:
    if profile is None:
        return Estimate(wanted, 0, 0, (0, 0), 0.0, 0.0, 0.0)
    spec, graded = profile.roles[Role.GENERATOR], profile.roles[Role.VIABILITY]
    if proposer == MODEL:
        batch = profile.scaling.batch
        calls = wanted / _ACCEPTED_OF_INVENTED / batch
        size = (1200 + profile.scaling.exemplars * _SEED_TOKENS + profile.scaling.recent_tokens, batch * _SEED_TOKENS)
    else:
        calls = 0 if profile.scaling.voice == "none" else wanted / _ACCEPTED_OF_COMPOSED
        size = TOKENS[Role.GENERATOR]
        if profile.scaling.voice == "opening":
            size, calls = _OPENING_TOKENS, calls * (1 + _SECOND_TRIES * (profile.scaling.voice_tries - 1))
    parts = [(spec, calls, size)]
    if not graded.rules:
        parts.append((graded, wanted * 1.2, TOKENS[Role.VIABILITY]))
    prices = Prices(profile)
    money = [prices.usd(one.models[0], round(tokens[0]), round(tokens[1])) for one, _, tokens in parts]
    worst = [prices.usd(one.models[0], round(tokens[0]), one.max_tokens) for one, _, tokens in parts]
    known = None not in money and None not in worst
    local = sum(
        count * (tokens[1] + 0.25 * tokens[0]) for one, count, tokens in parts if one.models[0].startswith("local/")
    )
    return Estimate(
        seeds=wanted,
        calls=round(sum(count for _, count, _ in parts)),
        most_calls=round(2 * sum(count for _, count, _ in parts)) + 1,
        tokens=(
            round(sum(count * tokens[0] for _, count, tokens in parts)),
            round(sum(count * tokens[1] for _, count, tokens in parts)),
        ),
        usd=sum((price or 0) * count for price, (_, count, _) in zip(money, parts, strict=True)) if known else None,
        most_usd=sum(2 * (price or 0) * count for price, (_, count, _) in zip(worst, parts, strict=True))
        if known
        else None,
        seconds=local / LOCAL_TOKENS_PER_SECOND,
    )


def published(roots: Sequence[Path], against: Sequence[Path]) -> tuple[Published, ...]:
    """Read the lists of items published elsewhere: those that come with forge, then the ones named.

    Raises:
        StorageError: a file cannot be read. ConfigError: a line is no item; with file and line.
    """
    shipped: dict[str, Path] = {}
    for root in roots:
        for path in sorted((root / "published").glob("*.jsonl")):
            shipped.setdefault(path.name, path)
    found: list[Published] = []
    taken: Counter[str] = Counter()
    for item in (item for path in (*shipped.values(), *against) for item in _items(path)):
        taken[item.key] += 1  # Two lists may have one name, and number their items alike.
        found.append(item if taken[item.key] == 1 else replace(item, key=f"{item.key}#{taken[item.key]}"))
    return tuple(found)


def _items(path: Path) -> list[Published]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(f"the list cannot be read: {error}", where=str(path)) from error
    found = []
    # Only at \n: JSON text may hold the other characters that split lines.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            row = json.loads(line)
        except ValueError as error:
            raise ConfigError(f"not JSON: {error}", where=where, fix="one JSON object a line") from error
        body = _body(row)
        if body is None:
            raise ConfigError(
                "the line holds no item", where=where, fix=f"give it one of {', '.join(_TEXT_FIELDS)} as text"
            )
        key = f"{path.stem}/{row.get('id', text_digest(body)[:12])}"
        found.append(Published(key, body, str(row.get("source", path.name)), str(row.get("core", ""))))
    return found


def _body(row: Mapping[str, Any]) -> str | None:
    if not isinstance(row, dict):
        return None
    texts = [row[name] for name in _TEXT_FIELDS if isinstance(row.get(name), str) and row[name].strip()]
    return texts[0] if texts else None
