"""Looks at the machine, the installation and the workspace, and says what is amiss and how to mend it. Changes nothing.

Keys: it names environment variables, and never looks at what they hold beyond whether they are set.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import forge
from forge.families import loading
from forge.model.errors import ConfigError, FamilyError, ForgeError, SeedError, StorageError, listed, shorten
from forge.model.profile import Profile
from forge.model.words import Role
from forge.session import lookup
from forge.session.locals import named
from forge.session.templates import rendered, template_id
from forge.version import __version__
from forge.workspace import paths, seedfiles

if TYPE_CHECKING:
    from forge.families.base import Family
    from forge.session.session import Session

DISTRIBUTION = "trapforge"
OLDEST = (3, 11)
LITTLE_DISK = 2 * 1024**3
"""Bytes below which a warning is due: a run's answers are small, its weights are not."""


class Status(StrEnum):
    """How one look ended."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Line:
    """One look: what was looked at, how it is, and how to mend it ('' when nothing is to be mended)."""

    name: str
    status: Status
    text: str
    fix: str = ""


Look = Callable[["Session"], Iterator[Line]]


def examine(session: Session) -> Iterator[Line]:
    """Yield every line, in the order of LOOKS. A look that meets an error yields it as a failure and ends."""
    for look in LOOKS:
        try:
            yield from look(session)
        except ForgeError as error:
            where = f" ({error.where})" if error.where else ""
            name = look.__name__.strip("_").replace("_", " ")
            yield Line(name, Status.FAIL, shorten(f"{error.what}{where}", 300), error.fix or "")


def _ok(name: str, text: str) -> Line:
    return Line(name, Status.OK, text)


def _python(_: Session) -> Iterator[Line]:
    version, enough = platform.python_version(), sys.version_info >= OLDEST
    status, fix = (Status.OK, "") if enough else (Status.FAIL, "install Python 3.11 or newer")
    yield Line("python", status, f"{version}, {sys.executable}", fix)


def _forge(_: Session) -> Iterator[Line]:
    yield _ok("forge", f"{__version__}, {Path(forge.__file__ or '').resolve().parent}")
    try:
        installed = importlib.metadata.version(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        text = f"{DISTRIBUTION} is not installed here: forge runs from its source"
        yield Line("installation", Status.WARN, text, "pip install -e . in the checkout, so that plug-ins can be found")
        return
    same = installed == __version__
    text = f"{DISTRIBUTION} {installed}" + ("" if same else f", but the code that runs is {__version__}")
    yield Line("installation", Status.OK if same else Status.WARN, text, "" if same else "install it anew")


def _path(_: Session) -> Iterator[Line]:
    ours = Path(sysconfig.get_path("scripts")).resolve() / "forge"
    found = programs("forge", os.environ.get("PATH", ""))
    if not found:
        yield Line("PATH", Status.WARN, "no forge on the PATH", f"{shorten(sys.executable)} -m forge works too")
    elif found[0].resolve() == ours.resolve() or found[0].parent.resolve() == ours.parent:
        others = found[1:]
        text = f"forge is {found[0]}" + (f"; behind it {listed(map(str, others))}" if others else "")
        yield _ok("PATH", text)
    else:
        text = f"`forge` in this shell is another program: {found[0]}"
        fix = f"put {ours.parent} first on the PATH, or call {shorten(sys.executable)} -m forge"
        yield Line("PATH", Status.WARN, text, fix)


def programs(name: str, path: str) -> list[Path]:
    """Return every executable file of a name along a PATH, in its order, each once."""
    found: dict[Path, None] = {}
    for folder in path.split(os.pathsep):
        program = Path(folder) / name
        if folder and program.is_file() and os.access(program, os.X_OK):
            found.setdefault(program)
    return list(found)


def _workspace(session: Session) -> Iterator[Line]:
    workspace = session.workspace
    if workspace.configured:
        yield _ok("workspace", str(workspace.root))
    else:
        text = f"{workspace.root}: no forge.toml here or above, so this folder counts and the shipped profile"
        yield Line("workspace", Status.WARN, text, "`forge init` writes one")
    if not os.access(workspace.root, os.W_OK):
        yield Line("writable", Status.FAIL, f"{workspace.root} cannot be written", "mend its permissions")


def _settings(session: Session) -> Iterator[Line]:
    settings = session.settings
    yield _ok("profile", f"{settings.profile.name} (of {listed(settings.profiles)})")
    solver = settings.profile.roles[Role.SOLVER]
    yield _ok("solver", f"{solver.declared} at temperature {solver.temperature:g}")


def _runtime(session: Session) -> Iterator[Line]:
    from forge.llm import weights
    from forge.llm.catalogue import find

    there = importlib.util.find_spec("xllamacpp") is not None
    wanted = named(session.profile)
    if there:
        yield _ok("xllamacpp", _version("xllamacpp"))
    else:
        text = "not installed" + (f", and the profile runs {listed(wanted)}" if wanted else "")
        fix = f'pip install "{DISTRIBUTION}[local]"'
        yield Line("xllamacpp", Status.FAIL if wanted else Status.WARN, text, fix)
    for name in wanted:
        model, given = find(name), session.settings.local_paths.get(name)
        if given is not None:
            fine = given.is_file()
            text = f"{name}: {given}" + ("" if fine else " does not exist")
            yield Line("weights", Status.OK if fine else Status.FAIL, text, "" if fine else "mend [local.paths]")
            continue
        state = weights.status(model, paths.cache() / "models")
        text = f"{name}: {state.state}, {_size(state.bytes_present)} of {_size(model.bytes)} in {state.path.parent}"
        fix = "" if state.state in ("ready", "unchecked") else f"forge models pull {name}; a run fetches them too"
        yield Line("weights", Status.WARN if fix else Status.OK, text, fix)


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "installed"


def _room(session: Session) -> Iterator[Line]:
    from forge.llm import weights
    from forge.llm.catalogue import find

    free = weights.available_memory()
    needed = max((find(name).min_memory_bytes for name in named(session.profile)), default=0)
    if free is None:
        yield Line("memory", Status.WARN, "cannot be seen on this system", "")
    elif free < needed:
        text = f"{_size(free)} free; the local model needs {_size(needed)}"
        yield Line("memory", Status.FAIL, text, "close other programs, or choose a smaller model or a hosted one")
    else:
        yield _ok("memory", f"{_size(free)} free")
    for what, folder in (("disk", session.workspace.root), ("disk, cache", paths.cache())):
        left = shutil.disk_usage(_existing(folder)).free
        status, fix = (Status.OK, "") if left >= LITTLE_DISK else (Status.WARN, "free some space")
        yield Line(what, status, f"{_size(left)} free at {folder}", fix)


def _existing(folder: Path) -> Path:
    return next(place for place in (folder, *folder.parents) if place.exists())


def _keys(session: Session) -> Iterator[Line]:
    profile = session.profile
    hosted = [model for model in profile.models if not model.startswith("local/")]
    if not hosted:
        yield _ok("keys", "the profile needs none")
        return
    from forge.llm.provider import missing_keys

    missing = missing_keys(profile)
    for model, variable in missing:
        fix = f"export {variable}=…, or choose a profile that needs no key"
        yield Line("keys", Status.FAIL, f"{model} needs {variable}, which is not set", fix)
    if fine := sorted({*hosted} - {model for model, _ in missing}):
        yield _ok("keys", f"there for {listed(fine)}")


def _families(session: Session) -> Iterator[Line]:
    for name, point in sorted(loading.names().items()):
        try:
            session.family(name)
        except FamilyError as error:
            yield Line("family", Status.FAIL, f"{name}: {error.what}", error.fix or "")
        else:
            yield _ok("family", f"{name} ({point.value})")


def _seeds(session: Session) -> Iterator[Line]:
    states = lookup.sets(session)
    if not states:
        yield Line("seeds", Status.FAIL, "no seed set anywhere", "`forge init` or `forge seeds new NAME` writes one")
    for state in states:
        if state.error is not None:
            text = f"{state.ref.name}: {state.error.what.splitlines()[0]}"
            yield Line("seeds", Status.FAIL, text, f"forge seeds lint {state.ref.path}")
        elif state.errors:
            text = f"{state.ref.name}: {state.errors} errors, {state.warnings} warnings"
            yield Line("seeds", Status.FAIL, text, f"forge seeds lint {state.ref.name}")
    fine = [state for state in states if not state.errors and "includes" not in state.header]
    if fine:
        warnings = sum(state.warnings for state in fine)
        told = f"; {warnings} warnings (forge seeds lint)" if warnings else ""
        yield _ok("seeds", f"{sum(state.seeds for state in fine)} seeds in {len(fine)} sets in order{told}")


def _templates(session: Session) -> Iterator[Line]:
    """Fill in every template of every family that has a usable seed."""
    seen: set[str] = set()
    for ref in seedfiles.available(session.workspace.roots("seeds")):
        if ref.family in seen:
            continue
        try:
            extends = seedfiles.family_of(ref.path)[1]
            family, loaded = session.loaded(str(ref.path), lint=False)
        except (SeedError, FamilyError, ConfigError):
            continue  # said by the looks at seeds and families
        if loaded.seeds is None:
            continue
        seen.add(ref.family)
        yield from _filled(session, family, extends, loaded.seeds.seeds[0], session.profile)


def _filled(session: Session, family: Family, extends: str | None, seed: object, profile: Profile) -> Iterator[Line]:
    library, broken, done = session.prompts(family, extends), 0, 0
    for role in Role:
        if role is Role.SOLVER or role not in family.templates:
            continue
        for condition in family.conditions if role is Role.JUDGE else (None,):
            try:
                rendered(family, library, role, seed, condition)
                done += 1
            except ForgeError as error:
                broken += 1
                asked = not profile.roles[role].rules
                text = f"{template_id(family, role, condition)}: {shorten(error.what, 200)}"
                if not asked:
                    text += "; the profile's rules play this role, so nothing asks for it"
                yield Line("templates", Status.FAIL if asked else Status.WARN, text, error.fix or "")
    if not broken:
        yield _ok("templates", f"{family.name}: {done} fill in")


def _stores(session: Session) -> Iterator[Line]:
    from forge.llm.ledger import MIGRATIONS, Ledger

    path = session.workspace.ledger
    if not path.exists():
        yield _ok("ledger", "none yet: the first run makes it")
    else:
        ledger = Ledger(path, readonly=True)
        try:
            held = ledger.stats().answers
        finally:
            ledger.close()
        yield _ok("ledger", f"{held} answers, {_size(path.stat().st_size)}, schema {len(MIGRATIONS)}")
    yield _registry(session)


def _registry(session: Session) -> Line:
    from forge.registry.connection import RegistryFile
    from forge.registry.migrations import MIGRATIONS, schema_version

    path = session.workspace.registry
    if not path.exists():
        return _ok("registry", "none yet: the first run makes it")
    try:
        with RegistryFile(path, patience=1.0).reading() as connection:
            version = schema_version(connection, str(path))
    except StorageError as error:
        status = Status.WARN if "older than" in error.what else Status.FAIL
        return Line("registry", status, shorten(error.what, 300), error.fix or "")
    return _ok("registry", f"schema {version} of {len(MIGRATIONS)}, {_size(path.stat().st_size)}")


def _tracing(_: Session) -> Iterator[Line]:
    names = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGCHAIN_TRACING")
    switched = [name for name in names if os.environ.get(name, "").lower() in ("1", "true", "yes", "on")]
    if switched:
        yield _ok("tracing", f"{listed(switched)} set in this shell; forge switches tracing off and sends nothing")


def _terminal(_: Session) -> Iterator[Line]:
    stream = sys.stderr
    if not stream.isatty():
        yield _ok("terminal", "none: plain lines instead of a live view")
        return
    size = shutil.get_terminal_size()
    colour = "no colour (NO_COLOR)" if os.environ.get("NO_COLOR") else os.environ.get("TERM", "unknown")
    encoding = (stream.encoding or "").lower().replace("-", "")
    yield _ok("terminal", f"{size.columns} × {size.lines}, {colour}, {stream.encoding}")
    if encoding != "utf8":
        yield Line("encoding", Status.WARN, f"the terminal speaks {stream.encoding}", "export PYTHONUTF8=1")


def _size(count: int) -> str:
    """Return bytes in words, in powers of 1024."""
    amount, unit = float(count), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if amount < 1024:
            break
        amount, unit = amount / 1024, larger
    return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"


LOOKS: tuple[Look, ...] = (
    _python, _forge, _path, _workspace, _settings, _runtime, _room, _keys, _families, _seeds, _templates, _stores,
    _tracing, _terminal,
)  # fmt: skip
