"""`forge config`: every setting, and where it comes from. Keys are never shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

import click

from forge.cli.console import clean, out, say, write_json
from forge.cli.house import Call, Group, json_option, pass_call, profile_option, set_option

if TYPE_CHECKING:
    from forge.config.settings import Settings


@click.group("config", cls=Group)
def command() -> None:
    """Show every setting and where it comes from."""


@command.command("show")
@profile_option
@set_option
@json_option
@pass_call
def show(call: Call, profile: str | None, settings: tuple[str, ...], as_json: bool) -> None:
    """Show the resolved profile: each value, and whether it is shipped, from forge.toml, the environment or the
    command line."""
    session = call.session(profile, settings)
    resolved, workspace = session.settings, session.workspace
    rows = [(name, shown(value), source) for name, value, source in values(resolved)]
    if as_json:
        document = {
            "workspace": str(workspace.root),
            "config": str(workspace.config) if workspace.configured else None,
            "profile": resolved.profile.name,
            "profiles": list(resolved.profiles),
            "values": {name: {"value": value, "source": source} for name, value, source in rows},
        }
        write_json(document)
        return
    from rich.table import Table

    say(f"workspace: {workspace.root}" + ("" if workspace.configured else " (no forge.toml)"))
    say(f"profiles: {', '.join(resolved.profiles)}")
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("setting", no_wrap=True)
    table.add_column("value", overflow="fold")
    table.add_column("from", style="dim", overflow="fold")
    ruled = {name.rsplit(".", 1)[0] for name, value, _ in rows if value == ["rules"]}
    for name, value, source in rows:
        if name.rsplit(".", 1)[0] in ruled and not name.endswith(".models"):
            continue  # Rules have no temperature.
        table.add_row(clean(name), clean(_written(value)), clean(source.replace(f"{workspace.root}/", "")))
    out().print(table)


def values(settings: Settings) -> Iterator[tuple[str, Any, str]]:
    """Yield (dotted name, value, source) for every value of the resolved profile, defaults included."""
    sources = settings.layered.sources
    for path, value in _leaves(settings.profile.model_dump(mode="json"), ()):
        yield ".".join(path), value, _source(sources, path)
    for name, given in sorted(settings.local_paths.items()):
        yield f"local.paths.{name}", str(given), "forge.toml"


def shown(value: Any) -> Any:
    """Return a value without anything that is, or holds, a key."""
    from forge.llm.provider import scrub

    if isinstance(value, str):
        parts = urlsplit(value) if "://" in value else None
        if parts is not None and "@" in parts.netloc:
            value = urlunsplit(parts._replace(netloc="***@" + parts.netloc.rpartition("@")[2]))
        return scrub(value)
    return [shown(one) for one in value] if isinstance(value, list) else value


def _source(sources: Mapping[tuple[str, ...], str], path: tuple[str, ...]) -> str:
    return sources.get(path, "default")


def _leaves(values: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*at, key))
        else:
            yield (*at, key), value


def _written(value: Any) -> str:
    if value is None:
        return "–"
    return " | ".join(map(str, value)) if isinstance(value, list) else str(value)
