# Members of an ensemble with weights and poses.
topple_tests(test_members LIBRARIES topple::hil topple_run_topple nlohmann_json::nlohmann_json SOURCES
    unit/hil/compare/weighted_surprise_test.cpp
    unit/hil/drive/weighted_forecast_test.cpp
    unit/hil/experiment/members_table_test.cpp
    unit/hil/experiment/pose_uncertainty_test.cpp
    unit/hil/fragility/weighted_study_test.cpp
    unit/hil/plan/member_shares_test.cpp
)
topple_tests(test_members_command LIBRARIES topple_run_topple nlohmann_json::nlohmann_json SOURCES
    integration/members_test.cpp)
