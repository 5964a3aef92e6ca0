"""Runs the program for `python -m utfconv`."""

import os
import subprocess
import sys

from ._find_utfconv import find_utfconv_bin


def main() -> None:
    """Runs the program with the arguments of this process."""
    command = [find_utfconv_bin(), *sys.argv[1:]]
    if sys.platform == "win32":
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
