"""Finds the program that pip installed."""

import os
import sys
import sysconfig


def find_utfconv_bin() -> str:
    """Returns the path of the program that this wheel installed."""
    name = "utfconv" + (sysconfig.get_config_var("EXE") or "")
    scheme = "nt_user" if os.name == "nt" else "posix_user"
    # `pip install --target` puts scripts in a directory beside the package.
    beside = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin")
    directories = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", scheme=scheme), beside]
    for directory in directories:
        path = os.path.join(directory, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"{name} is in none of: {', '.join(directories)}")
