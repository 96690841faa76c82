# Members of an ensemble: how they differ from what is described, and what they count.
topple_tests(test_departures LIBRARIES topple::solver SOURCES
    unit/solver/study/perturbation_test.cpp
    unit/solver/study/standing_pose_test.cpp
    unit/solver/study/uncertainty_test.cpp
    unit/solver/study/worn_foot_test.cpp
)
topple_tests(test_members LIBRARIES topple::hil_compare topple::hil_drive topple::hil_fragility topple::hil_plan
    nlohmann_json::nlohmann_json SOURCES
    unit/hil/compare/weighted_surprise_test.cpp
    unit/hil/drive/weighted_forecast_test.cpp
    unit/hil/experiment/members_table_test.cpp
    unit/hil/experiment/pose_uncertainty_test.cpp
    unit/hil/fragility/weighted_study_test.cpp
    unit/hil/plan/member_shares_test.cpp
)
topple_tests(test_members_command LIBRARIES topple_run_topple nlohmann_json::nlohmann_json SOURCES
    integration/members_test.cpp)
