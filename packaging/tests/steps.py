"""Prints the commands of action.yml, or of the job of GitLab, as shell functions: FILE INPUT=VALUE..."""

import re
import shlex
import sys
import yaml

path, *given = sys.argv[1:]
given = dict(value.split("=", 1) for value in given)
document = yaml.safe_load(open(path))
if "runs" in document:
    inputs = {name: given.get(name, str(value["default"])) for name, value in document["inputs"].items()}
    steps = [(step["env"], step["run"]) for step in document["runs"]["steps"]]
    assert all(step["shell"] == "bash" for step in document["runs"]["steps"])
else:
    inputs, job = {}, document["utfconv"]
    steps = [(job["variables"], "\n".join(job[name])) for name in ("before_script", "script", "after_script")]


def value(text):
    return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: inputs[found[1]], str(text))


for number, (variables, commands) in enumerate(steps, 1):
    exports = " ".join(f"{name}={shlex.quote(value(text))}" for name, text in variables.items())
    print(f"step_{number}() {{ env {exports} bash --noprofile --norc -eo pipefail -c {shlex.quote(commands)}; }}")
