#!/bin/sh
# Runs a test in Python that needs these modules; skipped (77) without them, unless TOPPLE_REQUIRE_INTEROP=1.
# usage: run_python.sh PYTHON "MODULE ..." ARGUMENTS...
python=$1 modules=$2
shift 2
for module in $modules; do
    "$python" -c "import $module" 2>/dev/null && continue
    echo "$python has no module $module (./bootstrap deps --test installs what the tests need)"
    [ "${TOPPLE_REQUIRE_INTEROP:-0}" = 1 ] && exit 1
    exit 77
done
PYTHONDONTWRITEBYTECODE=1 exec "$python" "$@"
