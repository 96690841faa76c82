topple_tests(test_mesh LIBRARIES topple::hil_mesh topple::hil_files SOURCES
    unit/hil/mesh/check_mesh_test.cpp
    unit/hil/mesh/mesh_body_test.cpp
    unit/hil/mesh/primitives_test.cpp
    unit/hil/mesh/read_mesh_test.cpp
    unit/hil/mesh/shared_body_test.cpp
)

topple_tests(test_bodies LIBRARIES topple::hil_plan topple::hil_files fmt::fmt nlohmann_json::nlohmann_json SOURCES
    unit/hil/experiment/mesh_section_test.cpp
    unit/hil/plan/three_dimensional_test.cpp
)
