"""Workspaces, safe names and the order of roots: in a checkout, in a wheel, and after `pip install -e`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from forge.model.errors import StorageError, UsageError
from forge.workspace import paths
from forge.workspace.paths import Workspace, find, safe

CHECKOUT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("name", ["D1", "a", "my_set-2.b", "0", "x" * 100])
def test_a_safe_name_passes(name: str) -> None:
    assert safe(name, "a thing") == name


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", "a\\b", "/etc", "a b", ".hid", "-x", "a..b", "ü", "a\0", "a\n", "x" * 101]
)
def test_an_unsafe_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="not a name for a thing"):
        safe(name, "a thing")


def test_a_run_id_never_leaves_the_runs(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        Workspace(tmp_path, configured=False).run("../../etc")


def test_the_nearest_forge_toml_counts(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    assert find(deep) == Workspace(deep.resolve(), configured=False)
    (tmp_path / "forge.toml").touch()
    assert find(deep) == Workspace(tmp_path.resolve(), configured=True)
    (tmp_path / "a" / "b" / "forge.toml").touch()
    assert find(deep) == Workspace((tmp_path / "a" / "b").resolve(), configured=True)


def test_a_folder_called_forge_toml_is_none(tmp_path: Path) -> None:
    (tmp_path / "forge.toml").mkdir()
    assert find(tmp_path).configured is False


def test_ready_makes_the_folders_and_says_when_it_cannot(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, configured=False)
    workspace.ready()
    assert workspace.runs.is_dir()
    assert workspace.registry.parent.is_dir()
    blocked = Workspace(tmp_path / "file", configured=False)
    blocked.root.write_text("")
    with pytest.raises(StorageError, match="cannot be written") as caught:
        blocked.ready()
    assert str(blocked.root) in str(caught.value)


def test_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("FORGE_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert paths.cache() == tmp_path / ".cache" / "forge"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert paths.cache() == tmp_path / "xdg" / "forge"
    monkeypatch.setenv("FORGE_CACHE", str(tmp_path / "own"))
    assert paths.cache() == tmp_path / "own"


def layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, packed: bool, checkout: bool) -> Path:
    """Pretend that forge is installed in a folder, and return that folder."""
    site = tmp_path / "site"
    (site / "forge").mkdir(parents=True)
    if packed:
        (site / "forge" / "_data" / "seeds").mkdir(parents=True)
    if checkout:
        (site / "pyproject.toml").touch()
    (site / "seeds").mkdir()
    monkeypatch.setattr("forge.workspace.paths.forge.__file__", str(site / "forge" / "__init__.py"))
    return site


def test_roots_are_workspace_then_packed_data_then_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = layout(tmp_path, monkeypatch, packed=True, checkout=True)
    mine = tmp_path / "mine"
    (mine / "seeds").mkdir(parents=True)
    roots = Workspace(mine, configured=True).roots("seeds")
    assert roots == (mine / "seeds", site / "forge" / "_data" / "seeds", site / "seeds")


def test_a_folder_beside_an_installed_forge_is_no_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = layout(tmp_path, monkeypatch, packed=True, checkout=False)
    assert Workspace(tmp_path, configured=False).roots("seeds") == (site / "forge" / "_data" / "seeds",)


def test_a_workspace_that_is_the_checkout_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = layout(tmp_path, monkeypatch, packed=False, checkout=True)
    assert Workspace(site, configured=True).roots("seeds") == (site / "seeds",)


# ------------------------------------------------------------------------------------ a real wheel, a real install

SHOW = """
import json
from pathlib import Path
import forge
from forge.workspace import paths, seedfiles
from forge.session.scaffold import start_workspace
workspace = paths.find()
made = start_workspace(Path("fresh"))
print(json.dumps({
    "forge": str(Path(forge.__file__).resolve()),
    "seeds": [str(root) for root in workspace.roots("seeds")],
    "prompts": [str(root) for root in workspace.roots("prompts")],
    "sets": [ref.name for ref in seedfiles.available(workspace.roots("seeds"))],
    "d1": str(seedfiles.resolve("D1", workspace.roots("seeds")).path),
    "made": len(made.made),
}))
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the build needs, so that a build leaves nothing in the checkout."""
    pytest.importorskip("hatchling")
    copy = tmp_path_factory.mktemp("source")
    for name in ("forge", "prompts", "seeds"):
        shutil.copytree(CHECKOUT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(CHECKOUT / "pyproject.toml", copy)
    readme = CHECKOUT / "README.md"
    (copy / "README.md").write_text(readme.read_text() if readme.is_file() else "forge")
    return copy


def pip(*args: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", *args], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def show(target: Path, folder: Path) -> dict[str, object]:
    """Ask the forge that is installed in `target`, from a folder elsewhere."""
    # First on the path, with what its .pth files add: the interpreter may have an installed forge of its own.
    code = (
        f"import site, sys; mine = {str(target)!r}; known = list(sys.path); site.addsitedir(mine)\n"
        f"sys.path[:] = [mine, *(p for p in sys.path if p not in known and p != mine), *known]\n{SHOW}"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown: dict[str, object] = json.loads(done.stdout)
    return shown


def workspace_with_its_own_d1(tmp_path: Path) -> Path:
    own = tmp_path / "work" / "seeds" / "salience" / "D1.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("set: D1\n")
    return tmp_path / "work"


@pytest.mark.slow
def test_a_wheel_carries_its_data_and_the_workspace_comes_first(source: Path, tmp_path: Path) -> None:
    pip("wheel", "-q", "--no-index", "--no-deps", "--no-build-isolation", "-w", str(tmp_path / "dist"), str(source))
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "forge/_data/seeds/salience/D1.yaml" in names
    assert "forge/_data/prompts/salience/judge.md" in names
    assert "forge/workspace/templates/forge.toml.txt" in names
    assert [name for name in names if name.startswith(("seeds/", "prompts/", "tests/"))] == []
    site = tmp_path / "site"
    pip("install", "-q", "--no-index", "--no-deps", "--target", str(site), str(wheel))
    work = workspace_with_its_own_d1(tmp_path)
    shown = show(site, work)
    data = (site / "forge" / "_data").resolve()
    assert shown["forge"] == str((site / "forge" / "__init__.py").resolve())
    assert shown["seeds"] == [str((work / "seeds").resolve()), str(data / "seeds")]
    assert shown["prompts"] == [str(data / "prompts")]
    assert shown["d1"] == str((work / "seeds" / "salience" / "D1.yaml").resolve())
    assert "salience/D4" in list(shown["sets"])  # type: ignore[call-overload]
    assert shown["made"] == 4


@pytest.mark.slow
def test_an_editable_install_finds_the_checkout_s_data(source: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    # An editable wheel, built by the backend as pip does, and unpacked: pip refuses --target with -e.
    build = "import sys; from hatchling.build import build_editable; print(build_editable(sys.argv[1]))"
    (tmp_path / "dist").mkdir()
    subprocess.run([sys.executable, "-c", build, str(tmp_path / "dist")], cwd=source, check=True, timeout=120)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    zipfile.ZipFile(wheel).extractall(site)
    shown = show(site, workspace_with_its_own_d1(tmp_path))
    assert shown["forge"] == str((source / "forge" / "__init__.py").resolve())
    # Where force-included data ends up in an editable install is the backend's affair: the checkout must serve anyway.
    assert str((source / "seeds").resolve()) in list(shown["seeds"])  # type: ignore[call-overload]
    assert str((source / "prompts").resolve()) in list(shown["prompts"])  # type: ignore[call-overload]
    assert "salience/D4" in list(shown["sets"])  # type: ignore[call-overload]
