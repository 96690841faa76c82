#!/bin/sh
# Installs the foreign reader into a folder of the build. Exit 77 (skipped) if that is impossible here,
# unless TOPPLE_REQUIRE_INTEROP=1: then a failure.
# usage: install.sh SOURCE_FOLDER BUILD_FOLDER
set -u
source=$1
build=$2

give_up() {
    echo "the foreign reader of logs cannot be installed: $*"
    [ "${TOPPLE_REQUIRE_INTEROP:-0}" = 1 ] && exit 1
    exit 77
}

mkdir -p "$build" && cp "$source/read_log.mjs" "$source/rewrite_log.mjs" "$source/package.json" "$build/" || give_up "cannot write to $build"
if [ -d "$build/node_modules" ] && cmp -s "$source/package-lock.json" "$build/package-lock.json"; then exit 0; fi

command -v node >/dev/null 2>&1 || give_up "there is no node"
command -v npm >/dev/null 2>&1 || give_up "there is no npm"
rm -rf "$build/node_modules"
cp "$source/package-lock.json" "$build/package-lock.json"
if ! (cd "$build" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error); then
    rm -rf "$build/node_modules"
    give_up "npm ci failed (no network?)"
fi
