"""The addresses of `cargo binstall` in Cargo.toml name the tarballs and the zip file, which have the program: OUT VERSION MACHINE."""

import pathlib
import sys
import tarfile
import tomllib
import zipfile

out, version, machine = sys.argv[1:]
manifest = tomllib.loads(pathlib.Path("Cargo.toml").read_text())
metadata = manifest["package"]["metadata"]["binstall"]
# The files that cargo-binstall requests on each system. The file for this machine must exist.
files = {f"{machine}-unknown-linux-gnu": f"utfconv-v{version}-{machine}-unknown-linux-gnu.tar.gz"}
for target, name in {
    "x86_64-pc-windows-msvc": f"utfconv-v{version}-x86_64-pc-windows-gnu.zip",
    "x86_64-apple-darwin": f"utfconv-v{version}-x86_64-apple-darwin.tar.gz",
    "aarch64-apple-darwin": f"utfconv-v{version}-aarch64-apple-darwin.tar.gz",
}.items():
    if pathlib.Path(out, name).exists():
        files[target] = name


def expand(text, target):
    names = {"repo": manifest["workspace"]["package"]["repository"], "version": version, "target": target, "bin": "utfconv"}
    for name, value in names.items():
        text = text.replace("{ %s }" % name, value)
    assert "{" not in text, text
    return text


for target, file in files.items():
    settings = metadata | metadata["overrides"].get(target, {})
    url = expand(settings["pkg-url"], target)
    assert url == f"https://github.com/utfconv/utfconv/releases/download/v{version}/{file}", url
    program = expand(settings["bin-dir"], target)
    if settings["pkg-fmt"] == "zip":
        assert program in zipfile.ZipFile(pathlib.Path(out, file)).namelist(), program
    else:
        with tarfile.open(pathlib.Path(out, file)) as tarball:
            assert tarball.getmember(program).mode == 0o755
    print(f"{target}: {url}")
