"""Runs one coroutine to its end with orderly interrupts: the first stops it gracefully, the second leaves at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

from forge.model.errors import Interrupted

T = TypeVar("T")
LEAVE = 130


@contextlib.contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does, where nothing else has been arranged for it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run(work: Coroutine[Any, Any, T], on_stop: Callable[[], None], on_leave: Callable[[], None]) -> T:
    """Run a coroutine.

    Args:
        on_stop: called at the first SIGINT or SIGTERM, before the work is cancelled.
        on_leave: called at the second, before the process leaves with 130.

    Raises:
        Interrupted: it was stopped before it had anything to return.
    """

    async def guarded() -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        stopped = False

        def stop() -> None:
            nonlocal stopped
            if stopped:
                on_leave()
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(LEAVE)
            stopped = True
            on_stop()
            task.cancel()

        installed = []
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # Not the main thread.
                loop.add_signal_handler(number, stop)
                installed.append(number)
        try:
            return await work
        except asyncio.CancelledError:
            if stopped:
                raise Interrupted("interrupted: what was answered is kept", fix="run the same command again") from None
            raise
        finally:
            for number in installed:
                loop.remove_signal_handler(number)

    return asyncio.run(guarded())
