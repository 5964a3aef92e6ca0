"""All packages, unpacked in a directory, have the same SBOM, and it has what is linked into the program."""

import json
import pathlib
import subprocess
import sys
import zlib

root = pathlib.Path(sys.argv[1])
sboms = [root / "share/doc/utfconv/utfconv.cdx.json", *root.glob("*.json")]
assert len(sboms) == 5, sboms
texts = {path.read_text() for path in sboms}
assert len(texts) == 1, "the SBOMs differ"
sbom = json.loads(texts.pop())
assert sbom["bomFormat"] == "CycloneDX", sbom
listed = {(part["name"], part["version"]) for part in sbom["components"]}
subprocess.run(["objcopy", "-O", "binary", "--only-section=.dep-v0", "--set-section-flags", ".dep-v0=alloc",
                root / "bin/utfconv", root / "dependencies"], check=True)
linked = {(part["name"], part["version"]) for part in json.loads(zlib.decompress((root / "dependencies").read_bytes()))["packages"]
          if part.get("kind", "runtime") == "runtime"}
assert len(linked) > 30, linked
assert linked - listed <= {part for part in linked if part[0] == "utfconv"}, linked - listed
print(f"{len(linked)} packages in the program, {len(listed)} in each SBOM")
# cargo-auditable also lists dependencies that only features of other workspace members add. The notices cover only what
# is linked into the program or the Python module.
tree = subprocess.run(["cargo", "tree", "--locked", "-p", "utfconv", "-p", "utfconv-python", "-e", "normal", "--prefix", "none", "--format", "{p}"],
                      stdout=subprocess.PIPE, check=True, text=True).stdout
crates = {" ".join(line.split()[:2]).replace(" v", " ") for line in tree.splitlines() if " v" in line}
notices = (root / "share/doc/utfconv/NOTICES.txt").read_text()
unnamed = {crate for crate in crates if not crate.startswith("utfconv") and f"  {crate}  " not in notices}
assert not unnamed, f"no notices of {unnamed}"
print(f"{len(crates)} crates are linked")
