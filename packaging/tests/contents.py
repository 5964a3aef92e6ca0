"""Every package of a release is there and no other file is, with its version, the texts of both licenses, the notices, and a size
that the registries take: OUT VERSION TARGET...
"""

import json
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

out, version, targets = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
MB = 1_000_000
LICENSES = {"LICENSE-MIT", "LICENSE-APACHE"}
NOTICES = LICENSES | {"NOTICES.txt", "utfconv.cdx.json"}
NPM = {"linux": "linux", "windows": "win32", "darwin": "darwin"}


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()


def tar(path):
    """Returns the names in a tarball, and a function that reads one of them by the end of its name."""
    with tarfile.open(path) as archive:
        texts = {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}
    return list(texts), lambda end: next(text for name, text in texts.items() if name.endswith(end)).decode()


def zipped(path):
    archive = zipfile.ZipFile(path)
    return archive.namelist(), lambda end: archive.read(next(name for name in archive.namelist() if name.endswith(end))).decode()


def the_crate(path):
    names, read = tar(path)
    manifest = read(f"{path.stem}/Cargo.toml")
    return names, re.search('^version = "(.*)"', manifest, re.M)[1], re.search('^license = "(.*)"', manifest, re.M)[1]


def the_wheel(path):
    names, read = zipped(path)
    metadata = read(".dist-info/METADATA")
    assert any(re.search(r"/_utfconv\.(abi3\.so|pyd)$", name) for name in names), f"{path.name} has no module"
    return names, re.search("^Version: (.*)", metadata, re.M)[1].strip(), re.search("^License-Expression: (.*)", metadata, re.M)[1].strip()


def the_npm(path):
    names, read = tar(path)
    manifest = json.loads(read("/package.json"))
    # All packages of platforms have the version of the main package.
    assert set(manifest.get("optionalDependencies", {}).values()) <= {version}, manifest
    return names, manifest["version"], manifest["license"]


def the_archive(path):
    names, _ = zipped(path) if path.suffix == ".zip" else tar(path)
    assert all(name.startswith(path.name.removesuffix(".tar.gz").removesuffix(".zip") + "/") for name in names), names
    return names, version, None


def the_deb(path):
    text = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], stdout=subprocess.PIPE, check=True).stdout
    names = run("dpkg-deb", "-c", path).split("\n")
    # Debian's package has the license texts in a single file.
    assert b"License: MIT or Apache-2.0" in text, path
    return [line.split()[-1] for line in names if line] + list(LICENSES | {"NOTICES.txt"}), run("dpkg-deb", "-f", path, "Version").strip().removesuffix("-1"), None


def the_rpm(path):
    return run("rpm", "-qlp", path).split("\n"), run("rpm", "-qp", "--qf", "%{VERSION}", path), run("rpm", "-qp", "--qf", "%{LICENSE}", path)


def expected():
    """Yields the name of each package, or a pattern for it, what reads it, what it must contain, and its largest size."""
    crates = [path.parent for path in pathlib.Path("crates").glob("*/Cargo.toml") if "publish = false" not in path.read_text()]
    for name in ["utfconv", *sorted(path.name for path in crates)]:
        yield f"{name}-{version}.crate", the_crate, LICENSES, 10 * MB
    yield f"utfconv-{version}.tgz", the_npm, LICENSES, MB
    for target in targets:
        machine, system = target.split("-")[0], next(name for name in NPM if name in target)
        archive = "zip" if system == "windows" else "tar.gz"
        yield f"utfconv-v{version}-{target}.{archive}", the_archive, NOTICES, 6 * MB
        yield f"utfconv-{NPM[system]}-{'x64' if machine == 'x86_64' else 'arm64'}-{version}.tgz", the_npm, NOTICES, 6 * MB
        tag = {"linux": f"manylinux*_{machine}", "windows": "win_amd64", "darwin": "macosx*_" + machine.replace("aarch64", "arm64")}
        python = "cp311" if system == "windows" else "cp39"
        yield f"utfconv-{version}-{python}-abi3-{tag[system]}.whl", the_wheel, NOTICES, 12 * MB
        if system == "linux":
            yield f"utfconv-{version}-1.{machine}.rpm", the_rpm, NOTICES, 6 * MB
            yield f"utfconv_{version}-1_{'amd64' if machine == 'x86_64' else 'arm64'}.deb", the_deb, NOTICES, 6 * MB


rest = {path.name for path in out.iterdir()} - {"SHA256SUMS"}
for pattern, read, needed, limit in expected():
    paths = list(out.glob(pattern))
    assert len(paths) == 1, f"{pattern}: {paths}"
    path = paths[0]
    names, its_version, license = read(path)
    size = path.stat().st_size
    missing = needed - {name.rsplit("/", 1)[-1] for name in names}
    assert not missing, f"{path.name} lacks {missing}"
    assert its_version == version, f"{path.name} is of version {its_version}"
    assert license in (None, "MIT OR Apache-2.0"), f"{path.name} is licensed {license}"
    assert size <= limit, f"{path.name} has {size} bytes, more than {limit}"
    rest.discard(path.name)
    print(f"{path.name:64} {len(names):4} files {size:9} bytes")
assert not rest, f"unknown: {rest}"
