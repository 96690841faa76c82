#!/bin/sh
# The commit that `topple --version` tells: of the work tree, with a word about changes; from an archive; or "unknown".
# It is written anew only if it differs. usage: commit.sh SOURCE_FOLDER CMAKE
set -eu
source=$1
cmake=$2
fail() { echo "FAILED: $*"; exit 1; }
command -v git >/dev/null || { echo "git is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git_() { git -C "$work/tree" -c user.name=a -c user.email=a@example.org -c init.defaultBranch=main "$@"; }
identity() {  # folder of sources: the commit as the program will tell it
    "$cmake" "-DSOURCE=$1" "-DOUT=$work/out.cpp" -DCOMPILER=gcc "-DFEATURES=one, two" -P "$1/hil/cli/build_identity.cmake"
    sed -n 's/^    return {"\([^"]*\)", "gcc", "one, two"};$/\1/p' "$work/out.cpp"
}
expect() { [ "$1" = "$2" ] || fail "\"$1\" instead of \"$2\""; }

mkdir -p "$work/tree/hil/cli"
cp "$source/hil/cli/build_identity.cmake" "$source/hil/cli/commit.cmake" "$source/hil/cli/archive_commit.txt" "$work/tree/hil/cli"
cp "$source/.gitattributes" "$work/tree"
expect "$(identity "$work/tree")" unknown

git_ init -q
expect "$(identity "$work/tree")" unknown
git_ add -A
GIT_COMMITTER_DATE='2026-03-01T23:30:00-0500' git_ commit -q -m one
hash=$(git_ rev-parse HEAD)
expect "$(identity "$work/tree")" "$hash of 2026-03-02"

# Nothing new: the file stays as it is, and nothing is compiled.
touch -d '2001-01-01' "$work/out.cpp"
identity "$work/tree" >/dev/null
[ "$(date -r "$work/out.cpp" +%Y)" = 2001 ] || fail 'the file is written anew without need'

echo '# more' >>"$work/tree/hil/cli/commit.cmake"
expect "$(identity "$work/tree")" "$hash of 2026-03-02, with changes that are in no commit"
git_ checkout -q hil/cli/commit.cmake
touch "$work/tree/not_ours.txt"
expect "$(identity "$work/tree")" "$hash of 2026-03-02"

# An archive knows its commit, also inside of another project's work tree; without the commit it says so.
mkdir -p "$work/archive" "$work/tree/inside"
git_ archive HEAD | tar -x -C "$work/archive"
expect "$(identity "$work/archive")" "$hash of 2026-03-02"
cp -r "$work/archive/hil" "$source/.gitattributes" "$work/tree/inside"
cp "$source/hil/cli/archive_commit.txt" "$work/tree/inside/hil/cli/"
expect "$(identity "$work/tree/inside")" unknown
