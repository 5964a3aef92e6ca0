# shellcheck shell=bash
# What the CI commands share. They source it in the root of the repository.

# One directory for all workspaces, and no files for a next build: each dependency is built once.
export CARGO_TARGET_DIR=$PWD/target CARGO_INCREMENTAL=0

# step COMMAND...: runs a step, and says how long it took.
step() {
    local began=$SECONDS
    printf '\n== %s\n' "$*"
    "$@"
    printf -- '-- %s s\n' $((SECONDS - began))
}

# install_packages PACKAGE...: installs packages of Debian.
install_packages() {
    apt-get -qq update
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null
}

# Debian's toolchain builds std from source. It is used for the targets that the toolchain in use has no std for.
has_std() { [ -d "$(rustc --print sysroot)/lib/rustlib/$1/lib" ]; }

# cargo_for TARGET COMMAND ARGUMENT...: runs a command of cargo for another target.
cargo_for() {
    local target=$1 command=$2
    shift 2
    if has_std "$target"; then
        cargo "$command" --target "$target" "$@"
    else
        env PATH="/usr/bin:$PATH" RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$PWD/target/debian" \
            cargo "$command" -Zbuild-std=std,panic_abort,panic_unwind,test,proc_macro --target "$target" "$@"
    fi
}

# built_for TARGET: where the files for it are that cargo_for has built.
built_for() { if has_std "$1"; then echo "target/$1/debug"; else echo "target/debian/$1/debug"; fi }
