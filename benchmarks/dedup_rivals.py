"""One other deduplication library on a JSON Lines file, in an environment of its own: prints what it took out as JSON.

Usage: dedup_rivals.py rensa|text-dedup FILE THRESHOLD
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SIZE = 5
PERMUTATIONS, BANDS, NGRAM = 256, 32, 2


def folded(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())


def rensa(path: Path, threshold: float) -> tuple[str, list[int]]:
    """Rensa's R-MinHash and LSH over the same 5-character shingles; its estimate decides, as its README shows."""
    from rensa import RMinHash, RMinHashLSH

    lsh = RMinHashLSH(threshold=threshold, num_perm=PERMUTATIONS, num_bands=BANDS)
    kept: dict[int, RMinHash] = {}
    gone = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        normal = folded(json.loads(line)["prompt"])
        signature = RMinHash(num_perm=PERMUTATIONS, seed=42)
        signature.update([normal[i : i + SIZE] for i in range(max(len(normal) - SIZE + 1, 1))])
        if any(signature.jaccard(kept[other]) >= threshold for other in lsh.query(signature)):
            gone.append(number)
        else:
            lsh.insert(number, signature)
            kept[number] = signature
    return f"rensa (RMinHash, {PERMUTATIONS} permutations, {BANDS} bands, the same shingles)", gone


def text_dedup(path: Path, threshold: float) -> tuple[str, list[int]]:
    """text-dedup's MinHash command on words, as it ships: one text of each cluster of what shares a band stays."""
    from datasets import load_from_disk

    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "out"
        command = [
            *(sys.executable, "-m", "text_dedup.minhash", "--path", "json", "--data_files", str(path)),
            *("--split", "train", "--cache_dir", f"{name}/cache", "--column", "prompt", "--ngram", str(NGRAM)),
            *("--threshold", str(threshold), "--num_perm", str(PERMUTATIONS), "--output", str(out)),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        kept = set(load_from_disk(str(out))["id"])
    total = sum(1 for _ in path.open("rb"))
    return f"text-dedup (minhash, {PERMUTATIONS} permutations, {NGRAM}-grams of words)", sorted(
        set(range(total)) - kept
    )


def main() -> int:
    name, path, threshold = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
    label, gone = {"rensa": rensa, "text-dedup": text_dedup}[name](path, threshold)
    print(json.dumps({"name": label, "gone": gone}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
