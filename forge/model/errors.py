"""The error tree. Each error says what happened, where, the value, and how to mend it.

ForgeError                      exit code
├── UsageError                  2    wrong use of a command
├── ConfigError                 3    forge.toml, environment, profile, unknown role or model
├── SeedError                   3    a seed file: fields, YAML, lint
├── PromptError                 3    a prompt template: missing, malformed, undefined variable
├── FamilyError                 3    a family that cannot be loaded or breaks its protocol
├── ModelError                  3    a model that cannot be had or refuses us
│   ├── WeightsError            3    local weights: missing, broken, refused, no room
│   └── ProviderRefused         3    401, 403, 404: the run stops
├── StorageError                3    disk full, unreadable or unwritable files
│   ├── RegistryBusy            3    another process holds the registry
│   ├── RegistryTooNew          3    written by a newer forge
│   └── LedgerError             3    the ledger cannot be opened or written
├── VerificationError           3    bytes differ from what they must be
│   └── ReplayMiss              3    a replay needs an answer that the ledger lacks
├── BudgetReached               4    --max-usd or --max-calls
└── Interrupted               130    the user stopped the run; work is kept
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar


class ForgeError(Exception):
    """Base of everything forge raises on purpose.

    Args:
        what: one sentence: what happened.
        where: file and line, seed, item or command.
        value: the offending value, shortened for printing.
        fix: one line that says how to mend it.
    """

    exit_code: ClassVar[int] = 3

    def __init__(
        self, what: str, *, where: str | None = None, value: object | None = None, fix: str | None = None
    ) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.value = None if value is None else shorten(str(value))
        self.fix = fix

    def __str__(self) -> str:
        lines = [self.what]
        if self.where:
            lines.append(f"  where: {self.where}")
        if self.value is not None:
            lines.append(f"  value: {self.value}")
        if self.fix:
            lines.append(f"  fix:   {self.fix}")
        return "\n".join(lines)


class UsageError(ForgeError):
    """Wrong use of a command."""

    exit_code = 2


class ConfigError(ForgeError):
    """A problem in forge.toml, the environment or a profile."""


class SeedError(ForgeError):
    """A seed file that cannot be read, or that lint rejects."""


class PromptError(ForgeError):
    """A prompt template that is missing, malformed or lacks a variable."""


class FamilyError(ForgeError):
    """A family that cannot be loaded or breaks its protocol."""


class ModelError(ForgeError):
    """A model that cannot be had or refuses us."""


class WeightsError(ModelError):
    """Local weights: missing, broken, refused, or no room for them."""


class ProviderRefused(ModelError):
    """A provider answered 401, 403 or 404: nothing that follows can work, so the run stops."""


class StorageError(ForgeError):
    """A file that cannot be read or written, or a full disk."""


class RegistryBusy(StorageError):
    """Another process holds the registry."""


class RegistryTooNew(StorageError):
    """The registry was written by a newer forge."""


class LedgerError(StorageError):
    """The ledger cannot be opened or written."""


class VerificationError(ForgeError):
    """Bytes differ from what they must be."""


class ReplayMiss(VerificationError):
    """A replay needs an answer that the ledger lacks."""


class BudgetReached(ForgeError):
    """--max-usd or --max-calls was reached; finished work is kept."""

    exit_code = 4


class Interrupted(ForgeError):
    """The user stopped the run; finished work is kept."""

    exit_code = 130


def shorten(text: str, limit: int = 200) -> str:
    """Cut text for a message: at most `limit` characters, with an ellipsis when cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def listed(names: Iterable[str], limit: int = 8) -> str:
    """Join names for a message, with a count of what was left out."""
    every = list(names)
    shown = ", ".join(every[:limit])
    return shown if len(every) <= limit else f"{shown} and {len(every) - limit} more"
