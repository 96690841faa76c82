#!/bin/sh
# Makes the Debian packages from the build and looks at them: everything is in them and in its place, the program in them
# makes a prediction and a test, limits and udev rule are sound, lintian has nothing to say.
# usage: package.sh BUILD_FOLDER SOURCE_FOLDER
set -eu
build=$1
source=$2
fail() { echo "FAILED: $*"; exit 1; }
need() {  # command: is it there? If not, skipped where that is allowed
    command -v "$1" >/dev/null && return
    echo "$1 is not installed"
    [ "${TOPPLE_REQUIRE_INTEROP:-0}" != 1 ] || exit 1
    exit 77
}
need dpkg-deb
need dpkg-shlibdeps

# Every rule of installation says to which package it belongs.
stray=$(grep -rl 'CMAKE_INSTALL_COMPONENT STREQUAL "Unspecified"' "$build" --include=cmake_install.cmake || true)
[ -z "$stray" ] || fail "install() without COMPONENT: $stray"

made=$build/tests/packaging
rm -rf "$made"
mkdir -p "$made"
(cd "$made" && cpack --config "$build/CPackConfig.cmake" -B "$made" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip) >"$made/log" 2>&1 ||
    { cat "$made/log"; fail cpack; }
root=$made/root
one() {  # PACKAGE: its file
    set -- "$made/$1"_*.deb
    [ $# = 1 ] && [ -f "$1" ] || fail "not one package: $*"
    echo "$1"
}
main=$(one topple)
dev=$(one libtopple-dev)
for package in "$made"/*.deb; do dpkg-deb -x "$package" "$root"; done

while read -r path; do
    [ -e "$root/$path" ] || fail "/$path is in no package"
done <"$(dirname "$0")/contents"
# Nothing of the computer that it was built on.
foreign=$(cd "$root" && find . -type f ! -path './usr/bin/topple' ! -path './usr/include/topple/*' ! -path './usr/lib/cmake/topple/*' \
    ! -path './usr/lib/libtopple_*.a' ! -path './usr/share/doc/*' ! -path './usr/share/man/man1/*' \
    ! -path './usr/share/topple/firmware/*.elf' ! -path './usr/share/lintian/overrides/topple' \
    ! -path './usr/lib/python3/dist-packages/topple*' ! -path './usr/share/bash-completion/completions/topple' \
    ! -path './usr/lib/udev/rules.d/60-topple.rules' ! -path './etc/security/limits.d/topple.conf')
[ -z "$foreign" ] || fail "unexpected: $foreign"
odd=$(find "$root" \( -type f -o -type d \) -perm /022)
[ -z "$odd" ] || fail "others may write to $odd"

# What the packages say of themselves.
field() { dpkg-deb -f "$1" "$2"; }
version=$(field "$main" Version)
commit=$("$root/usr/bin/topple" --version | sed -n 's/^commit *\([0-9a-f]\{10\}\).*/\1/p')
case $version in *"$commit"*) ;; *) fail "version $version, program from $commit" ;; esac
dpkg --compare-versions "$version" ge 0.1.0 || fail "version $version"
[ "$(field "$dev" Version)" = "$version" ] || fail "versions differ"
for library in libc6 libprotobuf libserialport0 adduser; do
    field "$main" Depends | grep -q "$library" || fail "no dependency on $library: $(field "$main" Depends)"
done
if field "$main" Depends | grep -q -e '-dev'; then fail "the program depends on development packages"; fi
zcat "$root/usr/share/doc/topple/changelog.gz" | head -1 | grep -qF "topple ($version)" || fail "the changelog is of another version"
dpkg-deb --ctrl-tarfile "$main" | tar -xO ./conffiles | grep -qx /etc/security/limits.d/topple.conf || fail "no conffiles"
dpkg-deb --ctrl-tarfile "$main" | tar -xO ./postinst | sh -n || fail "postinst"

# Limits: what the program asks for (the tick, and the reader of the port just above it).
asked=$(sed -n 's/.*int kTickPriority = \([0-9]*\);.*/\1/p; s/.*int kPriority = \([0-9]*\);.*/\1/p' \
    "$source/controller/rt/thread_setup.hpp" "$source/firmware_iface/transport/terminal_reader.cpp" | sort -n | tail -1)
limits=$root/etc/security/limits.d/topple.conf
[ "$(awk '$1 == "@topple" && $3 == "rtprio" {print $4}' "$limits")" = "$asked" ] || fail "rtprio is not $asked"
[ "$(awk '$1 == "@topple" && $3 == "memlock" {print $4}' "$limits")" = unlimited ] || fail "memlock"

# The udev rule: systemd's own check where there is one (254 or newer), else the form of its lines.
rules=$root/usr/lib/udev/rules.d/60-topple.rules
if udevadm verify --help >/dev/null 2>&1; then udevadm verify "$rules" || fail "udev rules"; fi
term='[A-Z]+(\{[A-Za-z_]+\})?(==|!=|=|\+=)"[^"]*"'
bad=$(grep -vE "^(#.*|$term(, $term)*)?\$" "$rules" || true)
[ -z "$bad" ] || fail "udev rules: $bad"
[ "$(grep -c 'GROUP="dialout", MODE="0660"' "$rules")" = 1 ] || fail "the udev rule gives a port to a group, once"

# The program of the package, with the installed example, far from the sources: a prediction and a whole test.
example=$root/usr/share/doc/topple/examples/b6l_sine.toml
mkdir "$made/elsewhere"
cd "$made/elsewhere"
"$root/usr/bin/topple" predict "$example" --json >prediction.json
grep -q '"schema": *"topple.prediction/1"' prediction.json || fail "predict"
"$root/usr/bin/topple" run "$example" --out run >/dev/null 2>messages || { cat messages; fail "run"; }
for file in run.mcap summary.json report.html; do [ -s "run/$file" ] || fail "the run has no $file"; done

need lintian
complaints=$(lintian --fail-on none "$made"/*.deb 2>&1 | grep -E '^[EW]:' || true)
[ -z "$complaints" ] || fail "$complaints"
echo "$(basename "$main"), $(basename "$dev"): $(du -ck "$made"/*.deb | tail -1 | cut -f1) kB"
