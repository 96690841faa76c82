#!/bin/sh
# The manual page names every command and every option that --help names, and groff has no complaint.
# usage: manual_page.sh TOPPLE PAGE.gz
set -eu
TOPPLE=$1
page=$2
. "$(dirname "$0")/help.sh"
fail() { echo "FAILED: $*"; exit 1; }

read_page() { zcat "$page" | sed 's/\\-/-/g; s/\\f[BIR]//g'; }
# The section of one command: from its heading to the next.
section() {
    title="$*"
    if [ -z "$title" ]; then read_page | sed '/^\.SS/q'; return; fi
    read_page | awk -v title=".SS \"topple $title\"" '/^\.S[SH]/ {inside = ($0 == title)} inside'
}
count=0
check_command() {
    text=$(section "$@")
    [ -n "$text" ] || fail "the page has no section \"topple $*\""
    for option in $(options_of "$@"); do
        printf '%s\n' "$text" | grep -qE -e "^([^.]*, )?$option([ ,].*)?\$" || fail "\"topple $*\" lacks $option"
        count=$((count + 1))
    done
}
for_each_command check_command
[ "$count" -gt 100 ] || fail "only $count options were found in the help"
for heading in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' SAFETY FILES; do
    read_page | grep -qx "\.SH $heading" || fail "no section $heading"
done
echo "$count options of all commands are in the page"

if ! command -v groff >/dev/null; then
    echo "groff is not installed: the page is not typeset"
    [ "${TOPPLE_REQUIRE_INTEROP:-0}" != 1 ] || exit 1
    exit 0
fi
complaints=$(zcat "$page" | groff -man -ww -Tutf8 -z 2>&1)
[ -z "$complaints" ] || fail "groff: $complaints"
