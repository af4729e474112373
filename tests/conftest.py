"""Fixtures that everything shares: the tiny family's package on the path, and no network but loopback."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parent / "fixtures"

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: object) -> object:
        if isinstance(address, tuple) and not str(address[0]).startswith(("127.", "::1", "localhost")):
            raise AssertionError(f"a test tried to reach {address}")
        return real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture
def shared() -> Path:
    """The folder of shared papers and examples; users do not have it."""
    if not SHARED.is_dir():
        pytest.skip("the shared examples are not beside this checkout")
    return SHARED
