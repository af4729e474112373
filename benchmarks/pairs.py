"""Pairs audited per second of one core's time, beside the same measures with plain difflib in one run (medians).

Pairs are drawn from the sentences of the shipped seeds: `minimal` ones differ in one to three neighbouring words,
`rewrites` share nothing but the language. First the two must agree on every number of the pairs that both are timed on.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import yaml

from forge.pairs.audit import Gate, Tally, measure
from forge.text.edits import PairEdits, compare

SEEDS = Path(__file__).resolve().parents[1] / "seeds" / "salience"
Measure = Callable[[str, str], PairEdits]
Pairs = list[tuple[str, str]]


def sentences() -> list[str]:
    prompts = [
        seed["prompt"] for path in sorted(SEEDS.glob("D?.yaml")) for seed in yaml.safe_load(path.read_text())["seeds"]
    ]
    return [part for prompt in prompts for part in re.split(r"(?<=[.?!])\s+", " ".join(prompt.split()))]


def made(count: int, length: int, kind: str) -> Pairs:
    draw, every = random.Random(7), sentences()
    words = [word for sentence in every for word in sentence.split()]

    def text() -> str:
        found = ""
        while len(found) < length:
            found = f"{found} {draw.choice(every)}".strip()
        return found[: found.find(" ", length) if found.find(" ", length) > 0 else None]

    pairs = []
    for _ in range(count):
        active = text()
        if kind == "rewrites":
            pairs.append((active, text()))
            continue
        tokens = active.split()
        at, size = draw.randrange(len(tokens) - 3), draw.randint(1, 3)
        tokens[at : at + size] = [draw.choice(words) for _ in range(size)]
        pairs.append((active, " ".join(tokens)))
    return pairs


def seconds(pairs: Pairs, how: Measure) -> float:
    tally = Tally(Gate())
    began = time.process_time()
    for active, removed in pairs:
        tally.add(how(active, removed))
    return time.process_time() - began


def agree(pairs: Pairs) -> None:
    for active, removed in pairs:
        fast, plain = measure(active, removed), compare(active, removed)
        same = (fast.words, fast.token_edits, fast.spans, fast.difflib) == (
            plain.words, plain.token_edits, plain.spans, plain.difflib)  # fmt: skip
        if not same or abs(fast.indel - plain.indel) > 1e-12:
            raise SystemExit(f"the two disagree: {fast} and {plain} on {active!r} and {removed!r}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20_000, help="pairs for the audit")
    parser.add_argument("--plain", type=int, default=500, help="of these, so many for plain difflib")
    parser.add_argument("--length", type=int, default=250, help="characters of a text")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    for kind in ("minimal", "rewrites"):
        pairs = made(args.n, args.length, kind)
        plain = pairs[: args.plain]
        agree(plain)
        fast_rates, plain_rates = [], []
        for _ in range(args.runs):
            plain_rates.append(len(plain) / seconds(plain, compare))
            fast_rates.append(len(pairs) / seconds(pairs, measure))
        fast, slow = statistics.median(fast_rates), statistics.median(plain_rates)
        mean = statistics.fmean(len(text) for pair in pairs for text in pair)
        print(f"{kind:9} {mean:.0f} characters, {args.n:,} pairs, {args.runs} runs: audit {fast:,.0f}/s "
              f"({min(fast_rates):,.0f} to {max(fast_rates):,.0f}), with plain difflib {slow:,.0f}/s, "
              f"ratio {fast / slow:.1f}; all numbers equal on {len(plain)}")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
