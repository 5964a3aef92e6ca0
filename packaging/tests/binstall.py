"""The addresses of `cargo binstall` in Cargo.toml name the tarballs: OUT VERSION MACHINE."""

import pathlib
import sys
import tarfile
import tomllib

out, version, machine = sys.argv[1:]
manifest = tomllib.loads(pathlib.Path("Cargo.toml").read_text())
metadata = manifest["package"]["metadata"]["binstall"]
names = {"repo": manifest["workspace"]["package"]["repository"], "version": version,
         "target": f"{machine}-unknown-linux-gnu", "bin": "utfconv"}


def expand(text):
    for name, value in names.items():
        text = text.replace("{ %s }" % name, value)
    assert "{" not in text, text
    return text


url = expand(metadata["pkg-url"])
assert url.startswith("https://github.com/utfconv/utfconv/releases/download/v" + version), url
with tarfile.open(pathlib.Path(out) / url.rsplit("/", 1)[1]) as tarball:
    assert tarball.getmember(expand(metadata["bin-dir"])).mode == 0o755
