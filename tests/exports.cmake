# A run in the formats of other software; readers that are not ours: python.cmake.
topple_tests(test_exports LIBRARIES topple::hil PkgConfig::libmatio nlohmann_json::nlohmann_json SOURCES
    unit/hil/exports/export_csv_test.cpp
    unit/hil/exports/export_file_test.cpp
)
