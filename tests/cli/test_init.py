"""`forge init`: what it writes is valid, complete and explained, and nothing is ever overwritten."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from cli.inside import call
from pydantic import BaseModel

from forge.config.settings import load
from forge.families.salience import SalienceFamily
from forge.model.profile import Endpoint, Limits, Price, Profile, RoleSpec, Weights
from forge.model.words import Role
from forge.workspace import seedfiles

CHECKOUT = Path(__file__).resolve().parents[2]
FILES = {"forge.toml", "seeds/salience/my_first.yaml", "registry/.gitkeep", ".gitignore"}


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def uncommented(text: str) -> str:
    """The file as it is when every setting is switched on."""
    lines = [line for line in text.splitlines() if not line.startswith("##")]
    return "\n".join(line.removeprefix("# ") for line in lines)


def test_it_writes_four_files_and_says_what_to_do(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = call(capsys, tmp_path, "init")
    assert done.code == 0
    assert files(tmp_path) == FILES
    assert "forge seeds lint my_first" in done.out
    assert "wrote       forge.toml" in done.err


def test_it_makes_the_folder_it_is_given(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "a b" / "c"
    done = call(capsys, tmp_path, "init", str(target))
    assert done.code == 0
    assert files(target) == FILES
    assert f"cd '{target}'" in done.out


def test_it_never_overwrites(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "forge.toml").write_text('profile = "hosted"\n')
    (tmp_path / ".gitignore").write_text("*.pyc\n")
    done = call(capsys, tmp_path, "init", "--json")
    assert done.code == 0
    assert (tmp_path / "forge.toml").read_text() == 'profile = "hosted"\n'
    assert (tmp_path / ".gitignore").read_text() == "*.pyc\n"
    assert {Path(path).name for path in done.document["kept"]} == {"forge.toml", ".gitignore"}
    assert done.document["unignored"] == ["/runs/", "/registry/*", "!/registry/.gitkeep"]
    again = call(capsys, tmp_path, "init")
    assert again.err.count("left alone") == 4
    assert "lacks /runs/" in again.err


def test_a_file_in_place_of_a_folder_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "seeds").write_text("")
    done = call(capsys, tmp_path, "init")
    assert done.code == 3
    assert str(tmp_path / "seeds") in done.err


def test_a_workspace_around_it_is_mentioned(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call(capsys, tmp_path, "init")
    done = call(capsys, tmp_path, "init", str(tmp_path / "inner"))
    assert f"{tmp_path} is a workspace too" in done.err


def test_the_toml_loads_and_says_nothing_but_the_profile(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call(capsys, tmp_path, "init")
    text = (tmp_path / "forge.toml").read_text()
    assert tomllib.loads(text) == {"profile": "local"}
    assert load(tmp_path / "forge.toml").profile.name == "local"


def test_every_line_of_the_toml_works_when_switched_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORGE_PROFILE", raising=False)
    call(capsys, tmp_path, "init")
    path = tmp_path / "forge.toml"
    path.write_text(uncommented(path.read_text()))
    settings = load(path, "mine")
    assert settings.profile.roles[Role.JUDGE].models == ("anthropic/claude-haiku-5-5", "openai/gpt-5.4-mini")
    assert settings.profile.endpoints["openai"].per_second == 4.0
    assert settings.profile.prices["openai/my-model"].output == 2.0
    assert set(settings.local_paths) == {"qwen2.5-coder-1.5b"}


def test_the_toml_names_every_key_with_its_default(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call(capsys, tmp_path, "init")
    data = tomllib.loads(uncommented((tmp_path / "forge.toml").read_text()))
    mine = data["profiles"]["mine"]
    spelled = {
        Limits: mine["limits"],
        Weights: mine["limits"]["weights"],
        RoleSpec: {**mine["roles"]["judge"], **mine["roles"]["solver"]},
        Endpoint: data["endpoints"]["openai"],
        Price: data["prices"]["openai/my-model"],
        Profile: {"name": "mine", "endpoints": {}, "prices": {}, **mine},
    }
    for model, keys in spelled.items():
        assert set(model.model_fields) <= set(keys), model
    for model in (Limits, Weights, Endpoint):
        for name, field in model.model_fields.items():
            if field.default is not None and not isinstance(field.default, BaseModel):
                assert spelled[model][name] == field.default, name
    assert set(mine["roles"]) == {role.value for role in Role}


def test_the_example_seed_is_clean_and_its_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call(capsys, tmp_path, "init")
    family = SalienceFamily()
    loaded = seedfiles.read(tmp_path / "seeds" / "salience" / "my_first.yaml", family)
    assert loaded.problems == ()
    assert loaded.seeds is not None
    (seed,) = loaded.seeds.seeds
    shipped = "".join(path.read_text() for path in (CHECKOUT / "seeds").rglob("*.yaml"))
    assert seed.triple.tool not in shipped
    assert family.guards(seed, seed.prompt, None) == []


def test_the_example_seed_explains_every_field(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call(capsys, tmp_path, "init")
    text = (tmp_path / "seeds" / "salience" / "my_first.yaml").read_text()
    comments = "\n".join(line for line in text.splitlines() if line.startswith("#"))
    for field in SalienceFamily.Seed.model_fields:
        assert f"#   {field} " in comments, field
