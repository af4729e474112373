"""The child process that holds a local model: `python -m forge.llm.serve`, started by forge.llm.server.

Reads one line of JSON settings from standard input, prints {"address": …} or {"error": …}, and serves until
its input closes, so that it never outlives its parent. It imports nothing else of forge.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any, BinaryIO

MISSING_EXTRA = "extra"
QUIET = 1  # llama.cpp: errors only. Its louder levels write the end of the key into the log.


def parameters(settings: dict[str, Any], library: Any) -> Any:
    """Turn settings into llama.cpp's parameters.

    Args:
        settings: `path`, `alias`, `api_key`, `n_ctx` (tokens in all), `n_parallel`, `n_threads`, and
            `options`: further fields of CommonParams by name.
        library: the module xllamacpp.
    """
    params = library.CommonParams()
    params.model.path = settings["path"]
    params.model_alias = {settings["alias"]}
    params.api_keys = [settings["api_key"]]
    params.hostnames = ["127.0.0.1"]
    params.n_ctx = settings["n_ctx"]
    params.n_parallel = settings["n_parallel"]
    params.cpuparams.n_threads = settings["n_threads"]
    params.cpuparams_batch.n_threads = settings["n_threads"]
    params.verbosity = QUIET
    params.offline = True
    params.ui = False
    for name, value in settings["options"].items():
        setattr(params, name, value)
    return params


def _leave_with_parent(source: BinaryIO) -> None:
    while source.read(4096):
        pass
    os._exit(0)  # llama.cpp's threads do not end by themselves, and nothing is left to save


def main() -> int:
    """Serve until standard input closes. Returns 3 when the model could not be loaded."""
    # Only our own lines may reach the parent's pipe: whatever the library prints goes to the log.
    told = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    settings = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_leave_with_parent, args=(sys.stdin.buffer,), daemon=True).start()
    try:
        import xllamacpp
    except ImportError as error:
        told.write(json.dumps({"error": str(error), "kind": MISSING_EXTRA}) + "\n")
        return 3
    try:
        server = xllamacpp.Server(parameters(settings, xllamacpp))
    except (RuntimeError, ValueError, TypeError, AttributeError, OSError) as error:
        told.write(json.dumps({"error": str(error), "kind": "load"}) + "\n")
        return 3
    told.write(json.dumps({"address": server.listening_address}) + "\n")
    threading.Event().wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
