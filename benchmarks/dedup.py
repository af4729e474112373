"""The deduplication index from 10,000 to a million texts, its recall, and two other ways to do the same, in one run each.

Texts are made here: words of a vocabulary with the frequencies of English (Zipf), about 200 characters, one in ten a
copy of an earlier text with one to five words changed, so that similarities lie at and around the threshold. Every
figure comes from the program as people run it (`python -m forge dedup`), in processes of its own.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from forge.session.dedup import THRESHOLD
from forge.text.shingles import jaccard, shingles

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
RECALL_AT, RIVAL_AT, QUADRATIC_AT = 20_000, 100_000, 2_000
FREQUENT = (
    "the of and to a in is that it was for on with he be i by as at you are his had not this have from but which she "
    "they or an her were there been their we my has will what would if can all so no when one do your into them some "
    "could out time than only how long much many take need make before after over under next home water bag box walk "
    "buy cost hours minutes day week people carry through because should right where more about here want other two"
)
ONSETS = ("b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "w", "br", "ch", "cl", "gr", "pl", "sh", "st",
          "th", "tr", "")  # fmt: skip
VOWELS = ("a", "e", "i", "o", "u", "ea", "ee", "ou", "ai", "oo")
CODAS = ("", "", "n", "r", "s", "t", "l", "d", "ng", "st", "ck", "m", "nt", "rd")
WORDS, LEAST, MOST = 36, 24, 48
PLANTED = 0.1
EDITS = 5


def vocabulary(rng: random.Random, size: int = 30_000) -> list[str]:
    """The most frequent words of English, then words made of syllables, which grow longer as they grow rarer."""
    words = dict.fromkeys(FREQUENT.split())
    while len(words) < size:
        count = 1 + min(int(rng.expovariate(2.5) + np.log1p(len(words)) / 12), 3)
        words["".join(rng.choice(part) for _ in range(count) for part in (ONSETS, VOWELS, CODAS))] = None
    return list(words)


def texts(count: int, seed: int = 7) -> Iterator[str]:
    """Made texts; one in ten repeats one of the 5,000 before it, but for one to five words."""
    rng = random.Random(seed)
    draw = np.random.default_rng(seed)
    words = vocabulary(rng)
    # Zipf-Mandelbrot, as fitted to English.
    shares = 1 / (np.arange(len(words)) + 2.7)
    shares /= shares.sum()
    recent: list[list[str]] = []
    made = 0
    while made < count:
        for picked in draw.choice(len(words), size=(2_000, MOST), p=shares):
            if recent and rng.random() < PLANTED:
                said = list(rng.choice(recent))
                for _ in range(rng.randint(1, EDITS)):
                    said[rng.randrange(len(said))] = words[int(rng.random() ** 3 * len(words))]
            else:
                said = [words[i] for i in picked[: rng.randint(LEAST, MOST)]]
            if len(recent) == 5_000:
                recent[rng.randrange(5_000)] = said
            else:
                recent.append(said)
            yield " ".join(said).capitalize() + "."
            made += 1
            if made == count:
                return


def write(path: Path, count: int) -> int:
    """Write so many texts as JSON Lines and return how many characters they have in all."""
    total = 0
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(texts(count)):
            file.write(json.dumps({"id": number, "prompt": text}) + "\n")
            total += len(text)
    return total


@dataclass(frozen=True)
class Run:
    """One run of a program that prints one JSON document.

    Attributes:
        document: what it printed.
        seconds: from start to end; `cpu`, those that its processes computed.
        peak: of resident memory in MiB, summed over its processes, looked at 20 times a second.
    """

    document: dict[str, Any]
    seconds: float
    cpu: float
    peak: float


def watched(command: list[str]) -> Run | None:
    """Run a program to its end; None when it failed, with what it said last printed."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        with subprocess.Popen(command, stdout=out, stderr=err) as process:
            peak = 0.0
            while process.poll() is None:
                peak = max(peak, resident(process.pid))
                time.sleep(0.05)
        seconds = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        out.seek(0)
        err.seek(0)
        if process.returncode:
            print(f"  {' '.join(command[:4])} failed: {err.read()[-300:].strip()}")
            return None
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Run(json.loads(out.read()), seconds, cpu, peak)


def forge(path: Path) -> Run:
    """Run `forge dedup` in processes of its own."""
    run = watched([sys.executable, "-m", "forge", "dedup", str(path), "--field", "prompt", "--json", "--force"])
    if run is None:
        raise SystemExit(1)
    return run


def gone(run: Run) -> set[int]:
    """Rows that `forge dedup` took out, from 0."""
    lines = Path(run.document["files"]["duplicates"]).read_text(encoding="utf-8").splitlines()
    return {json.loads(line)["row"] - 1 for line in lines}


def resident(pid: int) -> float:
    """MiB of a process and its children now, what they share counted in each."""
    total = 0.0
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1]) / 1024
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            total += resident(int(child))
    except (FileNotFoundError, ProcessLookupError):
        pass
    return total


def brute_force(rows: list[str], block: int = 500) -> dict[tuple[int, int], float]:
    """Every pair (earlier, later) at the threshold, by exact Jaccard of all pairs: counts of shared shingles are a
    product of sparse matrices."""
    names: dict[str, int] = {}
    sets = [shingles(text) for text in rows]
    indices = [names.setdefault(one, len(names)) for found in sets for one in found]
    starts = np.concatenate(([0], np.cumsum([len(found) for found in sets])))
    ones = np.ones(len(indices), dtype=np.int32)
    matrix = sparse.csr_matrix((ones, indices, starts), shape=(len(rows), len(names)))
    across, sizes = matrix.T.tocsr(), np.diff(starts)
    pairs = {}
    for begin in range(0, len(rows), block):
        shared = (matrix[begin : begin + block] @ across).tocoo()
        left, right = shared.row + begin, shared.col
        union = sizes[left] + sizes[right] - shared.data
        near = (right < left) & (shared.data / union >= THRESHOLD)
        found_pairs = zip(right[near].tolist(), left[near].tolist(), strict=True)
        pairs.update(zip(found_pairs, (shared.data / union)[near].tolist(), strict=True))
    return pairs


def exact_join(rows: list[str]) -> dict[tuple[int, int], float]:
    """The same pairs, faster: of every pair whose sizes allow the threshold, two bitmaps of parities are compared, which
    differ in no more bits than the sets do in shingles; what that leaves is compared exactly. Nothing is left out."""
    sets = [shingles(text) for text in rows]
    order = sorted(range(len(sets)), key=lambda row: len(sets[row]))
    sizes = np.array([len(sets[row]) for row in order])
    words = np.zeros((4, len(sets)), dtype=np.uint64)
    for place, row in enumerate(order):
        bits = 0
        for one in sets[row]:
            bits ^= 1 << (zlib.crc32(one.encode()) & 255)
        words[:, place] = [bits >> 64 * word & 2**64 - 1 for word in range(4)]
    pairs = {}
    for place, row in enumerate(order):
        end = int(np.searchsorted(sizes, sizes[place] / THRESHOLD + 1e-9, side="right"))
        differ = np.zeros(end - place - 1, dtype=np.uint16)
        for word in words:
            differ += np.bitwise_count(word[place + 1 : end] ^ word[place])
        # J >= t means |A ^ B| <= (1 - t) / (1 + t) * (|A| + |B|)
        most = (1 - THRESHOLD) / (1 + THRESHOLD) * (sizes[place] + sizes[place + 1 : end]) + 1e-9
        for other in (np.flatnonzero(differ <= most) + place + 1).tolist():
            score = jaccard(sets[row], sets[order[other]])
            if score >= THRESHOLD:
                earlier, later = sorted((row, order[other]))
                pairs[earlier, later] = score
    return pairs


def greedy(pairs: dict[tuple[int, int], float], count: int) -> set[int]:
    """Rows that repeat a kept earlier row, in order."""
    earlier: dict[int, list[int]] = {}
    for first, second in pairs:
        earlier.setdefault(second, []).append(first)
    dropped: set[int] = set()
    for row in range(count):
        if any(first not in dropped for first in earlier.get(row, ())):
            dropped.add(row)
    return dropped


def table(folder: Path, sizes: tuple[int, ...]) -> None:
    print("| texts | seconds | µs a text | CPU µs a text | peak MiB | bytes a text | proposed | compared | repeats |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for size in sizes:
        path = folder / f"{size}.jsonl"
        write(path, size)
        run = forge(path)
        pairs, rejected = run.document["pairs"], run.document["rejected"]
        print(
            f"| {size:,} | {run.seconds:.1f} | {1e6 * run.seconds / size:.0f} | {1e6 * run.cpu / size:.0f} "
            f"| {run.peak:.0f} | {run.document['bytes_per_text']:.0f} | {pairs['proposed']:,} | {pairs['compared']:,} "
            f"| {rejected['exact'] + rejected['near']:,} |",
            flush=True,
        )
        path.unlink()


def recall(folder: Path, size: int) -> None:
    """Every pair of the index's own answers against brute force: all pairs, and the rows that go."""
    from forge.text.index import DedupIndex

    rows = list(texts(size))
    pairs = brute_force(rows)
    assert exact_join(rows) == pairs
    index = DedupIndex(THRESHOLD)
    index.add_many((str(number), text) for number, text in enumerate(rows))
    found = {
        (int(match.key), number): match.similarity
        for number, text in enumerate(rows)
        for match in index.query(text)
        if int(match.key) < number
    }
    bands: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for pair, similarity in pairs.items():
        bin_ = f"{int(similarity * 20) / 20:.2f}"
        bands[bin_] += 1
        missed[bin_] += pair not in found
    wrong = sum(pair not in pairs for pair in found)
    print(f"\nRecall at {size:,}: {len(pairs):,} pairs at {THRESHOLD} or above by brute force, {len(found):,} found, "
          f"recall {sum(pair in found for pair in pairs) / len(pairs):.5f}, wrong {wrong}")  # fmt: skip
    print("  by similarity: " + ", ".join(f"{k}+ {bands[k] - missed[k]}/{bands[k]}" for k in sorted(bands)))
    path = folder / "recall.jsonl"
    write(path, size)
    dropped, expected = gone(forge(path)), greedy(pairs, size)
    print(
        f"  forge dedup takes out {len(dropped):,} rows, brute force {len(expected):,}; {len(dropped ^ expected)} differ"
    )


def quadratic(folder: Path, size: int) -> None:
    """difflib's ratio of every pair of normalised texts, in this process, against the whole program."""
    from forge.text.normalise import normalise

    path = folder / "quadratic.jsonl"
    write(path, size)
    seconds = forge(path).seconds
    rows = [normalise(text) for text in texts(size)]
    began = time.perf_counter()
    matcher = difflib.SequenceMatcher(autojunk=False)
    near = 0
    # All pairs would take hours: each text against a sample of those before it, scaled.
    rng, done, every = random.Random(1), 0, size * (size - 1) // 2
    for _ in range(4_000):
        first, second = sorted(rng.sample(range(size), 2))
        matcher.set_seqs(rows[first], rows[second])
        near += matcher.ratio() >= 0.88
        done += 1
    taken = (time.perf_counter() - began) / done * every
    print(f"\ndifflib on all {every:,} pairs of {size:,}: {taken:,.0f} s (from {done:,} pairs, one core); "
          f"forge dedup, started and all: {seconds:.2f} s; ratio {taken / seconds:,.0f}")  # fmt: skip


def rival(folder: Path, size: int, python: Path) -> None:
    """rensa and text-dedup in an environment of their own, on the same file, and all recalls against brute force."""
    path = folder / "rival.jsonl"
    write(path, size)
    run = forge(path)
    pairs = exact_join(list(texts(size)))
    expected = greedy(pairs, size)
    # A way of its own may keep another row of a pair, so what counts is whether a repeat goes, not which row.
    print(f"\nAt {size:,}, where {len(pairs):,} pairs reach {THRESHOLD}: of these pairs, at least one row goes with")
    report("forge dedup", run, gone(run), pairs, expected)
    for name in ("rensa", "text-dedup"):
        script = str(Path(__file__).with_name("dedup_rivals.py"))
        other = watched([str(python), script, name, str(path), str(THRESHOLD)])
        if other is not None:
            report(other.document["name"], other, set(other.document["gone"]), pairs, expected)


def report(name: str, run: Run, out: set[int], pairs: dict[tuple[int, int], float], expected: set[int]) -> None:
    covered = sum(first in out or second in out for first, second in pairs)
    near = {row for pair in pairs for row in pair}
    print(f"  {name}: {run.seconds:.1f} s, {run.cpu:.1f} s of CPU, {run.peak:.0f} MiB, recall {covered / len(pairs):.4f} of "
          f"pairs; takes out {len(out):,} rows (an exact join {len(expected):,}), {len(out - near):,} of them near to no "
          "other", flush=True)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=SIZES[-1], help="leave larger sizes out of the table")
    parser.add_argument("--only", choices=["table", "recall", "quadratic", "rival"], action="append")
    parser.add_argument("--rival-python", type=Path, help="a python with rensa and text-dedup; see the README")
    args = parser.parse_args()
    wanted = args.only or ["table", "recall", "quadratic", "rival"]
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "table" in wanted:
            table(folder, tuple(size for size in SIZES if size <= args.most))
        if "recall" in wanted:
            recall(folder, RECALL_AT)
        if "quadratic" in wanted:
            quadratic(folder, QUADRATIC_AT)
        if "rival" in wanted and args.rival_python:
            rival(folder, RIVAL_AT, args.rival_python)
    print(f"load {os.getloadavg()[0]:.1f} at the end")
    return 0


if __name__ == "__main__":
    sys.exit(main())
