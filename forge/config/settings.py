"""Reads forge.toml, the environment and the command line's overrides into one Profile."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from forge.config.layers import Layered
from forge.config.shipped import DEFAULT, ENDPOINTS, PROFILES
from forge.model.errors import ConfigError, UsageError, listed, shorten
from forge.model.profile import Endpoint, Profile, RoleSpec, Scaling
from forge.model.words import Role

_SECRET = re.compile(r"key|token$|secret|password", re.IGNORECASE)
_TOP = {"profile", "profiles", "endpoints", "prices", "local"}


@dataclass(frozen=True)
class Settings:
    """What a command works with.

    Attributes:
        profile: the resolved profile.
        layered: every value with its source, for `forge config show`.
        local_paths: model name → a GGUF that the user gives, from [local.paths].
        profiles: the names that --profile takes.
    """

    profile: Profile
    layered: Layered
    local_paths: dict[str, Path]
    profiles: tuple[str, ...]


def load(path: Path, profile: str | None = None, overrides: Mapping[str, Any] | None = None) -> Settings:
    """Resolve a profile: shipped values, forge.toml, environment, command line; later ones win.

    Args:
        path: forge.toml, which need not be there.
        profile: --profile; else $FORGE_PROFILE, else the file's `profile`, else `local`.
        overrides: nested values of the command line, such as {"workers": 4}.

    Raises:
        ConfigError: bad TOML, unknown key, profile, role or model, or a value that does not fit; with file and line.
    """
    text, data = _toml(path)
    _known(data, _TOP, text, path, ())
    _shaped(data, text, path)
    own = data.get("profiles", {})
    named = profile or os.environ.get("FORGE_PROFILE") or data.get("profile") or DEFAULT
    layered = Layered()
    for name, source in _chain(str(named), own, text, path):
        layered.add(_plain(PROFILES[name] if source == "shipped" else own[name]), f"{source}: profile {name}")
    layered.add({"endpoints": ENDPOINTS}, "shipped")
    for key in ("endpoints", "prices"):
        layered.add({key: data.get(key, {})}, str(path))
    layered.add(_plain(overrides or {}), "command line")
    layered.sources[("name",)] = _why(profile, data, path)
    layered.values.pop("extends", None)
    layered.sources.pop(("extends",), None)
    resolved = _validated({"name": str(named), **layered.values}, layered, text, path)
    paths = {name: Path(value).expanduser() for name, value in data.get("local", {}).get("paths", {}).items()}
    return Settings(resolved, layered, paths, tuple(sorted({*PROFILES, *own})))


def overlap(profile: Profile) -> tuple[str, ...]:
    """Return the models that both judge and solve: such a judge is refused unless --allow-overlap."""
    solver = set(profile.roles[Role.SOLVER].models)
    judge = profile.roles[Role.JUDGE]
    return () if judge.rules else tuple(sorted(solver & set(judge.models)))


def greedy(profile: Profile) -> bool:
    """Whether the solver's temperature is 0: five greedy copies of one answer certify nothing."""
    return profile.roles[Role.SOLVER].temperature <= 0


def _toml(path: Path) -> tuple[str, dict[str, Any]]:
    if not path.is_file():
        return "", {}
    try:
        text = path.read_text(encoding="utf-8")
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"not TOML: {error}", where=str(path), fix="mend the line that the message names") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"forge.toml cannot be read: {error}", where=str(path)) from error


def _chain(named: str, own: Mapping[str, Any], text: str, path: Path) -> list[tuple[str, str]]:
    """Return (name, source) from the base profile to the named one."""
    chain: list[tuple[str, str]] = []
    seen: set[tuple[str, str]] = set()
    name: str | None = named
    while name is not None:
        source = str(path) if name in own and (name, str(path)) not in seen else "shipped"
        if source == "shipped" and name not in PROFILES:
            names = sorted({*PROFILES, *own})
            near = difflib.get_close_matches(name, names, n=3, cutoff=0.4) or names
            where = _at(text, path, f"extends\\s*=\\s*[\"']{re.escape(name)}")
            raise ConfigError(f"no profile {name}", where=where, fix=f"did you mean {listed(near)}?")
        if (name, source) in seen:
            raise ConfigError("profiles extend each other in a circle", where=str(path), value=name)
        seen.add((name, source))
        chain.append((name, source))
        # A profile of one's own that bears a shipped name extends the shipped one, unless it says otherwise.
        name = own[name].get("extends", name if name in PROFILES else DEFAULT) if source != "shipped" else None
    return list(reversed(chain))


def _why(profile: str | None, data: Mapping[str, Any], path: Path) -> str:
    """Return what chose the profile."""
    if profile:
        return "command line: --profile"
    if os.environ.get("FORGE_PROFILE"):
        return "environment: FORGE_PROFILE"
    return str(path) if data.get("profile") else "default"


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Spell out the short forms: `solver = "m"`, `judge = ["a", "b"]`, `model = "m"`."""
    plain = dict(values)
    if isinstance(plain.get("roles"), Mapping):
        roles = {}
        for role, spec in plain["roles"].items():
            if isinstance(spec, str):
                spec = {"models": [spec]}
            elif isinstance(spec, list):
                spec = {"models": spec}
            elif isinstance(spec, Mapping):
                spec = {("models" if key == "model" else key): value for key, value in spec.items()}
                if isinstance(spec.get("models"), str):
                    spec["models"] = [spec["models"]]
            roles[role] = spec
        plain["roles"] = roles
    return plain


def _shaped(data: Mapping[str, Any], text: str, path: Path) -> None:
    """Refuse a value where a table belongs, and the other way round, before anything is merged.

    Raises:
        ConfigError: with file, line and what to write.
    """
    tables: list[tuple[tuple[str, ...], Any]] = [
        ((key,), data[key]) for key in sorted(_TOP - {"profile"}) if key in data
    ]
    _tables(tables, text, path)
    names: list[tuple[tuple[str, ...], Any]] = [(("profile",), data.get("profile", ""))]
    inner: list[tuple[tuple[str, ...], Any]] = []
    for name, profile in data.get("profiles", {}).items():
        _tables([(("profiles", name), profile)], text, path)
        names.append((("profiles", name, "extends"), profile.get("extends", "")))
        inner += [(("profiles", name, key), profile[key]) for key in ("roles", "limits", "scaling") if key in profile]
    inner += [((kind, name), one) for kind in ("endpoints", "prices") for name, one in data.get(kind, {}).items()]
    local = data.get("local", {})
    _known(local, {"paths"}, text, path, ("local",))
    _tables([*inner, (("local", "paths"), local.get("paths", {}))], text, path)
    names += [(("local", "paths", name), value) for name, value in local.get("paths", {}).items()]
    for at, value in names:
        if not isinstance(value, str):
            where = _at(text, path, rf"{re.escape(at[-1])}\W*=")
            raise ConfigError(f"{'.'.join(at)} is no text", where=where, value=value, fix="write it between quotes")


def _tables(found: Iterable[tuple[tuple[str, ...], Any]], text: str, path: Path) -> None:
    for at, value in found:
        if not isinstance(value, Mapping):
            where = _at(text, path, rf"{re.escape(at[-1])}\W*=")
            raise ConfigError(f"{'.'.join(at)} is no table", where=where, value=value, fix=f"write [{'.'.join(at)}]")


def _known(data: Mapping[str, Any], known: set[str], text: str, path: Path, at: tuple[str, ...]) -> None:
    for key in data:
        if key not in known:
            near = difflib.get_close_matches(key, sorted(known), n=2, cutoff=0.4) or sorted(known)
            raise ConfigError(
                f"unknown key {'.'.join((*at, key))}",
                where=_at(text, path, re.escape(key)),
                fix=f"write {listed(near)}",
            )


def _at(text: str, path: Path, pattern: str) -> str:
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(pattern, line):
            return f"{path}:{number}"
    return str(path) if text else "command line or environment"


def _validated(values: dict[str, Any], layered: Layered, text: str, path: Path) -> Profile:
    for role in values.get("roles", {}):
        if role not in set(Role):
            names = [known.value for known in Role]
            near = difflib.get_close_matches(role, names, n=3, cutoff=0.4) or names
            raise ConfigError(
                f"no role {role}", where=_at(text, path, re.escape(role)), fix=f"did you mean {listed(near)}?"
            )
    try:
        return Profile.model_validate(values)
    except ValidationError as error:
        part = error.errors(include_url=False)[0]
        loc = tuple(str(piece) for piece in part["loc"])
        source = layered.sources.get(loc, "")
        where = _at(text, path, re.escape(loc[-1])) if loc and source not in ("command line",) else source or str(path)
        known = _fields(loc)
        near = difflib.get_close_matches(loc[-1], known, n=3, cutoff=0.4) if loc else []
        fix = f"did you mean {listed(near)}?" if part["type"] == "extra_forbidden" and near else None
        what = (
            f"unknown key {'.'.join(loc)}" if part["type"] == "extra_forbidden" else f"{'.'.join(loc)}: {part['msg']}"
        )
        value: str | None = shorten(repr(part.get("input")), 80)
        if loc and _SECRET.search(loc[-1]):
            # What stands there may be a key, and a key reaches no message.
            value, cause = None, None
            fix = "keys never stand in forge.toml: export one, and write the variable's name in api_key_env"
        else:
            cause = error
        raise ConfigError(what, where=where, value=value, fix=fix) from cause


def _fields(loc: tuple[str, ...]) -> list[str]:
    """Return the keys that are known where `loc` ends."""
    if "roles" in loc:
        return list(RoleSpec.model_fields)
    if "endpoints" in loc:
        return list(Endpoint.model_fields)
    if "limits" in loc:
        from forge.model.profile import Limits, Weights

        return list(Weights.model_fields if "weights" in loc else Limits.model_fields)
    if "scaling" in loc:
        return list(Scaling.model_fields)
    return list(Profile.model_fields)


def override(pairs: tuple[str, ...]) -> dict[str, Any]:
    """Read `--set limits.top_k=3` pairs into nested values; the value is TOML, or a plain word.

    Raises:
        UsageError: no `=`, or an empty key.
    """
    nested: dict[str, Any] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign or not key.strip():
            raise UsageError("a setting is KEY=VALUE", value=pair, fix="such as --set limits.top_k=3")
        try:
            parsed = tomllib.loads(f"v = {value}")["v"]
        except tomllib.TOMLDecodeError:
            parsed = value
        at = nested
        *parents, leaf = [piece.strip() for piece in key.split(".")]
        for piece in parents:
            at = at.setdefault(piece, {})
            if not isinstance(at, dict):
                raise UsageError(f"{piece} is set twice, as a value and as a table", value=pair)
        if not all((*parents, leaf)):
            raise UsageError("a part of the key is empty", value=pair, fix="such as --set limits.top_k=3")
        at[leaf] = parsed
    return nested
