# A run in the formats of other software, read back by readers that are not ours.
topple_tests(test_exports LIBRARIES topple::hil SOURCES
    unit/hil/exports/export_csv_test.cpp
)
