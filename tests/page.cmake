# The page that shows a test: its modules in node, the whole in a real browser (Debian's chromium). Skipped with the reason
# without them, unless TOPPLE_REQUIRE_INTEROP=1.
topple_interop_test("modules of the page" node ${interop_source}/page_modules_test.mjs
    $<TARGET_FILE:topple> ${PROJECT_SOURCE_DIR}/hil/page/assets ${PROJECT_SOURCE_DIR})
topple_interop_test("the operator's page in a browser" node ${interop_source}/page_live_test.mjs $<TARGET_FILE:topple>)
topple_interop_test("finished runs in a browser" node ${interop_source}/page_show_test.mjs $<TARGET_FILE:topple>)

topple_tests(test_page LIBRARIES topple::hil nlohmann_json::nlohmann_json SOURCES
    support/synthetic_run.cpp
    unit/hil/page/shown_runs_test.cpp
)
