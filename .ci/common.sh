# shellcheck shell=bash
# Functions and variables that the CI scripts share. The scripts source this file in the root of the repository.

# All workspaces use one target directory, so that each dependency is built once. Incremental compilation is off,
# because nothing is rebuilt. Fewer code-generation units save a sixth of the total CPU time.
export CARGO_TARGET_DIR=$PWD/target CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_CODEGEN_UNITS=4

# The library crates, dependencies first; then cargo's arguments for all of them except the core.
# shellcheck disable=SC2034
libraries=(utfconv-core utfconv-scan utfconv-declare utfconv-detect utfconv-options utfconv-repair utfconv-restore)
# shellcheck disable=SC2034
beside_core=(-p utfconv-scan -p utfconv-declare -p utfconv-detect -p utfconv-options -p utfconv-repair -p utfconv-restore)

# step COMMAND...: runs COMMAND, and prints how many seconds it took.
step() {
    local began=$SECONDS
    printf '\n== %s\n' "$*"
    "$@"
    printf -- '-- %s s\n' $((SECONDS - began))
}

# install_packages PACKAGE...: installs Debian packages. Skips npm if an npm is on the PATH, because Debian's npm
# conflicts with other packages of Node.
install_packages() {
    local package packages=()
    for package; do
        if [ "$package" != npm ] || ! command -v npm >/dev/null; then packages+=("$package"); fi
    done
    apt-get -qq update
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}" >/dev/null
}

# install_cargo_deny: installs cargo-deny if it is missing, as a debug build, which compiles faster.
install_cargo_deny() {
    command -v cargo-deny >/dev/null ||
        CARGO_PROFILE_DEV_DEBUG=0 cargo install -q --locked --debug --target-dir target/cargo-deny cargo-deny
}

# install_std ARCHITECTURE...: adds the std of other Debian architectures to Debian's Rust toolchain, if the mirror has
# the package. Unpacks only the files of the package, because apt would also install all its dependencies.
install_std() {
    local architecture version scratch options
    for architecture; do
        version=$(dpkg-query -W -f='${Version}' rustc-web)
        scratch=$(mktemp -d)
        options=(-qq -o "APT::Architectures=$architecture" -o "Dir::State::lists=$scratch" -o APT::Sandbox::User=root)
        if apt-get "${options[@]}" update && (cd "$scratch" &&
            apt-get "${options[@]}" download "libstd-rust-web-dev:$architecture=$version"); then
            dpkg-deb --fsys-tarfile "$scratch"/*.deb | tar -xC / ./usr/lib/rustlib
        else
            echo "std is built from source for $architecture"
        fi
        rm -r "$scratch"
    done
}

# has_std TARGET, has_std_of_debian TARGET: whether the current toolchain, or Debian's, has std for TARGET. If neither
# has, `cargo_for` builds std from source with Debian's toolchain.
has_std() { [ -d "$(rustc --print sysroot)/lib/rustlib/$1/lib" ]; }
has_std_of_debian() { [ -d "/usr/lib/rustlib/$1/lib" ]; }

# cargo_for TARGET COMMAND ARGUMENT...: runs the cargo command COMMAND for another target.
cargo_for() {
    local target=$1 command=$2 build_std=("-Zbuild-std=std,panic_abort,panic_unwind,test,proc_macro")
    shift 2
    if has_std "$target"; then
        cargo "$command" --target "$target" "$@"
        return
    fi
    if has_std_of_debian "$target"; then build_std=(); fi
    env PATH="/usr/bin:$PATH" RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$PWD/target/debian" \
        cargo "$command" "${build_std[@]}" --target "$target" "$@"
}

# built_for TARGET: prints the directory of the files that cargo_for has built for TARGET.
built_for() { if has_std "$1"; then echo "target/$1/debug"; else echo "target/debian/$1/debug"; fi }
