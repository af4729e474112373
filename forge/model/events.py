"""What a run tells whoever watches: plain facts, in order. Session writes them down, the command line draws them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class EventKind(StrEnum):
    """What happened."""

    RUN_STARTED = "run_started"
    SEED_STARTED = "seed_started"
    STAGE = "stage"
    CANDIDATE = "candidate"
    ROUTED = "routed"
    CERTIFIED = "certified"
    REFUSED = "not_certified"
    SEED_ENDED = "seed_ended"
    CALL = "call"
    RETRY = "retry"
    RETRY_OVER = "retry_over"
    NOTICE = "notice"
    DOWNLOAD = "download"
    SCALE = "scale"
    EVALUATED = "evaluated"
    RUN_ENDED = "run_ended"


@dataclass(frozen=True, slots=True)
class Event:
    """One fact.

    Attributes:
        seed: the seed it concerns, or "".
        data: JSON values; the keys depend on the kind. STAGE: stage. CANDIDATE: id, operator, ordinal. ROUTED: id,
            route, label, why. CERTIFIED and REFUSED: id, cause, stable, samples. SEED_ENDED: state, reason, items.
            CALL: role, model, replayed, prompt, completion, usd, seconds. RETRY: id, endpoint, kind, delay, attempt.
            SCALE: what (wave, accepted, rejected) and its figures.
            EVALUATED: model, done.
            RETRY_OVER: id. NOTICE: text. DOWNLOAD: model, source, stage, done, total, rate, note.
            RUN_STARTED: run, seed_set, seeds, estimate. RUN_ENDED: run, state counts.
    """

    kind: EventKind
    seed: str = ""
    data: dict[str, Any] = field(default_factory=dict)
