"""Writes the files that people start from: a workspace, a seed set, a family. It never overwrites anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import forge.workspace
from forge.families.base import Family
from forge.model.errors import ConfigError, StorageError, UsageError
from forge.model.words import REWRITERS
from forge.prompts.collection import PromptLibrary
from forge.session.schema import scalar, skeleton
from forge.workspace import paths

FIRST_SET = "my_first"
EXPLAINED = "seed_explained.yaml.txt"
IGNORED = ("/runs/", "/registry/*", "!/registry/.gitkeep")
_FAMILY_NAME = re.compile(r"^[a-z][a-z0-9_]{0,39}$")
_SEED_ID = 60
"""Characters of a set's name that begin the ids of its first seeds; an id has at most 80."""


@dataclass(frozen=True)
class Written:
    """Files made, and files that were there and left alone."""

    made: tuple[Path, ...]
    kept: tuple[Path, ...]


def start_workspace(folder: Path) -> Written:
    """Write a commented forge.toml, an example seed set, registry/.gitkeep and a .gitignore into a folder.

    Raises:
        StorageError: the folder cannot be written.
    """
    names = {"FAMILY": "salience", "NAME": FIRST_SET, "EXTENDS": ""}
    return _put_all(
        {
            folder / paths.CONFIG: _template("forge.toml.txt"),
            folder / "seeds" / "salience" / f"{FIRST_SET}.yaml": _set_text("first_set.yaml.txt", names),
            folder / "registry" / ".gitkeep": "",
            folder / ".gitignore": "".join(f"{line}\n" for line in IGNORED),
        }
    )


def unignored(folder: Path) -> tuple[str, ...]:
    """Return the lines that a folder's .gitignore lacks."""
    path = folder / ".gitignore"
    lines = set(path.read_text(encoding="utf-8", errors="replace").splitlines()) if path.is_file() else set()
    return tuple(line for line in IGNORED if line not in lines and line.strip("/") not in lines)


def new_set(root: Path, name: str, family: Family, extends: str | None = None) -> Path:
    """Write seeds/FAMILY/NAME.yaml with every field explained and one seed to fill in.

    Args:
        extends: for a family without code: the family whose code it uses.

    Raises:
        UsageError: not a name. ConfigError: the file is there already.
    """
    paths.safe(name, "a seed set")
    if name.endswith((".yaml", ".yml")):
        raise UsageError("a seed set's name has no ending", value=name, fix=f"write {name.rsplit('.', 1)[0]}")
    path = root / "seeds" / paths.safe(family.name, "a family") / f"{name}.yaml"
    explained = _template(EXPLAINED) if "salience" in (family.name, extends) else ""
    if not _put(path, explained + skeleton(family, name, extends)):
        raise ConfigError("the file is there already", where=str(path), fix="choose another name, or edit the file")
    return path


def family_name(name: str, taken: Iterable[str]) -> str:
    """Return a name that a new family may have.

    Raises:
        UsageError: it is no name, or some family has it.
    """
    if not _FAMILY_NAME.fullmatch(name):
        raise UsageError(
            "not a name for a family", value=name, fix="use lower-case letters, digits and underscores, up to 40"
        )
    if name in set(taken):
        raise UsageError("there is a family of this name", value=name, fix="choose another name")
    return name


def new_family(root: Path, name: str, base: Family, library: PromptLibrary) -> Written:
    """Write a family without code: a seed set that extends another family, and copies of its rewriters' templates.

    Args:
        name: as `family_name` returned it.
        base: the family whose code it uses; its seed format must be salience's.

    Raises:
        PromptError: a template of the base is missing or malformed. StorageError: the workspace cannot be written.
    """
    names = {"FAMILY": name, "NAME": "first", "EXTENDS": f"\nextends: {base.name}"}
    files = {root / "seeds" / name / "first.yaml": _set_text("first_set.yaml.txt", names)}
    for role in REWRITERS:
        template = library.get(base.templates[role])
        front = _template("family/prompt_comment.txt").replace("@FAMILY@", name).replace("@BASE@", base.name)
        body = re.sub(r"(?m)^id:.*$", f"id: {name}/{role.value}", template.source, count=1)
        files[root / "prompts" / name / f"{role.value}.md"] = body.replace("---\n", f"---\n{front}", 1)
    return _put_all(files)


def new_plugin(root: Path, name: str) -> Written:
    """Write an installable family with code: a package, its contract test, templates and a seed set.

    Args:
        name: as `family_name` returned it.

    Raises:
        StorageError: the workspace cannot be written.
    """
    module, title = f"forge_{name}", "".join(part.capitalize() for part in name.split("_"))
    folder = root / f"forge-{name.replace('_', '-')}"
    targets = {
        "pyproject.toml": folder / "pyproject.toml",
        "module.py": folder / module / "__init__.py",
        "test_contract.py": folder / "tests" / "test_contract.py",
        "seeds.yaml": root / "seeds" / name / "first.yaml",
        **{f"{role.value}.md": root / "prompts" / name / f"{role.value}.md" for role in REWRITERS},
    }
    marks = {"FAMILY": name, "MODULE": module, "CLASS": f"{title}Family", "TITLE": title, "DIST": folder.name}
    return _put_all({path: _filled(_template(f"family/{kind}.txt"), marks) for kind, path in targets.items()})


def _set_text(template: str, names: Mapping[str, str]) -> str:
    """Fill a seed set's template. A name that YAML would read as a number or a truth value is quoted in the header."""
    text = _template(template).replace("@EXPLAINED@", _template(EXPLAINED).rstrip("\n"))
    text = text.replace("- id: @NAME@-", f"- id: {names['NAME'][:_SEED_ID]}-")
    text = text.replace("set: @NAME@\n", f"set: {scalar(names['NAME'])}\n")
    return _filled(text, names)


def _filled(text: str, marks: Mapping[str, str]) -> str:
    for mark, value in marks.items():
        text = text.replace(f"@{mark}@", value)
    return text


def _template(name: str) -> str:
    return (Path(forge.workspace.__file__).parent / "templates" / name).read_text(encoding="utf-8")


def _put_all(files: Mapping[Path, str]) -> Written:
    made = tuple(path for path, text in files.items() if _put(path, text))
    return Written(made, tuple(path for path in files if path not in made))


def _put(path: Path, text: str) -> bool:
    """Write a new file; False when there is one already."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        if path.exists() or path.is_symlink():
            return False
        raise StorageError("a file stands where a folder is needed", where=str(path.parent)) from None
    except OSError as error:
        raise StorageError(
            f"the file cannot be written: {error.strerror}",
            where=str(path),
            fix="choose a folder that you may write to, or mend its permissions",
        ) from error
    return True
