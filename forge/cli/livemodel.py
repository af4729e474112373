"""What the live view knows of a run: counts folded from Events. Pure: no terminal, and no clock of its own."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from forge.model.events import Event, EventKind

# A time left is shown only once it means something: so much of the work done, so many seconds of calls seen.
LEAST_SHARE = 0.08
LEAST_SECONDS = 5.0
RATE_WINDOW = 20.0
GROWING = 0.6


@dataclass(frozen=True)
class Shape:
    """How long a seed's way is, for its progress bar: wordings and certification calls that are likely."""

    wordings: int = 4
    certify_calls: int = 23


@dataclass
class SeedRow:
    """One seed under way."""

    id: str
    stage: str = "waiting"
    state: str | None = None
    reason: str = ""
    wordings: int = 0
    routed: int = 0
    certified: int = 0
    items: int = 0
    last: str = ""
    certify_calls: int = 0
    started: bool = False

    def share(self, shape: Shape) -> float:
        """Return how much of the seed is done, 0-1."""
        if self.state is not None:
            return 1.0
        if not self.started:
            return 0.0
        grown = GROWING * min(self.routed / max(shape.wordings, 1), 0.95)
        if self.stage not in ("rank", "certify"):
            return grown
        return GROWING + (1 - GROWING) * min(self.certify_calls / max(shape.certify_calls, 1), 0.95)


@dataclass(frozen=True)
class Waiting:
    """A request that waits for its next attempt."""

    endpoint: str
    kind: str
    attempt: int
    until: float


@dataclass
class Weights:
    """How far the weights of a local model have come."""

    model: str
    source: str
    stage: str
    done: int
    total: int
    rate: float

    @property
    def over(self) -> bool:
        """Whether there is nothing left to draw."""
        return self.stage != "wait" and self.done >= self.total


@dataclass
class LiveModel:
    """A run as far as its events tell.

    Attributes:
        began: monotonic seconds at the start.
        working: when the first call was answered; weights and loading do not count as work.
    """

    began: float
    shape: Shape = field(default_factory=Shape)
    run: str = ""
    seeds: dict[str, SeedRow] = field(default_factory=dict)
    routes: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    made: int = 0
    replayed: int = 0
    usd: float = 0.0
    unpriced: int = 0
    refused: int = 0
    waiting: dict[str, Waiting] = field(default_factory=dict)
    weights: Weights | None = None
    notices: deque[str] = field(default_factory=lambda: deque(maxlen=3))
    noticed: float = 0.0
    working: float | None = None
    _tokens: deque[tuple[float, int]] = field(default_factory=deque)

    def expect(self, seeds: Sequence[str]) -> None:
        """Name the seeds of the run, in file order."""
        for seed in seeds:
            self.seeds.setdefault(seed, SeedRow(seed))

    def apply(self, event: Event, now: float) -> None:
        """Fold one event in. An unknown kind, or one with keys missing, changes nothing."""
        data = event.data
        match event.kind:
            case EventKind.RUN_STARTED:
                self.run = str(data.get("run", ""))
                self.expect([str(seed) for seed in data.get("seeds", ())])
            case EventKind.CALL:
                self._call(event, now)
            case EventKind.RETRY:
                until = now + float(data.get("delay", 0.0))
                self.waiting[str(data.get("id"))] = Waiting(
                    str(data.get("endpoint", "")), str(data.get("kind", "")), int(data.get("attempt", 1)), until
                )
            case EventKind.RETRY_OVER:
                self.waiting.pop(str(data.get("id")), None)
            case EventKind.DOWNLOAD:
                self._download(event)
                self.noticed = now
            case EventKind.NOTICE:
                who = f"{event.seed}: " if event.seed else ""
                self.notices.append(who + str(data.get("text", "")))
                self.noticed = now
            case _:
                if event.seed:
                    self._seed(event, self.seeds.setdefault(event.seed, SeedRow(event.seed)))

    def _seed(self, event: Event, row: SeedRow) -> None:
        data = event.data
        row.started = True
        match event.kind:
            case EventKind.SEED_STARTED:
                row.stage = "starting"
            case EventKind.STAGE:
                row.stage = str(data.get("stage", ""))
            case EventKind.CANDIDATE:
                row.wordings += 1
            case EventKind.ROUTED:
                row.routed += 1
                self.routes[str(data.get("route", ""))] += 1
                if label := data.get("label"):
                    self.labels[str(label)] += 1
                row.last = f"{label} → {data.get('route')}" if label else str(data.get("why", ""))
            case EventKind.CERTIFIED:
                row.certified += 1
                self.causes[str(data.get("cause"))] += 1
                row.last = f"certified {data.get('stable')}/{data.get('samples')}, {data.get('cause')}"
            case EventKind.REFUSED:
                self.refused += 1
                row.last = f"not stable: {data.get('stable')}/{data.get('samples')}"
            case EventKind.SEED_ENDED:
                row.state, row.reason = str(data.get("state", "")), str(data.get("reason", ""))
                row.items = int(data.get("items", 0))
            case _:
                pass

    def _call(self, event: Event, now: float) -> None:
        data = event.data
        row = self.seeds.get(event.seed)
        if row is not None and row.stage == "certify":
            row.certify_calls += 1
        if self.working is None:
            self.working = now
        if data.get("replayed"):
            self.replayed += 1
            return
        self.made += 1
        if data.get("usd") is None:
            self.unpriced += 1
        else:
            self.usd += float(data["usd"])
        self._tokens.append((now, int(data.get("completion", 0))))

    def _download(self, event: Event) -> None:
        data = event.data
        if data.get("note"):
            self.notices.append(str(data["note"]))
        if data.get("stage") == "note":
            return
        self.weights = Weights(
            str(data.get("model", "")),
            str(data.get("source", "")),
            str(data.get("stage", "")),
            int(data.get("done", 0)),
            int(data.get("total", 0)),
            float(data.get("rate", 0.0)),
        )
        if self.weights.over:
            self.weights = None

    def states(self) -> Counter[str]:
        """Return how many seeds ended in each state."""
        return Counter(row.state for row in self.seeds.values() if row.state is not None)

    def ended(self) -> int:
        """Return how many seeds have ended."""
        return sum(row.state is not None for row in self.seeds.values())

    def items(self) -> int:
        """Return how many stable items there are so far."""
        return sum(row.certified for row in self.seeds.values())

    def share(self) -> float:
        """Return how much of the run is done, 0-1."""
        if not self.seeds:
            return 0.0
        return sum(row.share(self.shape) for row in self.seeds.values()) / len(self.seeds)

    def tokens_per_second(self, now: float) -> float | None:
        """Return generated tokens per second over the last seconds; None while too little was seen."""
        while self._tokens and self._tokens[0][0] < now - RATE_WINDOW:
            self._tokens.popleft()
        since = max(self.working or now, now - RATE_WINDOW)
        if now - since < 2.0 or not self._tokens:
            return None
        return sum(count for _, count in self._tokens) / (now - since)

    def seconds_left(self, now: float) -> float | None:
        """Return the time left, from the share that is done; None while that says nothing."""
        share = self.share()
        if self.working is None or share < LEAST_SHARE or share >= 1.0 or now - self.working < LEAST_SECONDS:
            return None
        return (now - self.working) * (1 - share) / share
