"""The picture as a graph: node names in order, then labelled edges. The only module that imports langgraph."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from langgraph.graph import END, START, StateGraph
from langsmith import tracing_context

from forge.grow.nodes import Nodes
from forge.grow.routes import route
from forge.grow.state import GrowState, facts
from forge.model.profile import Limits
from forge.model.words import Route

NODES = (
    "viability",
    "take",
    "rewrite",
    "compliance",
    "dedup",
    "guards",
    "truth",
    "alignment",
    "naturalness",
    "gate",
    "solve",
    "judge",
    "route",
    "rank",
    "certify",
)

# From a node, by label, to a node. "stopped": a fault, a budget, or a seed that is not viable.
EDGES: dict[str, dict[str, str | tuple[str, ...]]] = {
    "viability": {"viable": "take", "stopped": END},
    "take": {"a new wording": "dedup", "the queue's next": "rewrite", "queue empty or a limit met": "rank"},
    "rewrite": {"worded": "compliance", "no wording": "take", "stopped": END},
    "compliance": {"compliant": "dedup", "discarded": "take", "stopped": END},
    "dedup": {"new": "guards", "duplicate": "route"},
    "guards": {"clean": ("truth", "alignment", "naturalness"), "a guard failed": "route"},
    "truth": {"": "gate"},
    "alignment": {"": "gate"},
    "naturalness": {"": "gate"},
    "gate": {"passed": "solve", "rejected": "route", "stopped": END},
    "solve": {"answered": "judge", "stopped": END},
    "judge": {"read": "route", "stopped": END},
    "route": {"": "take"},
    "rank": {"candidates": "certify", "none": END},
    "certify": {"": END},
}


def labels(limits: Limits) -> dict[str, Callable[[GrowState], str]]:
    """Return the routers: from the state to the label of the edge to follow. Pure."""

    def discarded(now: GrowState) -> bool:
        return now["current"] in now["routed"]

    def duplicate(now: GrowState) -> bool:
        return now["twins"][now["current"] or ""].duplicate

    def solvable(now: GrowState) -> bool:
        return route(facts(now, now["current"] or ""), limits).route is Route.SOLVE

    def taken(now: GrowState) -> str:
        if now["current"] is not None:
            return "a new wording"
        return "queue empty or a limit met" if now["task"] is None else "the queue's next"

    return {
        "viability": _unless_stopped(lambda now: "viable"),
        "take": taken,
        "rewrite": _unless_stopped(lambda now: "no wording" if now["current"] is None else "worded"),
        "compliance": _unless_stopped(lambda now: "discarded" if discarded(now) else "compliant"),
        "dedup": lambda now: "duplicate" if duplicate(now) else "new",
        "guards": lambda now: "a guard failed" if now["findings"][now["current"] or ""] else "clean",
        "gate": _unless_stopped(lambda now: "passed" if solvable(now) else "rejected"),
        "solve": _unless_stopped(lambda now: "answered"),
        "judge": _unless_stopped(lambda now: "read"),
        "rank": lambda now: "candidates" if now["ranking"] else "none",
    }


def _unless_stopped(router: Callable[[GrowState], str]) -> Callable[[GrowState], str]:
    return lambda now: "stopped" if now["stop"] is not None else router(now)


# Whose nodes a run calls: set for the run's own context, so that one compiled graph serves all seeds at once.
_AT_WORK: ContextVar[Nodes] = ContextVar("nodes")


def _node(name: str) -> Any:
    async def node(now: GrowState) -> GrowState:
        made: GrowState = await getattr(_AT_WORK.get(), name)(now)
        return made

    return node


@lru_cache(maxsize=8)
def build(limits: Limits) -> Any:
    """Compile the graph; compiling takes as long as several calls, so it is done once for the limits of a profile."""
    graph: StateGraph[GrowState] = StateGraph(GrowState)
    for name in NODES:
        graph.add_node(name, _node(name))
    routers = labels(limits)
    graph.add_edge(START, NODES[0])
    for source, edges in EDGES.items():
        if source in routers:
            targets = {target for to in edges.values() for target in ((to,) if isinstance(to, str) else to)}
            graph.add_conditional_edges(source, _follow(routers[source], edges), sorted(targets))
        elif source in ("truth", "alignment"):
            continue
        elif source == "naturalness":
            graph.add_edge(["truth", "alignment", "naturalness"], "gate")
        else:
            graph.add_edge(source, str(edges[""]))
    return graph.compile()


def _follow(
    router: Callable[[GrowState], str], edges: dict[str, str | tuple[str, ...]]
) -> Callable[[GrowState], Hashable | list[Hashable]]:
    def follow(now: GrowState) -> Any:
        to = edges[router(now)]
        return to if isinstance(to, str) else list(to)

    return follow


def steps(limits: Limits) -> int:
    """Return a bound on the graph's supersteps: no candidate takes more than ten, no expansion more than four."""
    return 40 + 10 * (limits.max_candidates + limits.max_steps) + 4 * limits.max_steps


async def run(nodes: Nodes, begin: GrowState) -> GrowState:
    """Run one seed's graph to its end. LangSmith tracing is off, whatever the user's shell says."""
    limits = nodes.room.profile.limits
    token = _AT_WORK.set(nodes)
    try:
        with tracing_context(enabled=False):
            return await build(limits).ainvoke(begin, {"recursion_limit": steps(limits)})  # type: ignore[no-any-return]
    finally:
        _AT_WORK.reset(token)


def mermaid() -> str:
    """Return the graph as Mermaid text, labels included, in the order of the tables."""
    lines = ["flowchart LR"]
    for source, edges in EDGES.items():
        for label, to in edges.items():
            for target in (to,) if isinstance(to, str) else to:
                arrow = f"-->|{label}|" if label else "-->"
                lines.append(f"    {source} {arrow} {'finish' if target == END else target}")
    return "\n".join(lines) + "\n"
