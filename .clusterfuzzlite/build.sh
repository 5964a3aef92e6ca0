#!/bin/bash
# Builds each fuzz target into $OUT. ClusterFuzzLite calls this script in the image of the Dockerfile in this directory.
# To call it by hand, with a nightly toolchain and cargo-fuzz, in the root of the repository:
#
#   OUT=DIRECTORY .clusterfuzzlite/build.sh
set -euo pipefail

cargo +nightly fuzz build -O --debug-assertions "$@"
for target in $(cargo +nightly fuzz list); do
    built=fuzz/target/x86_64-unknown-linux-gnu/release/$target
    if [ -e "$built" ]; then cp "$built" "$OUT/"; fi
done
