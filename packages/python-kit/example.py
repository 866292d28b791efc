"""A tech adapter for directories: a deployed component is one, and `.readers` in it says who may read.

    python3 example.py [port] [folder]
"""

import os
import re
import shutil
import sys
import time
from pathlib import Path

from plinth_adapter import Adapter, Outcome, Problem, Refused

folder = Path(sys.argv[2] if len(sys.argv) > 2 else "directories")
adapter = Adapter(
    "directories",
    secret=[os.environ.get(f"CORE_BACKEND_PLUGIN_AUTH_{name}") for name in ("SECRET", "FORMER_SECRET")],
    store=os.environ.get("ADAPTER_STORE", ":memory:"),
    answer_within=float(os.environ.get("ADAPTER_ANSWER_WITHIN", "5")),
)
adapter.can_be_terminated()


def name_in(fields):
    name = (fields or {}).get("directory") if isinstance(fields, dict) else None
    return name if isinstance(name, str) and re.fullmatch(r"[a-z][a-z0-9-]{0,62}", name) else None


def problems_of(call):
    if call.component is None or name_in(call.component.get("specific")):
        return []
    advice = "Use up to 63 small letters, digits and hyphens, a letter first."
    return [Problem(call.pointer + "/specific/directory", "is no name for a directory", advice)]


def place_of(call):
    """The component's directory; refuses a bad name, and the directory of another component."""
    problems = problems_of(call)
    if call.component is None:
        problems = [Problem("", "this adapter deploys components only")]
    if problems:
        raise Refused("The component cannot be a directory.", problems)
    path = folder / str(call.unit.get("environment")) / name_in(call.component["specific"])
    owner = path / ".owner"
    if owner.exists() and owner.read_text() != call.component["id"]:
        raise Refused("The directory is taken.", [Problem(call.pointer, f"it belongs to {owner.read_text()}")])
    return path


@adapter.validate
def validate(call):
    return problems_of(call)


@adapter.provision
def provision(call, context):
    path = place_of(call)
    context.log("INFO", "making the directory")
    for _ in range(int(call.component["specific"].get("seconds", 0)) * 10):
        if context.stopping.is_set():
            raise RuntimeError("stopped")
        time.sleep(0.1)
    path.mkdir(parents=True, exist_ok=True)
    (path / ".owner").write_text(call.component["id"])
    return Outcome("The directory is there.", {"path": {"type": "string", "label": "Directory", "value": str(path)}})


@adapter.unprovision
def unprovision(call, context):
    path = place_of(call)
    if call.remove_data:
        shutil.rmtree(path, ignore_errors=True)
        return Outcome("The directory is gone.")
    for name in (".readers", ".owner"):
        (path / name).unlink(missing_ok=True)
    return Outcome("The files stay; they are nobody's.")


@adapter.update_acl
def update_acl(call, context):
    path = place_of(call)
    if not (path / ".owner").exists():
        raise Refused("The component is not deployed.", [Problem(call.pointer, "has no directory", "Deploy it first.")])
    (path / ".readers").write_text("".join(f"{ref}\n" for ref in call.refs))
    return Outcome(f"{len(call.refs)} may read it.")


@adapter.reverse_provision
def reverse_provision(call, context):
    name = name_in(call.params)
    path = folder / call.environment / name if name else None
    files = sorted(each.name for each in path.iterdir()) if path and path.is_dir() else []
    return {"spec.mesh.specific.files": [each for each in files if not each.startswith(".")]}


if __name__ == "__main__":
    adapter.serve(port=int(sys.argv[1]) if len(sys.argv) > 1 else 4200)
