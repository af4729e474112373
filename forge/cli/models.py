"""`forge models`: list local models and fetch their weights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from forge.cli.console import err, out, say, write_json
from forge.cli.house import Call, Group, json_option, pass_call

if TYPE_CHECKING:
    from forge.llm.fetch import Progress


@click.group("models", cls=Group)
def command() -> None:
    """List local models and fetch their weights."""


@command.command("list")
@json_option
@pass_call
def list_models(call: Call, as_json: bool) -> None:
    """List the local models that forge knows, and what the cache holds of them."""
    from forge.llm.catalogue import MODELS
    from forge.llm.weights import status
    from forge.workspace import paths

    given = call.session().settings.local_paths
    states = [status(model, paths.cache() / "models") for model in MODELS]
    rows: list[dict[str, Any]] = [
        {
            "name": f"local/{one.model.name}",
            "title": one.model.title,
            "quant": one.model.quant,
            "bytes": one.model.bytes,
            "licence": one.model.licence,
            "state": "given" if one.model.name in given else one.state,
            "bytes_present": one.bytes_present,
            "sha256": one.model.sha256,
            "path": str(given.get(one.model.name, one.path)),
        }
        for one in states
    ]
    if as_json:
        write_json(rows)
        return
    from rich.table import Table

    from forge.cli.figures import size

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for name in ("name", "model", "size", "licence", "state", "sha256", "path"):
        table.add_column(name, no_wrap=name in ("name", "state", "size"), overflow="fold")
    for row in rows:
        state = f"partial ({size(row['bytes_present'])})" if row["state"] == "partial" else row["state"]
        about = f"{row['title']} {row['quant']}"
        table.add_row(row["name"], about, size(row["bytes"]), row["licence"], state,
                      f"{row['sha256'][:12]}…", row["path"])  # fmt: skip
    out().print(table)


@command.command("pull")
@click.argument("name")
@click.option("--path", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Check this GGUF file against the pin instead of fetching anything.")  # fmt: skip
@json_option
@pass_call
def pull(call: Call, name: str, path: Path | None, as_json: bool) -> None:
    """Fetch the weights of a local model, or check a file that you have.

    An interrupted pull goes on where it stopped. A file that does not match its pin is refused.
    """
    from forge.llm.catalogue import find
    from forge.llm.weights import ensure
    from forge.workspace import paths

    model = find(name)
    with _Shown() as progress:
        ready = ensure(model, path=path, cache=paths.cache() / "models", progress=progress)
    if as_json:
        write_json({"name": f"local/{model.name}", "path": str(ready), "bytes": model.bytes, "sha256": model.sha256,
                    "licence": model.licence})  # fmt: skip
        return
    out().print(f"{model.title} ({model.licence}) is ready: {ready}", soft_wrap=True)
    if path is not None:
        say(f'to use it, write in forge.toml: [local.paths] "{model.name}" = "{ready}"')


class _Shown:
    """Shows a pull on standard error: a bar on a terminal, plain lines elsewhere."""

    def __init__(self) -> None:
        self._console = err()
        self._bar: Any = None
        self._task: Any = None
        self._stage = ""
        self._plain: Callable[[Progress], None] | None = None

    def __enter__(self) -> _Shown:
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            from rich.progress import (
                BarColumn,
                DownloadColumn,
                Progress,
                TextColumn,
                TimeRemainingColumn,
                TransferSpeedColumn,
            )

            columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(),
                       TimeRemainingColumn())  # fmt: skip
            self._bar = Progress(*columns, console=self._console, transient=True)
            self._bar.start()
        else:
            self._plain = _plain()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, now: Progress) -> None:
        """Show one report."""
        if self._plain is not None:
            self._plain(now)
            return
        if now.note:
            self._bar.console.print(now.note)
        if now.stage in ("note", "wait"):
            return
        if now.stage != self._stage:
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._stage = now.stage
            self._task = self._bar.add_task(f"{now.stage} {now.model}", total=now.total_bytes)
        self._bar.update(self._task, completed=now.done_bytes)


def _plain() -> Callable[[Progress], None]:
    import time

    from forge.cli.livemodel import LiveModel
    from forge.cli.plainlines import PlainLines
    from forge.session.locals import download_event

    lines = PlainLines(LiveModel(time.monotonic()))

    def show(now: Progress) -> None:
        for line in lines.lines(download_event(now), time.monotonic()):
            say(line)

    return show
