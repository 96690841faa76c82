topple_tests(test_foot LIBRARIES topple::solver SOURCES
    golden/solver/rolling_foot_test.cpp
    property/solver/foot_test.cpp
    unit/solver/foot_test.cpp
    unit/solver/laws/foot_law_test.cpp
    unit/solver/laws/overturned_rotation_test.cpp
    unit/solver/laws/resting_places_test.cpp
    unit/solver/study/foot_decay_test.cpp
)
add_executable(foot_bench bench/foot_bench.cpp)
target_link_libraries(foot_bench PRIVATE topple::solver topple_build)

topple_tests(test_foot_files LIBRARIES topple::hil topple_run_topple nlohmann_json::nlohmann_json SOURCES
    support/synthetic_run.cpp
    unit/hil/compare/resting_face_test.cpp
    unit/hil/experiment/foot_section_test.cpp
    unit/hil/plan/foot_account_test.cpp
)
