"""What a dry run shows: the messages that each role would be sent for one seed. It sends nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from forge.cli.console import clean

if TYPE_CHECKING:
    from rich.console import Console

    from forge.session import Session
    from forge.session.session import Plan

LINES = 24


def messages(session: Session, plan: Plan) -> list[dict[str, Any]]:
    """Return, for every role that a model plays, whom it is asked of and with which messages.

    Raises:
        PromptError: a template is missing or lacks a variable.
    """
    from forge.model.words import Role
    from forge.session.checking import shown

    seed, family = plan.seeds.seeds[0], plan.family
    library = session.prompts(family, str(plan.seeds.header.get("extends", "")) or None)
    condition = family.trials(seed, family.wording(seed))[0]
    made = []
    for role in Role:
        spec = plan.profile.roles[role]
        if spec.rules:
            continue
        sent = shown(family, library, role, seed, condition)
        made.append(
            {
                "role": role.value,
                "models": list(spec.models),
                "temperature": spec.temperature,
                "max_tokens": spec.max_tokens,
                "messages": [{"role": message.role, "content": message.content} for message in sent],
            }
        )
    return made


def print_messages(shown: Sequence[dict[str, Any]], seed: str, console: Console) -> None:
    """Print the messages, long ones cut."""
    from rich.padding import Padding
    from rich.text import Text

    for one in shown:
        about = f"temperature {one['temperature']:g}, max_tokens {one['max_tokens']}"
        head = Text.assemble((one["role"], "bold cyan"), f" ← {' | '.join(one['models'])}", (f"  {about}", "dim"))
        console.print(head)
        for message in one["messages"]:
            console.print(Text(f"  [{message['role']}]", style="dim"))
            lines = clean(message["content"]).splitlines() or ["(empty)"]
            for line in lines[:LINES]:
                console.print(Padding(Text(line), (0, 0, 0, 4)))
            if len(lines) > LINES:
                rest = f"  … {len(lines) - LINES} more lines: forge prompts show {one['role']} --seed {seed}"
                console.print(Text(rest, style="dim"))
        console.print()
