"""Installs, runs and removes the packages of this system: tarball or zip file, wheel, npm packages. For any system with Python
and npm: the workflow "release" calls it on each.

python3 packaging/tests/host.py DIRECTORY
"""

import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import venv

MACHINE = {"AMD64": "x86_64", "ARM64": "aarch64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
# For each system: the end of a target's file name, a part of a wheel's name, and the platform in npm's spelling.
TARGET, WHEEL, NPM = {
    "Linux": ("unknown-linux-gnu.tar.gz", "manylinux", "linux"),
    "Darwin": ("apple-darwin.tar.gz", "macosx", "darwin"),
    "Windows": ("pc-windows-gnu.zip", "win", "win32"),
}[platform.system()]
WINDOWS = platform.system() == "Windows"
EXE = ".exe" if WINDOWS else ""
# Directory for programs in a virtual environment and in a prefix of npm.
BIN = "Scripts" if WINDOWS else "bin"


def ends(status, stdin, *command):
    """Runs a command, which has to end with `status`; returns what it prints."""
    # Windows finds npm.cmd only by its full name, so resolve the path.
    program = shutil.which(str(command[0])) or command[0]
    ran = subprocess.run([program, *command[1:]], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert ran.returncode == status, f"{command} ended with {ran.returncode}, not {status}: {ran.stdout!r} {ran.stderr!r}"
    return ran.stdout


def runs(version, *program):
    """Checks that a command is the program of this version, converts, and finds errors."""
    assert ends(0, b"", *program, "--version").split(b"\n")[0].strip() == b"utfconv " + version.encode(), program
    assert ends(0, b"caf\xe9", *program, "-f", "latin1", "-t", "utf-8") == "café".encode(), program
    ends(1, b"\xff", *program, "check", "-q", "-")
    ends(2, b"", *program, "-i")


def files(directory):
    return {path for path in directory.rglob("*") if not path.is_dir()}


def one(directory, pattern):
    found = sorted(directory.glob(pattern))
    assert len(found) == 1, f"{pattern}: {found}"
    return found[0]


def archive(packages, work):
    path = one(packages, f"utfconv-v*-{MACHINE}-{TARGET}")
    version = path.name.removeprefix("utfconv-v").split(f"-{MACHINE}-")[0]
    shutil.unpack_archive(path, work)
    root = one(work, "utfconv-v*")
    runs(version, root / f"bin/utfconv{EXE}")
    shutil.rmtree(root)
    return version, path


def wheel(packages, work, version):
    machine = "arm64" if platform.system() == "Darwin" and MACHINE == "aarch64" else platform.machine().lower()
    path = one(packages, f"utfconv-{version}-*{WHEEL}*_{machine}.whl")
    venv.create(work, with_pip=True)
    before = files(work)
    python = work / BIN / f"python{EXE}"
    ends(0, b"", python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", path)
    runs(version, work / BIN / f"utfconv{EXE}")
    runs(version, python, "-m", "utfconv")
    decodes = "import utfconv; assert utfconv.decode(bytes([0x93, 0xfa]), 'Shift_JIS') == chr(0x65e5)"
    ends(0, b"", python, "-c", decodes)
    ends(0, b"", python, "-m", "pip", "uninstall", "-q", "-y", "--disable-pip-version-check", "utfconv")
    left = {path for path in files(work) - before if "__pycache__" not in path.parts}
    assert not left, left
    return path


def npm(packages, work, version):
    name = f"{NPM}-{'arm64' if MACHINE == 'aarch64' else 'x64'}"
    paths = [packages / f"utfconv-{name}-{version}.tgz", packages / f"utfconv-{version}.tgz"]
    options = ["--silent", "--global", "--prefix", work]
    ends(0, b"", "npm", "install", *options, "--offline", *paths)
    runs(version, work / ("utfconv.cmd" if WINDOWS else "bin/utfconv"))
    ends(0, b"", "npm", "uninstall", *options, "utfconv", f"@utfconv/{name}")
    left = {path for path in files(work) if path.name != ".package-lock.json"}
    assert not left, left
    return paths[0]


def main():
    packages = pathlib.Path(sys.argv[1]).resolve()
    sums = dict(reversed(line.split()) for line in (packages / "SHA256SUMS").read_text("utf-8").splitlines())
    with tempfile.TemporaryDirectory() as work:
        # On Windows, the path may have short names (8.3), which pip resolves, so resolve it here too.
        work = pathlib.Path(os.path.realpath(work))
        version, path = archive(packages, work)
        tested = [path, wheel(packages, work / "wheel", version), npm(packages, work / "npm", version)]
    for path in tested:
        assert hashlib.sha256(path.read_bytes()).hexdigest() == sums[path.name], path
        print(f"{path.name}: installed, ran, removed")


main()
