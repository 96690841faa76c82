#!/bin/sh
# Runs a test that needs the foreign reader; skipped (77) without it, unless TOPPLE_REQUIRE_INTEROP=1.
# usage: run_installed.sh BUILD_FOLDER PROGRAM ARGUMENTS...
build=$1
shift
if [ ! -d "$build/node_modules" ]; then
    echo "the foreign reader of logs is not installed (see the test 'interop: install')"
    [ "${TOPPLE_REQUIRE_INTEROP:-0}" = 1 ] && exit 1
    exit 77
fi
TOPPLE_INTEROP_FOLDER=$build
export TOPPLE_INTEROP_FOLDER
exec "$@"
