"""`forge new-family`: a family of traps without code, or the skeleton of one with code."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from forge.cli.console import say, write, write_json
from forge.cli.house import Call, Command, json_option, pass_call


@click.command(cls=Command)
@click.argument("name")
@click.option("--code", is_flag=True, help="Write an installable plug-in with code of its own.")
@json_option
@pass_call
def command(call: Call, name: str, code: bool, as_json: bool) -> None:
    """Start a family of traps called NAME.

    Without --code it is a seed set plus prompts: it uses the code of salience, so its seeds have the same fields, and
    its own seeds and rewriting prompts make it another kind of trap. With --code it is a Python package that brings
    its own guards, readers and labels. Never overwrites.
    """
    from forge.families import loading
    from forge.session import scaffold
    from forge.workspace import seedfiles

    session = call.session()
    workspace = session.workspace
    taken = {ref.family for ref in seedfiles.available(workspace.roots("seeds"))} | set(loading.names())
    scaffold.family_name(name, taken)
    say(f"workspace: {workspace.root}")
    if code:
        done = scaffold.new_plugin(workspace.root, name)
        steps = _plugin_steps(name, workspace.root)
    else:
        base = session.family("salience")
        done = scaffold.new_family(workspace.root, name, base, session.prompts(base))
        steps = _steps(name)
    if as_json:
        made, kept = [str(path) for path in done.made], [str(path) for path in done.kept]
        write_json({"family": name, "code": code, "made": made, "kept": kept})
        return
    for path in done.made:
        say(f"wrote       {path.relative_to(workspace.root)}")
    for path in done.kept:
        say(f"left alone  {path.relative_to(workspace.root)}")
    write("\n".join(steps))


def _steps(name: str) -> list[str]:
    return [
        f"The family {name} is ready to be filled: it holds one example seed and salience's rewriting prompts.",
        f"  seeds/{name}/first.yaml      replace the example by seeds of your own kind",
        f"  prompts/{name}/*.md          reword what rewriters are told; delete what you do not change",
        f"  forge seeds lint {name}/first",
        f"  forge prompts show generator --seed first-magnets --seed-set {name}/first",
        f"  forge anneal --seed-set {name}/first --dry-run",
        f"  forge anneal --seed-set {name}/first",
    ]


def _plugin_steps(name: str, root: Path) -> list[str]:
    folder = f"forge-{name.replace('_', '-')}"
    return [
        f"The family {name} works as it stands: yes/no traps that a rule reads. Change it step by step, tests green.",
        f"  pip install -e {shlex.quote(str(root / folder))}",
        f"  pytest {shlex.quote(str(root / folder))}",
        f"  forge seeds lint {name}/first",
        f"  forge anneal --seed-set {name}/first --dry-run",
    ]
