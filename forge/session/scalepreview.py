"""Shows what `forge scale` would send first, without sending it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from forge.agents.room import Room
from forge.grow.scaling.composing import Composing
from forge.grow.scaling.inventing import Inventing
from forge.grow.scaling.proposals import Known, Snapshot
from forge.model.calls import Message
from forge.session.byhand import NoModel
from forge.session.scaleplan import ScalePlan

if TYPE_CHECKING:
    from forge.session.session import Session


def first_messages(session: Session, plan: ScalePlan) -> tuple[Message, ...]:
    """Return the chat of the first request of the first wave; none where no model is asked.

    Raises:
        PromptError: the template is missing, malformed, or lacks a variable.
    """
    if plan.profile is None:
        return ()
    family = plan.family
    known = tuple(Known(seed, family.facets(seed)) for seed in (*plan.seeds.seeds, *plan.before))
    kept = len(plan.before)
    snapshot = Snapshot(known, plan.grid, 0, plan.wanted, kept + plan.wanted, kept)
    library = session.prompts(family, str(plan.seeds.header.get("extends", "")) or None)
    room = Room(family, library, plan.profile, NoModel())
    if plan.composer is None:
        inventing = Inventing(family, room, plan.scaling, plan.header, plan.definition)
        return library.render(family.proposer, inventing.plan(snapshot)[0].content)
    composing = Composing(family, plan.composer, plan.scaling, plan.draw, room)
    batches = composing.plan(snapshot)
    if not batches or plan.scaling.voice != "opening":
        return ()
    return library.render(family.voice, composing.asked(batches[0].content[0]))


def preview_document(session: Session, plan: ScalePlan) -> list[dict[str, Any]]:
    """Return those messages as JSON values."""
    return [{"role": one.role, "content": one.content} for one in first_messages(session, plan)]
