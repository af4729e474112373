"""forge.toml, the environment and overrides: what wins, where it came from, and what is said of mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from forge.config.layers import Layered
from forge.config.settings import Settings, greedy, load, overlap, override
from forge.config.shipped import PROFILES
from forge.model.errors import ConfigError, UsageError
from forge.model.words import Role


@pytest.fixture(autouse=True)
def _no_profile_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORGE_PROFILE", raising=False)


def toml(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "forge.toml"
    path.write_text(text, encoding="utf-8")
    return path


def source(settings: Settings, *path: str) -> str:
    return {at: where for at, _, where in settings.layered.leaves()}[path]


# ------------------------------------------------------------------------------------------------------------ layers


def test_layers_merge_mappings_and_replace_the_rest() -> None:
    layered = Layered()
    layered.add({"a": {"x": 1, "y": [1, 2]}, "b": 1}, "first")
    layered.add({"a": {"y": [3], "z": {}}, "c": 2}, "second")
    assert layered.values == {"a": {"x": 1, "y": [3], "z": {}}, "b": 1, "c": 2}
    assert list(layered.leaves()) == [
        (("a", "x"), 1, "first"),
        (("a", "y"), [3], "second"),
        (("a", "z"), {}, "default"),
        (("b",), 1, "first"),
        (("c",), 2, "second"),
    ]


def test_a_mapping_replaces_a_value_of_another_kind() -> None:
    layered = Layered()
    layered.add({"a": 1}, "first")
    layered.add({"a": {"x": 2}}, "second")
    assert layered.values == {"a": {"x": 2}}


# ------------------------------------------------------------------------------------------------- what wins, and why


def test_without_a_file_the_shipped_local_profile_counts(tmp_path: Path) -> None:
    settings = load(tmp_path / "forge.toml")
    assert settings.profile.name == "local"
    assert settings.profiles == ("hosted", "local")
    assert settings.profile.roles[Role.JUDGE].rules
    assert source(settings, "limits", "top_k") == "shipped: profile local"


def test_the_profile_s_name_comes_from_the_nearest_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = toml(tmp_path, 'profile = "mine"\n[profiles.mine]\n[profiles.other]\n')
    assert load(path).profile.name == "mine"
    monkeypatch.setenv("FORGE_PROFILE", "other")
    assert load(path).profile.name == "other"
    assert load(path, "hosted").profile.name == "hosted"


def test_every_value_knows_where_it_came_from(tmp_path: Path) -> None:
    path = toml(
        tmp_path, 'profile = "mine"\n[profiles.mine]\nworkers = 3\nlimits.gain = 0.5\n[endpoints.x]\nretries = 1\n'
    )
    settings = load(path, overrides={"limits": {"top_k": 9}})
    assert (settings.profile.workers, source(settings, "workers")) == (3, f"{path}: profile mine")
    assert (settings.profile.limits.gain, source(settings, "limits", "gain")) == (0.5, f"{path}: profile mine")
    assert (settings.profile.limits.top_k, source(settings, "limits", "top_k")) == (9, "command line")
    assert source(settings, "limits", "max_steps") == "shipped: profile local"
    assert (settings.profile.endpoints["x"].retries, source(settings, "endpoints", "x", "retries")) == (1, str(path))
    assert ("extends",) not in [at for at, _, _ in settings.layered.leaves()]


def test_a_profile_builds_on_a_chain_of_others(tmp_path: Path) -> None:
    path = toml(
        tmp_path,
        '[profiles.a]\nextends = "hosted"\nworkers = 2\n[profiles.b]\nextends = "a"\nlimits.top_k = 7\n'
        '[profiles.c]\nextends = "b"\nworkers = 5\n',
    )
    settings = load(path, "c")
    assert settings.profile.workers == 5
    assert settings.profile.limits.top_k == 7
    assert settings.profile.roles[Role.SOLVER].models == tuple(PROFILES["hosted"]["roles"]["solver"]["models"])
    assert source(settings, "limits", "top_k") == f"{path}: profile b"


def test_a_profile_that_bears_a_shipped_name_builds_on_it(tmp_path: Path) -> None:
    path = toml(tmp_path, "[profiles.hosted]\nworkers = 1\n")
    profile = load(path, "hosted").profile
    assert profile.workers == 1
    assert profile.roles[Role.JUDGE].models == tuple(PROFILES["hosted"]["roles"]["judge"]["models"])


def test_loading_never_changes_what_is_shipped(tmp_path: Path) -> None:
    before = repr(PROFILES)
    load(toml(tmp_path, "[profiles.local]\nlimits.top_k = 99\nroles.solver.temperature = 1.5\n"))
    assert repr(PROFILES) == before


@pytest.mark.parametrize(
    "text",
    [
        '[profiles.a]\nextends = "b"\n[profiles.b]\nextends = "a"\n',
        '[profiles.a]\nextends = "b"\n[profiles.b]\nextends = "c"\n[profiles.c]\nextends = "b"\n',
    ],
)
def test_a_circle_is_refused(tmp_path: Path, text: str) -> None:
    path = toml(tmp_path, text)
    with pytest.raises(ConfigError, match="circle") as caught:
        load(path, "a")
    assert str(path) in str(caught.value.where)


def test_local_paths_are_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = load(toml(tmp_path, '[local.paths]\n"m-1" = "~/m.gguf"\n'))
    assert settings.local_paths == {"m-1": tmp_path / "m.gguf"}


# ------------------------------------------------------------------------------------------------- short forms of roles


@pytest.mark.parametrize(
    ("written", "models"),
    [
        ('judge = "openai/x"', ("openai/x",)),
        ('judge = ["openai/x", "openai/y"]', ("openai/x", "openai/y")),
        ('judge = { model = "openai/x" }', ("openai/x",)),
        ('judge = { models = "openai/x" }', ("openai/x",)),
        ('judge = { models = ["openai/x", "openai/y"], temperature = 0.1 }', ("openai/x", "openai/y")),
        ('judge = "rules"', ("rules",)),
    ],
)
def test_short_forms(tmp_path: Path, written: str, models: tuple[str, ...]) -> None:
    profile = load(toml(tmp_path, f"[profiles.local.roles]\n{written}\n")).profile
    assert profile.roles[Role.JUDGE].models == models


def test_a_short_form_keeps_how_the_role_decodes(tmp_path: Path) -> None:
    profile = load(toml(tmp_path, '[profiles.local.roles]\nsolver = "openai/x"\n')).profile
    assert profile.roles[Role.SOLVER].models == ("openai/x",)
    assert profile.roles[Role.SOLVER].temperature == PROFILES["local"]["roles"]["solver"]["temperature"]


def test_short_forms_work_on_the_command_line(tmp_path: Path) -> None:
    profile = load(tmp_path / "forge.toml", overrides={"roles": {"solver": "openai/x"}}).profile
    assert profile.roles[Role.SOLVER].models == ("openai/x",)


# ------------------------------------------------------------------------------------------------------------ mistakes


@pytest.mark.parametrize(
    ("text", "line", "what", "fix"),
    [
        ('profil = "local"\n', 1, "unknown key profil", "profile"),
        ('profile = "hostde"\n', None, "no profile hostde", "hosted"),
        ('\n[profiles.local]\nextends = "hostde"\n', 3, "no profile hostde", "hosted"),
        ('[profiles.local.roles]\n\njugde = "rules"\n', 3, "no role jugde", "judge"),
        ("[profiles.local.limits]\ntop_kk = 3\n", 2, "unknown key limits.top_kk", "top_k"),
        ("[profiles.local.limits.weights]\nstrongg = 3\n", 2, "unknown key limits.weights.strongg", "strong"),
        ("[profiles.local.roles.solver]\ntemprature = 1.0\n", 2, "unknown key roles.solver.temprature", "temperature"),
        ("[endpoints.openai]\nconcurency = 4\n", 2, "unknown key endpoints.openai.concurency", "concurrency"),
        ("[profiles.local]\nworker = 4\n", 2, "unknown key worker", "workers"),
        ("[profiles.local]\nworkers = 0\n", 2, "workers: ", None),
        ("[profiles.local.roles.solver]\ntemperature = 9.0\n", 2, "temperature: ", None),
        ('[profiles.local.roles]\nsolver = "rules"\n', None, "rules cannot play solver", None),
        ('[profiles.local.roles]\nsolver = ["openai/a", "openai/b"]\n', None, "never a pool", None),
        ('[profiles.local.roles]\njudge = ["rules", "openai/b"]\n', None, "rules cannot be part of a pool", None),
        ("[profiles.local.limits]\nstability_needed = 9\n", None, "above stability_samples", None),
        ("[profiles.local\n", None, "not TOML", None),
    ],
)
def test_a_mistake_is_told_with_line_and_remedy(
    tmp_path: Path, text: str, line: int | None, what: str, fix: str | None
) -> None:
    path = toml(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert what in caught.value.what
    if line is not None:
        assert caught.value.where == f"{path}:{line}"
    if fix is not None:
        assert fix in str(caught.value.fix)


def test_an_unknown_profile_of_the_command_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no profile locl") as caught:
        load(tmp_path / "forge.toml", "locl")
    assert "did you mean local" in str(caught.value.fix)
    assert caught.value.where == "command line or environment"


def test_a_wrong_value_of_the_command_line_names_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"limits\.top_k") as caught:
        load(tmp_path / "forge.toml", overrides={"limits": {"top_k": 0}})
    assert caught.value.where == "command line"
    assert caught.value.value == "0"


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "forge.toml"
    path.write_bytes(b"profile = '\xff'\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(path)


@pytest.mark.parametrize(
    "text",
    [
        "profiles = 3\n",
        "[profiles]\nlocal = 3\n",
        "profile = 3\n",
        "[profiles.local]\nextends = 3\n",
        "[profiles.local]\nroles = 3\n",
        "[profiles.local.roles]\nsolver = 3\n",
        "local = 3\n",
        "[local]\npaths = 3\n",
        "[local.paths]\nm = 3\n",
        "endpoints = 3\n",
        "[endpoints]\nopenai = 3\n",
        "prices = [1]\n",
        "[local]\nfoo = 1\n",
    ],
)
def test_a_value_of_the_wrong_shape_is_an_error_of_the_file(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError):
        load(toml(tmp_path, text))


# --------------------------------------------------------------------------------------------------- --set, and checks


@pytest.mark.parametrize(
    ("pairs", "nested"),
    [
        (("limits.top_k=3",), {"limits": {"top_k": 3}}),
        (("limits.top_k=3", "limits.gain=0.5"), {"limits": {"top_k": 3, "gain": 0.5}}),
        (("scope=reasoning+answer",), {"scope": "reasoning+answer"}),
        (('roles.judge=["a/b", "c/d"]',), {"roles": {"judge": ["a/b", "c/d"]}}),
        (("roles.solver=openai/x=y",), {"roles": {"solver": "openai/x=y"}}),
        ((" limits . gain =1",), {"limits": {"gain": 1}}),
        ((), {}),
    ],
)
def test_override_reads_pairs(pairs: tuple[str, ...], nested: dict[str, Any]) -> None:
    assert override(pairs) == nested


@pytest.mark.parametrize("pairs", [("limits.top_k",), ("=3",), (" = 3",), ("a=1", "a.b=2"), ("a..b=1",)])
def test_override_refuses_what_is_no_pair(pairs: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        override(pairs)


def test_overlap_and_greedy(tmp_path: Path) -> None:
    profile = load(
        toml(tmp_path, '[profiles.local.roles]\nsolver = "openai/x"\njudge = ["openai/y", "openai/x"]\n')
    ).profile
    assert overlap(profile) == ("openai/x",)
    assert overlap(load(tmp_path / "none").profile) == ()
    assert not greedy(profile)
    assert greedy(load(tmp_path / "none", overrides={"roles": {"solver": {"temperature": 0.0}}}).profile)


def test_the_shipped_hosted_profile_keeps_its_own_rules(tmp_path: Path) -> None:
    profile = load(tmp_path / "none", "hosted").profile
    assert overlap(profile) == ()
    assert not greedy(profile)
    solver = set(profile.roles[Role.SOLVER].models)
    others = {model for role, spec in profile.roles.items() if role is not Role.SOLVER for model in spec.models}
    assert not solver & others
