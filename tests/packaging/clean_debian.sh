#!/bin/sh
# Installs the packages into a bare Debian and makes the demo's test there from the installed files, as an ordinary user.
# As root, with debootstrap and the network. The bare system is made in a new folder and removed again.
# usage: clean_debian.sh FOLDER_OF_PACKAGES [SUITE]    SUITE: bookworm (default), trixie; the one that they were built on
# BARE_DEBIAN=FOLDER: copy that fresh `debootstrap --variant=minbase` instead of making one.
set -eu
packages=$(cd "$1" && pwd)
suite=${2:-bookworm}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

say() { printf '%s\n' "clean Debian: $*"; }
[ "$(id -u)" = 0 ] || { say "needs root rights (debootstrap, chroot)"; exit 2; }
command -v debootstrap >/dev/null || { say "debootstrap is not installed"; exit 2; }
ls "$packages"/topple_*.deb >/dev/null

root=$(mktemp -d)
cleanup() {
    trap - EXIT
    umount "$root/dev/pts" 2>/dev/null || true
    umount "$root/proc" 2>/dev/null || true
    # Never across a mount that could not be undone.
    rm -rf --one-file-system "$root"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$root"
clock=$(date +%s)
lap() { now=$(date +%s); say "$1: $((now - clock)) s"; clock=$now; }
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_user() { inside su -s /bin/bash - visitor -c "$1"; }

if [ -n "${BARE_DEBIAN-}" ]; then
    cp -a "$BARE_DEBIAN/." "$root/"
else
    debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
        { tail -20 "$root.log"; rm -f "$root.log"; exit 1; }
    rm -f "$root.log"
fi
mount -t proc proc "$root/proc"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$root/dev/pts"
lap "bare $suite"

mkdir "$root/packages"
cp "$packages"/topple_*.deb "$root/packages/"
for more in "$packages"/python3-topple_*.deb; do [ ! -f "$more" ] || cp "$more" "$root/packages/"; done
before=$(du -smx "$root" | cut -f1)
inside sh -c 'apt-get update -q && apt-get install -y -q /packages/*.deb' >"$root/packages/log" 2>&1 ||
    { tail -20 "$root/packages/log"; exit 1; }
inside apt-get clean
lap "installed with what it depends on and recommends ($(($(du -smx "$root" | cut -f1) - before)) MB)"

inside useradd --create-home visitor
inside getent group topple
[ "$(as_user 'ulimit -r')" = 0 ] || { say "real-time priority without being in the group"; exit 1; }
inside usermod -a -G topple,dialout visitor
# In some containers not even root may raise a limit; there the program cannot get what the file allows.
if (ulimit -l unlimited && ulimit -r 61) 2>/dev/null; then
    rights=$(as_user 'ulimit -r; ulimit -l' | xargs)
    [ "$rights" = "61 unlimited" ] || { say "a member of the group has the limits \"$rights\""; exit 1; }
else
    say "not checked: the limits of a member of the group, because root may not raise limits on this computer"
fi
as_user 'topple --version'
as_user 'topple predict /usr/share/doc/topple/examples/b6l_sine.toml >prediction && head -3 prediction'
as_user 'zcat /usr/share/man/man1/topple.1.gz | head -1'
lap "a prediction"
as_user 'topple check --listen-s 1' | grep -A1 -e computer.scheduling -e computer.memory_lock
lap "the computer as a member of the group topple finds it"

# The demo: a simulated table on a serial line, and a complete test against it.
as_user '
    set -eu
    example=/usr/share/doc/topple/examples/b6l_sine.toml
    : >uri
    topple emulate "$example" --pty >uri 2>messages &
    table=$!
    tries=0
    until read -r uri <uri; do tries=$((tries + 1)); [ "$tries" -lt 100 ] || { cat messages; exit 1; }; sleep 0.1; done
    code=0
    topple run "$example" --device "$uri" --out run || code=$?
    kill "$table"
    [ "$code" = 0 ] && ls -l run/run.mcap run/report.html run/summary.json && ls run/figures | head -3'
lap "the demo"

if ls "$root"/packages/python3-topple_*.deb >/dev/null 2>&1; then
    as_user 'python3 -c "
import topple
print(\"Python module\", topple.__version__, topple.predict(\"/usr/share/doc/topple/examples/b6l_sine.toml\")[\"outcome\"])"'
    lap "the Python module"
fi

python=
[ ! -d "$root/usr/share/doc/python3-topple" ] || python=python3-topple
# shellcheck disable=SC2086  # none or one word
inside apt-get purge -y -q topple $python >>"$root/packages/log" 2>&1
for left in usr/bin/topple etc/security/limits.d/topple.conf usr/lib/udev/rules.d/60-topple.rules usr/share/doc/topple; do
    [ ! -e "$root/$left" ] || { say "left after the purge: /$left"; exit 1; }
done
lap "removed again, nothing is left"
say "passed"
