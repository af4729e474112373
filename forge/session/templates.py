"""Lists prompt templates with where each comes from, and fills one in for a seed. It changes and sends nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import forge
from forge.families.base import Family
from forge.model.errors import PromptError, UsageError, listed
from forge.model.words import Role
from forge.prompts.collection import PromptLibrary, Template, parse
from forge.session.checking import shown

_NAME = re.compile(r"^[a-z][a-z0-9_]*$")


@dataclass(frozen=True)
class TemplateRow:
    """One template file that counts.

    Attributes:
        source: `workspace`, or `forge` for one that comes with it.
        overrides: the file that it takes the place of; None when there is none.
        error: why it cannot be used; then version, role and sha256 are empty.
    """

    id: str
    version: int | None
    role: str
    sha256: str
    source: str
    path: str
    overrides: str | None
    error: str | None = None

    def document(self) -> dict[str, Any]:
        """Return JSON values."""
        return asdict(self)


def templates(roots: Sequence[Path], workspace: Path) -> list[TemplateRow]:
    """Return every template under the roots, by id; a malformed one holds its error."""
    places: dict[str, list[Path]] = {}
    for root in roots:
        for path in sorted(root.glob("*/*.md")):
            if _NAME.fullmatch(path.parent.name) and _NAME.fullmatch(path.stem):
                places.setdefault(f"{path.parent.name}/{path.stem}", []).append(path)
    return [_row(name, paths, workspace) for name, paths in sorted(places.items())]


def _row(name: str, paths: list[Path], workspace: Path) -> TemplateRow:
    first, hidden = paths[0], str(paths[1]) if len(paths) > 1 else None
    source = "forge" if _packed(first) else "workspace" if first.is_relative_to(workspace.resolve()) else "forge"
    try:
        template = parse(first.read_text(encoding="utf-8"), name, str(first))
    except (OSError, UnicodeDecodeError) as error:
        return TemplateRow(name, None, "", "", source, str(first), hidden, f"cannot be read: {error}")
    except PromptError as error:
        return TemplateRow(name, None, "", "", source, str(first), hidden, error.what)
    return TemplateRow(name, template.version, template.role, template.sha256, source, str(first), hidden)


def _packed(path: Path) -> bool:
    """Whether a file comes with forge: packed in its wheel, or in the checkout that it runs from."""
    package = Path(forge.__file__ or "").resolve().parent
    checkout = (package.parent / "pyproject.toml").is_file() and path.is_relative_to(package.parent / "prompts")
    return path.is_relative_to(package / "_data") or checkout


def template_id(family: Family, role: Role, condition: str | None = None) -> str:
    """Return the id of a role's template; a judge's goes by the condition.

    Raises:
        UsageError: the role has none, or the family no such condition.
    """
    if role is Role.JUDGE:
        return family.judge_template(_condition(family, condition))
    if role not in family.templates:
        raise UsageError(
            f"the role {role.value} has no template: a solver is shown the item itself" if role is Role.SOLVER
            else f"the family {family.name} has no template for {role.value}",
            fix=f"one of {listed([known.value for known in family.templates], 10)}",
        )  # fmt: skip
    return family.templates[role]


def raw_template(family: Family, library: PromptLibrary, role: Role, condition: str | None) -> Template:
    """Return a role's template as it is written.

    Raises:
        UsageError: there is none. PromptError: it is missing or malformed.
    """
    return library.get(template_id(family, role, condition))


def rendered(family: Family, library: PromptLibrary, role: Role, seed: Any, condition: str | None) -> dict[str, Any]:
    """Return what a role would be sent for a seed's own wording: condition, template and messages.

    Raises:
        UsageError: the role has no template, or the family no such condition.
        PromptError: the template is missing, malformed, or lacks a variable.
    """
    version = _condition(family, condition)
    named = None if role is Role.SOLVER else template_id(family, role, condition)
    messages = shown(family, library, role, seed, version)
    template = None if named is None else library.get(named)
    return {
        "condition": version if role in (Role.SOLVER, Role.JUDGE) else None,
        "template": None if template is None else {"id": template.id, "path": template.path, "sha256": template.sha256},
        "messages": [{"role": message.role, "content": message.content} for message in messages],
    }


def _condition(family: Family, condition: str | None) -> str:
    if condition is None:
        return family.conditions[0]
    if condition not in family.conditions:
        raise UsageError("no such condition", value=condition, fix=f"one of {listed(family.conditions, 12)}")
    return condition
