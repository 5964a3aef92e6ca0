# shellcheck shell=bash
# shellcheck disable=SC2154
# Tests of packaging/test that install and remove one kind of package each.

test_deb() {
    local root=$work/deb package
    package=$(ls "$out/utfconv_$version-1_$(dpkg --print-architecture).deb")
    mmdebstrap --quiet --variant=essential "${RELEASE:-bookworm}" "$root"
    files "$root" >"$work/deb.before"
    cp "$package" "$root/tmp/utfconv.deb"
    chroot "$root" dpkg -i /tmp/utfconv.deb >/dev/null
    rm "$root/tmp/utfconv.deb"
    runs chroot "$root" utfconv
    installed "$root/usr/share" vendor-completions
    grep -q 'GNU C Library' "$root/usr/share/doc/utfconv/copyright"
    gzip -t "$root"/usr/share/doc/utfconv/changelog{,.Debian}.gz
    chroot "$root" dpkg --purge utfconv >/dev/null
    no_trace "$work/deb.before" "$root"
    dpkg-deb -I "$package" | sed -n 's/^ \(Installed-Size\|Depends\)/\1/p'
    lintian --allow-root --fail-on error "$package"
}

test_rpm() {
    local root=$work/rpm package
    package=$(ls "$out/utfconv-$version-1.$here.rpm")
    # Debian's rpm has its database in another directory, and without --force-debian warns about installing packages.
    local options=(--root "$root" --dbpath /var/lib/rpm)
    mkdir "$root"
    rpm "${options[@]}" --initdb
    options+=(--force-debian)
    rpm "${options[@]}" -i "$package"
    runs "$root/usr/bin/utfconv"
    installed "$root/usr/share" site-functions
    rpm "${options[@]}" -V utfconv
    rpm "${options[@]}" -e utfconv
    (cd "$root" && find . -path ./var/lib/rpm -prune -o ! -type d -print | sort) >"$work/rpm.after"
    [ ! -s "$work/rpm.after" ] || fail "rpm leaves $(cat "$work/rpm.after")"
    if ! command -v dnf >/dev/null; then
        echo "dnf is not installed: apt-get install dnf"
        return
    fi
    # Install as on Fedora, whose dnf has its database in another directory.
    options=(-q -y --installroot "$work/dnf" --releasever 42 --disablerepo '*' --setopt reposdir=/nowhere --setopt tsflags=)
    dnf "${options[@]}" install "$package"
    runs "$work/dnf/usr/bin/utfconv"
    dnf "${options[@]}" remove utfconv >/dev/null
    [ -z "$(find "$work/dnf/usr" ! -type d ! -path '*/sysimage/*')" ] || fail "dnf leaves files"
}

test_wheel() {
    local root=$work/wheel wheel
    wheel=$(ls "$out/utfconv-$version-"*manylinux*"$here".whl)
    python3 -m venv "$root"
    (cd "$root" && find . ! -type d | sort) >"$work/wheel.before"
    "$root/bin/pip" install -q --disable-pip-version-check --no-index "$wheel"
    runs "$root/bin/utfconv"
    runs "$root/bin/python" -m utfconv
    # The program must start without the module, and the module must load without the program.
    env -i "$root/bin/utfconv" --version >/dev/null || fail "the program of the wheel does not start by itself"
    "$root/bin/python" -c 'import utfconv; assert utfconv.decode(b"\x93\xfa", "Shift_JIS") == "日"' || fail "the wheel has no module"
    installed "$root/share" site-functions
    "$root/bin/pip" uninstall -q -y utfconv
    diff "$work/wheel.before" <(cd "$root" && find . ! -type d | sort)
    # Install to a plain directory (--target), without a virtual environment.
    "$root/bin/pip" install -q --disable-pip-version-check --no-index --target "$work/target" "$wheel"
    PYTHONPATH=$work/target runs "$root/bin/python" -m utfconv
    "$python/auditwheel" show "$wheel"
}

test_npm() {
    local root=$work/npm arch=x64
    if [ "$here" = aarch64 ]; then arch=arm64; fi
    mkdir "$root"
    npm install --silent --global --offline --prefix "$root" "$out/utfconv-linux-$arch-$version.tgz" "$out/utfconv-$version.tgz"
    runs "$root/bin/utfconv"
    man -M "$root/share/man" -w utfconv >/dev/null || fail "man finds no utfconv of npm"
    npm uninstall --silent --global --prefix "$root" utfconv "@utfconv/linux-$arch"
    # npm leaves this file behind, so remove it before the comparison.
    rm -f "$root/lib/node_modules/.package-lock.json"
    [ -z "$(find "$root" ! -type d)" ] || fail "npm leaves $(find "$root" ! -type d)"
    # Without the package for the platform, the program must print a message.
    npm install --silent --global --offline --prefix "$root" --omit=optional "$out/utfconv-$version.tgz"
    local status=0
    "$root/bin/utfconv" --version 2>"$work/npm.message" || status=$?
    if [ "$status" != 2 ] || ! grep -q "@utfconv/linux-$arch is not installed" "$work/npm.message"; then
        fail "no message: $(cat "$work/npm.message")"
    fi
}

test_tarball() {
    local root=$work/local tarball=$out/utfconv-v$version-$here-unknown-linux-gnu.tar.gz
    mkdir "$root"
    tar -xzf "$tarball" --strip-components=1 -C "$root"
    runs "$root/bin/utfconv"
    installed "$root/share" site-functions
    ! ldd "$root/bin/utfconv" >/dev/null 2>&1 || fail "the program is not static"
    # Run as on Alpine, in a root with busybox and without a C library.
    if [ -e /bin/busybox ]; then
        mkdir -p "$work/busybox/bin"
        cp /bin/busybox "$work/busybox/bin/"
        chroot "$work/busybox" /bin/busybox --install -s /bin
        mkdir -p "$work/busybox/usr/local"
        gzip -dc "$tarball" | chroot "$work/busybox" tar -x -C /usr/local
        mv "$work/busybox/usr/local/"utfconv-*/* "$work/busybox/usr/local/"
        runs chroot "$work/busybox" /usr/local/bin/utfconv
    else
        echo "busybox is not installed: apt-get install busybox-static"
    fi
    tar -tzf "$tarball" | grep -v '/$' | sed "s|^[^/]*/|$root/|" | xargs -d '\n' rm
    [ -z "$(find "$root" ! -type d)" ] || fail "more than the tarball has is in $root"
}

# test_binstall: checks that the download addresses of `cargo binstall` in Cargo.toml name the tarballs.
test_binstall() {
    "$python/python" packaging/tests/binstall.py "$out" "$version" "$here"
}

# test_sbom: checks that each package has a CycloneDX SBOM, and that the program contains the list of its dependencies.
test_sbom() {
    local root=$work/sbom arch=x64 debian
    debian=$(dpkg --print-architecture)
    if [ "$here" = aarch64 ]; then arch=arm64; fi
    mkdir "$root"
    tar -xzf "$out/utfconv-v$version-$here-unknown-linux-gnu.tar.gz" --strip-components=1 -C "$root"
    dpkg-deb --fsys-tarfile "$out/utfconv_$version-1_$debian.deb" | tar -xO ./usr/share/doc/utfconv/utfconv.cdx.json >"$root/deb.json"
    # Ignore the status, because rpm2cpio of Debian 12 exits with 1.
    { rpm2cpio "$out/utfconv-$version-1.$here.rpm" || :; } | cpio -i --quiet --to-stdout '*/utfconv.cdx.json' >"$root/rpm.json"
    tar -xOf "$out/utfconv-linux-$arch-$version.tgz" package/utfconv.cdx.json >"$root/npm.json"
    unzip -p "$out/utfconv-$version-"*manylinux*"$here".whl '*/sboms/*.json' >"$root/wheel.json"
    "$python/python" packaging/tests/sbom.py "$root"
}

# test_foreign: checks that the packages for the other processor have the same files as the packages for this processor,
# and that the program runs in an emulator.
test_foreign() {
    local machine=aarch64 root=$work/foreign kind
    mkdir "$root"
    mkdir "$root"/{tarball,deb,rpm,wheel,npm}
    tar -xzf "$out/utfconv-v$version-$machine-unknown-linux-gnu.tar.gz" --strip-components=1 -C "$root/tarball"
    dpkg-deb -x "$out/utfconv_$version-1_arm64.deb" "$root/deb"
    (cd "$root/rpm" && { rpm2cpio "$out/utfconv-$version-1.$machine.rpm" || :; } | cpio -id --quiet)
    unzip -q "$out/utfconv-$version-"*manylinux*"$machine".whl -d "$root/wheel"
    tar -xzf "$out/utfconv-linux-arm64-$version.tgz" --strip-components=1 -C "$root/npm"
    runs qemu-aarch64-static "$root/tarball/bin/utfconv"
    for kind in deb/usr/bin rpm/usr/bin "wheel/utfconv-$version.data/scripts" npm/bin; do
        cmp "$root/tarball/bin/utfconv" "$root/$kind/utfconv"
    done
    installed "$root/tarball/share" site-functions
    installed "$root/deb/usr/share" vendor-completions
    installed "$root/rpm/usr/share" site-functions
    [ "$(dpkg-deb -f "$out/utfconv_$version-1_arm64.deb" Architecture)" = arm64 ]
    [ "$(rpm -qp --qf '%{ARCH}' "$out/utfconv-$version-1.$machine.rpm")" = "$machine" ]
    grep -q '"arm64"' "$root/npm/package.json"
}

# test_windows: runs the program of the Windows packages in Wine. packaging/tests/host.py tests the wheel and the npm
# package on Windows.
test_windows() {
    local root=$work/windows zip=$out/utfconv-v$version-x86_64-pc-windows-gnu.zip
    mkdir "$root"
    unzip -q "$zip" -d "$root"
    mv "$root"/utfconv-*/* "$root/"
    # The program may import only libraries of Windows itself, none of a compiler.
    local imported
    imported=$(objdump -p "$root/bin/utfconv.exe" | sed -n 's/.*DLL Name: //p' | tr '[:upper:]' '[:lower:]' |
        grep -vE '^(api-ms-win-[a-z0-9-]+|advapi32|bcryptprimitives|kernel32|msvcrt|ntdll|userenv|ws2_32|shell32|ole32|bcrypt|user32)\.dll$' || :)
    [ -z "$imported" ] || fail "the program for Windows needs $imported"
    unzip -p "$out/utfconv-$version-"*win_amd64.whl '*/scripts/utfconv.exe' | cmp - "$root/bin/utfconv.exe"
    tar -xOf "$out/utfconv-win32-x64-$version.tgz" package/bin/utfconv.exe | cmp - "$root/bin/utfconv.exe"
    # Wine 8 lacks bcryptprimitives.dll, so build a replacement. The first run of Wine creates its prefix.
    printf '%s\n' '#include <windows.h>' '#include <ntsecapi.h>' \
        '__declspec(dllexport) BOOL ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, size); }' >"$work/random.c"
    x86_64-w64-mingw32-gcc -shared -o "$root/bin/bcryptprimitives.dll" "$work/random.c" -ladvapi32
    export WINEPREFIX=$work/wine WINEDEBUG=-all DISPLAY='' PATH=$PATH:/usr/lib/wine
    wine64 "$root/bin/utfconv.exe" --version >/dev/null 2>&1 || :
    runs wine64 "$root/bin/utfconv.exe"
}

# test_macos: checks that the programs of the macOS packages are valid Mach-O files, link only system libraries, and are
# signed, because unsigned programs do not start on arm64. packaging/tests/host.py runs the packages on macOS.
test_macos() {
    local machine root
    for machine in x86_64 aarch64; do
        root=$work/macos-$machine
        mkdir "$root"
        tar -xzf "$out/utfconv-v$version-$machine-apple-darwin.tar.gz" --strip-components=1 -C "$root"
        installed "$root/share" site-functions
        "$python/python" packaging/tests/macho.py "$machine" "$root/bin/utfconv"
        unzip -p "$out/utfconv-$version-"*macosx*"${machine/aarch64/arm64}".whl '*/scripts/utfconv' | cmp - "$root/bin/utfconv"
        tar -xOf "$out/utfconv-darwin-$([ $machine = x86_64 ] && echo x64 || echo arm64)-$version.tgz" package/bin/utfconv |
            cmp - "$root/bin/utfconv"
    done
}
