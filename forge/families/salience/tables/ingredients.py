"""The ingredient table: needs, things that have or lack them, tasks that need them. Form only; lint reads the sense."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from forge.families.fields import Text
from forge.families.salience.seed import Awareness, Terms
from forge.families.salience.tables.operations import Operation
from forge.model.seeds import Frozen, Probe

Groups = Annotated[tuple[Terms, ...], Field(min_length=1)]
UNMATCHED = "none needed"
"""What a row writes instead of a bind when its objection, even if true, does not make the plan work."""


def _value(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"{value!r} is no number: write 12, 1.5 or a time of day such as '9:00', quoted")
    return value


Drawn = Annotated[int | float | str, BeforeValidator(_value)]


class Frame(Frozen):
    """A yes/no question pair of a need: `{x}` takes the thing's noun phrase."""

    holds: Text = Field(description="yes for what meets the need: Does {x} keep water in?")
    fails: Text = Field(description="yes for what does not: Does water poured into {x} run out of it?")


class Need(Frozen):
    """A property, condition or credential that an action needs."""

    probe: Frame
    aware: Awareness


class Lack(Frozen):
    """That a thing lacks a need, as a fact, as a clause for the prompt, and in words of awareness."""

    fact: Text = Field(description="verb phrase behind the noun phrase: is woven with gaps between its canes")
    clause: Text = Field(description="the prerequisite that is missing, never the outcome: which is woven with gaps")
    aware: Terms = ()


class Thing(Frozen):
    """A tool, setting or token. A need that is neither in `has` nor in `lacks` is unknown and never paired."""

    name: Text = Field(description="bare, one or two words: wicker basket")
    phrase: Text = Field(alias="as", description="with its article: a wicker basket")
    classes: Terms = Field(min_length=1)
    many: bool = False
    lacks: dict[str, Lack] = {}
    has: dict[str, Text] = {}

    @model_validator(mode="before")
    @classmethod
    def _one_class(cls, data: Any) -> Any:
        if isinstance(data, dict) and "class" in data:
            return {"classes": [data["class"]], **{key: value for key, value in data.items() if key != "class"}}
        return data


class Number(Frozen):
    """A number of the prompt: how it is written there, and the values it may take."""

    text: Text = Field(description="as it stands in the pieces, with its placeholder: {n} litres")
    unit: Text
    draw: tuple[Drawn, ...] = Field(min_length=1)
    role: Literal["distractor", "core"] = "distractor"


class Step(Frozen):
    """One operation of the sum; the last step's result is what the control should reach."""

    name: Text
    op: Operation
    of: tuple[Drawn, ...] = Field(min_length=1, description="names of numbers and earlier steps, or constants")
    text: Text = Field(description="how the result is written: {total} minutes")


class Side(Frozen):
    """Trap or control of a curated pair."""

    name: Text = Field(description="what {x} becomes: was last Sunday")
    phrase: Text = Field(alias="as", description="the noun phrase before the fact: the half marathon")
    fact: Text
    clause: Text | None = None
    many: bool = False


class Task(Frozen):
    """A plan in pieces, with what it needs, its numbers and its sum. `trap` and `control` make it a curated pair."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{1,39}$")]
    needs: Terms = Field(min_length=1)
    classes: Terms = Field(min_length=1)
    without: Terms = ()
    tool: Text | None = None
    object: Text
    action: Text
    keep: Groups
    setting: Text
    domain: Text
    quantity: Text
    numbers: dict[str, Number] = Field(min_length=1)
    steps: tuple[Step, ...] = Field(min_length=1)
    scene: Text
    plan: Text
    pace: Text
    question: Text
    cannot: Text | None = None
    objection: Text = Field(description="the best a pedant can say against the impossibility")
    bind: Text = Field(description="the words of the pieces that shut the objection out, or: none needed")
    swaps: Terms = ()
    blocker: Literal["property", "condition", "time", "body", "credential"] | None = None
    trap: Side | None = None
    control: Side | None = None
    core: Text | None = None
    aware: Awareness | None = None
    probe: Probe | None = None
    neutral: Terms = ()

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        data = dict(data)
        for one, many in (("need", "needs"), ("class", "classes")):
            if one in data:
                data.setdefault(many, [data.pop(one)])
        return data

    @model_validator(mode="after")
    def _whole(self) -> Task:
        pair = {"trap": self.trap, "control": self.control, "core": self.core, "aware": self.aware,
                "probe": self.probe, "tool": self.tool, "blocker": self.blocker}  # fmt: skip
        given = [name for name, value in pair.items() if value is not None]
        if self.trap is None and self.control is None:
            if self.cannot is None:
                raise ValueError("`cannot` is missing: write what fails, such as 'it cannot carry rainwater'")
            return self
        missing = [name for name in pair if name not in given]
        if missing or self.trap is None or self.trap.clause is None or not self.neutral:
            missing += ["trap.clause"] * (self.trap is not None and self.trap.clause is None)
            missing += ["neutral"] * (not self.neutral)
            raise ValueError(f"a curated pair also needs {', '.join(missing)}")
        return self

    @property
    def curated(self) -> bool:
        """Whether trap and control stand in the row itself."""
        return self.trap is not None

    @property
    def pieces(self) -> dict[str, str]:
        """The four pieces by name."""
        return {"scene": self.scene, "plan": self.plan, "pace": self.pace, "question": self.question}


class Class(Frozen):
    """A kind of thing: trap and control come from one."""

    neutral: Terms = ()


class Table(Frozen):
    """One dimension's ingredients."""

    format: Literal[1]
    set: Text
    kind: Literal["cross", "pairs"]
    frames: Terms = Field(min_length=1)
    neutral: Terms = ()
    classes: dict[str, Class] = {}
    needs: dict[str, Need] = {}
    things: tuple[Thing, ...] = ()
    tasks: tuple[Task, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _rows(cls, data: Any) -> Any:
        if isinstance(data, dict):
            data = {("tasks" if key == "pairs" else key): value for key, value in data.items()}
            if isinstance(data.get("classes"), list):
                data["classes"] = {name: {} for name in data["classes"]}
        return data
