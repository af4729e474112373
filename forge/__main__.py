"""`python -m forge` and the console script `forge`."""

from __future__ import annotations

import sys


def run() -> None:
    """Run the command line and exit with its code."""
    from forge.cli.app import main

    sys.exit(main())


if __name__ == "__main__":
    run()
