# shellcheck shell=bash
# What the CI commands share. They source it in the root of the repository.

# One directory for all workspaces, and no files for a next build: each dependency is built once. With few code-generation
# units, all of it together takes a sixth less processor time.
export CARGO_TARGET_DIR=$PWD/target CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_CODEGEN_UNITS=4

# The libraries, those that others depend on first; and as arguments of cargo, without the core.
# shellcheck disable=SC2034
libraries=(utfconv-core utfconv-scan utfconv-declare utfconv-detect utfconv-options utfconv-repair utfconv-restore)
# shellcheck disable=SC2034
beside_core=(-p utfconv-scan -p utfconv-declare -p utfconv-detect -p utfconv-options -p utfconv-repair -p utfconv-restore)

# step COMMAND...: runs a step, and says how long it took.
step() {
    local began=$SECONDS
    printf '\n== %s\n' "$*"
    "$@"
    printf -- '-- %s s\n' $((SECONDS - began))
}

# install_packages PACKAGE...: installs packages of Debian. Where npm is, Debian's is left out: it conflicts with that of another
# Node.
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

# install_std ARCHITECTURE...: adds std for other architectures of Debian to Debian's toolchain, where the mirror has it. Only
# its files are taken: apt would install all that it depends on.
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

# Whether the toolchain in use has std for TARGET, or Debian's has. Where neither has, Debian's builds it from source.
has_std() { [ -d "$(rustc --print sysroot)/lib/rustlib/$1/lib" ]; }
has_std_of_debian() { [ -d "/usr/lib/rustlib/$1/lib" ]; }

# cargo_for TARGET COMMAND ARGUMENT...: runs a command of cargo for another target.
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

# built_for TARGET: where the files for it are that cargo_for has built.
built_for() { if has_std "$1"; then echo "target/$1/debug"; else echo "target/debian/$1/debug"; fi }
