"""`python -m utfconv`."""

import os
import subprocess
import sys

from utfconv import find_utfconv_bin

if __name__ == "__main__":
    command = [find_utfconv_bin(), *sys.argv[1:]]
    if sys.platform == "win32":
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)
