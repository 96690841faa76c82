# A run in the formats of other software; readers that are not ours: python.cmake.
topple_tests(test_exports LIBRARIES topple::hil SOURCES
    unit/hil/exports/export_csv_test.cpp
)
