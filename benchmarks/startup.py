"""How long `forge --help` takes in a fresh process, beside an empty Python process in the same run (medians)."""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time


def milliseconds(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return 1000 * (time.perf_counter() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=10)
    args = parser.parse_args()
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "forge --help": [sys.executable, "-m", "forge", "--help"],
        "forge --version": [sys.executable, "-m", "forge", "--version"],
        "forge anneal --help": [sys.executable, "-m", "forge", "anneal", "--help"],
    }
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for command in commands.values():
        milliseconds(command)
    for _ in range(args.n):
        for name, command in commands.items():
            taken[name].append(milliseconds(command))
    base = statistics.median(taken["python -c pass"])
    for name, values in taken.items():
        middle = statistics.median(values)
        print(f"{name:22} median {middle:6.1f} ms, {middle / base:5.2f} x an empty process")
    return 0


if __name__ == "__main__":
    sys.exit(main())
