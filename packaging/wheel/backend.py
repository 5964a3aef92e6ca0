"""The build backend of `pip install .`: builds the program, which the wheel has beside the module, and calls maturin."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import maturin
from maturin import get_requires_for_build_wheel  # noqa: F401

ROOT = Path(__file__).resolve().parent.parent.parent
# The setting `data` in pyproject.toml names the parent of this directory.
SCRIPTS = ROOT / "target/wheel/data/scripts"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    shutil.rmtree(SCRIPTS.parent, ignore_errors=True)
    SCRIPTS.mkdir(parents=True)
    shutil.copy2(program(), SCRIPTS)
    # Reset RUSTFLAGS, because with the flags of .cargo/config.toml, which make static programs, cargo builds no shared
    # library.
    os.environ["RUSTFLAGS"] = os.environ.get("RUSTFLAGS", "")
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def program():
    """Builds the program, and returns its path."""
    command = ["cargo", "build", "--release", "--locked", "--package=utfconv", "--message-format=json-render-diagnostics"]
    messages = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    built = (json.loads(line) for line in messages.splitlines())
    return next(message["executable"] for message in built if message.get("executable"))
