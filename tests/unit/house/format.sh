#!/bin/sh
# Every source of ours is as clang-format 14 with our .clang-format writes it; other versions differ in details.
# Exit 77 (skipped) where that version is missing, unless TOPPLE_REQUIRE_FORMAT=1: then a failure.
# usage: format.sh SOURCE_FOLDER
set -u
cd "$1" || exit 1

give_up() {
    echo "the format of the sources cannot be checked: $*"
    [ "${TOPPLE_REQUIRE_FORMAT:-0}" = 1 ] && exit 1
    exit 77
}

program=
for name in clang-format-14 clang-format; do
    command -v "$name" >/dev/null 2>&1 || continue
    program=$name
    break
done
[ -n "$program" ] || give_up "there is no clang-format"
version=$("$program" --version)
case $version in
    *"version 14."*) ;;
    *) give_up "this is not version 14: $version" ;;
esac

# Without git (an unpacked archive) everything there is.
list=$(mktemp) || exit 1
trap 'rm -f "$list"' EXIT
folders="controller firmware_iface hil solver tests"
# shellcheck disable=SC2086  # a list of words
if ! git ls-files -z -- $folders >"$list" 2>/dev/null || [ ! -s "$list" ]; then
    find $folders -type f -print0 >"$list"
fi
# A tracked file that is deleted but not yet committed is not there to be checked.
tr '\0' '\n' <"$list" | grep -E '\.(cpp|hpp)$' | while read -r file; do [ ! -f "$file" ] || echo "$file"; done >"$list.sources"
mv "$list.sources" "$list"
[ -s "$list" ] || { echo "no sources below $1"; exit 1; }
xargs "$program" --dry-run --Werror --style=file <"$list" || {
    echo "mend with: $program -i --style=file FILE"
    exit 1
}
echo "$(wc -l <"$list") files, $version"
