"""Finds templates under the given roots, first root first, and renders them with every variable required."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from jinja2 import StrictUndefined, TemplateError
from jinja2 import Template as Compiled
from jinja2.sandbox import ImmutableSandboxedEnvironment

from forge.model.calls import Message
from forge.model.errors import PromptError, listed
from forge.model.ids import text_digest

_FRONT = re.compile(r"\A---\n(.*?)\n---\n(.*)\Z", re.DOTALL)
_SECTION = re.compile(r"^# (system|user|assistant)[ \t]*\n", re.MULTILINE)
_ID = re.compile(r"^[a-z][a-z0-9_]*/[a-z][a-z0-9_]*$")


@dataclass(frozen=True)
class Template:
    """One prompt file.

    Attributes:
        id: `family/name`, as in the front matter and in the path.
        version: raised by whoever changes the meaning.
        role: the role it is written for.
        reply: JSON Schema of the reply; None for free text.
        turns: the sections in order, unrendered: system first, then user and assistant in turn. Pairs before the last
            user section are examples for models that learn better from one than from rules.
        sha256: of the whole file: any change is another prompt.
        extra: further front matter, such as `voices`.
    """

    id: str
    version: int
    role: str
    reply: dict[str, Any] | None
    turns: tuple[tuple[str, str], ...]
    sha256: str
    path: str
    source: str = field(repr=False)
    extra: dict[str, Any] = field(default_factory=dict)


class PromptLibrary:
    """Templates by id. Reads each file once.

    Args:
        roots: folders that hold FAMILY/NAME.md; an earlier root overrides a later one.
        fallback: family → the family whose code and templates it uses. Its own templates come first, also when one
            of the other's is asked for.
    """

    def __init__(self, roots: Sequence[Path], fallback: Mapping[str, str] | None = None) -> None:
        self.roots = tuple(roots)
        self._fallback = dict(fallback or {})
        self._known: dict[str, Template] = {}
        self._compiled: dict[str, Compiled] = {}
        self._environment = ImmutableSandboxedEnvironment(
            undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
        )

    def get(self, template_id: str) -> Template:
        """Return a template.

        Raises:
            PromptError: it is missing or malformed.
        """
        if template_id not in self._known:
            self._known[template_id] = self._load(template_id)
        return self._known[template_id]

    def ids(self) -> list[str]:
        """Return the ids of all templates under the roots, sorted."""
        found = {
            f"{path.parent.name}/{path.stem}" for root in self.roots if root.is_dir() for path in root.glob("*/*.md")
        }
        return sorted(name for name in found if _ID.fullmatch(name))

    def render(self, template_id: str, variables: Mapping[str, Any]) -> tuple[Message, ...]:
        """Render a template into an explicit system message and what follows it.

        The variables are data: a template mark inside a value stays as it is.

        Raises:
            PromptError: a variable is missing, or the template does not compile.
        """
        template = self.get(template_id)
        return tuple(Message(role, self.fill(template_id, text, variables)) for role, text in template.turns)

    def fill(self, template_id: str, text: str, variables: Mapping[str, Any]) -> str:
        """Render a text that belongs to a template: one of its turns, or one in its front matter.

        Raises:
            PromptError: a variable is missing, or the text does not compile.
        """
        template = self.get(template_id)
        try:
            if text not in self._compiled:
                self._compiled[text] = self._environment.from_string(text)
            return self._compiled[text].render(**variables).strip()
        except TemplateError as error:
            raise PromptError(
                f"the template {template.id} cannot be rendered: {error}",
                where=template.path,
                fix=f"these variables are available: {listed(sorted(variables), 30)}",
            ) from error

    def _owners(self, family: str) -> list[str]:
        """Return whose templates serve an id of `family`: those of one without code come before its base's."""
        own = [name for name, base in self._fallback.items() if base == family]
        return [*own, family, *([self._fallback[family]] if family in self._fallback else [])]

    def _load(self, template_id: str) -> Template:
        if not _ID.fullmatch(template_id):
            raise PromptError("not a template id", value=template_id, fix="write FAMILY/NAME in lower case")
        family, name = template_id.split("/")
        for owner in self._owners(family):
            for root in self.roots:
                path = root / owner / f"{name}.md"
                if path.is_file():
                    return parse(path.read_text(encoding="utf-8"), f"{owner}/{name}", str(path))
        raise PromptError(
            f"no template {template_id}",
            where=", ".join(str(root) for root in self.roots),
            fix=f"there are: {listed(self.ids(), 20)}",
        )


def parse(source: str, template_id: str, path: str) -> Template:
    """Read a template's text: YAML front matter, then its sections.

    Raises:
        PromptError: the front matter or a section is missing or malformed.
    """
    match = _FRONT.match(source.replace("\r\n", "\n"))
    if not match:
        raise PromptError("a template begins with front matter between two lines of ---", where=path)
    try:
        front = yaml.safe_load(match.group(1))
    except yaml.YAMLError as error:
        raise PromptError(f"the front matter is not YAML: {error}", where=path) from error
    missing = [key for key in ("id", "version", "role") if not isinstance(front, dict) or key not in front]
    if missing:
        raise PromptError(f"the front matter lacks {', '.join(missing)}", where=path)
    if front["id"] != template_id:
        raise PromptError("the id does not match the file", where=path, value=front["id"], fix=f"write {template_id}")
    pieces = _SECTION.split(match.group(2))
    turns = [(role, text.strip()) for role, text in zip(pieces[1::2], pieces[2::2], strict=True)]
    if not turns or turns[0][0] != "system":
        turns.insert(0, ("system", ""))
    wanted = ["system", *(("user", "assistant")[n % 2] for n in range(len(turns) - 1))]
    if [role for role, _ in turns] != wanted or turns[-1][0] != "user":
        raise PromptError(
            "a template's sections are `# system`, then `# user` and `# assistant` in turn, the last one `# user`",
            where=path,
            value=", ".join(role for role, _ in turns),
        )
    extra = {key: value for key, value in front.items() if key not in {"id", "version", "role", "reply"}}
    return Template(
        id=template_id,
        version=int(front["version"]),
        role=str(front["role"]),
        reply=front.get("reply"),
        turns=tuple(turns),
        sha256=text_digest(source),
        path=path,
        source=source,
        extra=extra,
    )
