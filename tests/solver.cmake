topple_tests(test_solver LIBRARIES topple::solver SOURCES
    property/solver/opening_test.cpp
    golden/solver/boundaries_test.cpp
    golden/solver/stability_statements_test.cpp
    golden/solver/free_rocking_test.cpp
    property/solver/contact_complementarity_test.cpp
    property/solver/impact_test.cpp
    property/solver/impact_closed_form_test.cpp
    property/solver/jump_before_impact_test.cpp
    property/solver/rocking_test.cpp
    property/solver/stack_rocking_test.cpp
    property/solver/every_model_test.cpp
    unit/solver/assembly/assembly_test.cpp
    property/solver/assembly_test.cpp
    property/solver/multiple_impact_test.cpp
    unit/solver/engine/bouncing_ball_test.cpp
    unit/solver/stack/contact_watch_test.cpp
    unit/solver/run_test.cpp
    unit/solver/uplift_test.cpp
    unit/solver/study/history_step_test.cpp
    unit/solver/numerics/newmark_test.cpp
    unit/solver/outcome_decision_test.cpp
    unit/solver/undecided_test.cpp
    unit/solver/grazing_uplift_test.cpp
    unit/solver/laws/air_track_test.cpp
    unit/solver/laws/decisions_and_peaks_test.cpp
    unit/solver/laws/impulsive_force_test.cpp
    unit/solver/laws/multiple_impact_test.cpp
    unit/solver/laws/slide_rock_test.cpp
    unit/solver/laws/slide_rock_impact_test.cpp
    unit/solver/laws/small_rotation_test.cpp
    unit/solver/initial_rate_test.cpp
    unit/solver/random_restitution_test.cpp
    unit/solver/specimen_test.cpp
    unit/solver/outcome_test.cpp
    unit/solver/failed_solution_test.cpp
    unit/solver/endless_impacts_test.cpp
    unit/solver/numerics/short_step_test.cpp
    unit/solver/tall_stack_test.cpp
    unit/solver/motion/base_motion_test.cpp
    unit/solver/motion/broadband_test.cpp
    unit/solver/motion/lead_in_test.cpp
    unit/solver/motion/pulses_test.cpp
    unit/solver/study/outcome_boundary_test.cpp
    unit/solver/study/perturbation_test.cpp
    unit/solver/study/standing_pose_test.cpp
    unit/solver/study/uncertainty_test.cpp
    unit/solver/study/worn_foot_test.cpp
    unit/solver/motion/vertical_motion_test.cpp
    property/solver/base_motion_test.cpp
)
topple_tests(test_contact_dynamics LIBRARIES topple::solver SOURCES
    golden/solver/double_pulse_test.cpp
    property/solver/contact_dynamics_test.cpp
    unit/solver/contact_dynamics/beam_test.cpp
    unit/solver/contact_dynamics/contact_motion_test.cpp
    unit/solver/contact_dynamics/free_rocking_test.cpp
    unit/solver/models_agree_test.cpp
)
topple_tests(test_solver_rt LIBRARIES topple::solver topple_heap_counter SOURCES
    rt/solver/step_heap_test.cpp
)
add_executable(tall_stack_bench bench/tall_stack_bench.cpp)
target_link_libraries(tall_stack_bench PRIVATE topple::solver topple_build)
add_executable(stack_bench bench/stack_bench.cpp bench/newmark_stack.cpp)
target_link_libraries(stack_bench PRIVATE topple::solver topple_build)
add_executable(solver_bench bench/solver_bench.cpp)
target_link_libraries(solver_bench PRIVATE topple::solver topple_build)
# Beside Siconos where it is installed (Debian: libsiconos-kernel-dev, libsiconos-numerics-dev), whose headers are C++17.
add_executable(contact_dynamics_bench bench/contact_dynamics_bench.cpp bench/siconos_block.cpp)
find_path(SICONOS_INCLUDE_DIR siconos/kernel/SiconosKernel.hpp)
find_library(SICONOS_KERNEL siconos_kernel)
find_library(SICONOS_NUMERICS siconos_numerics)
if(SICONOS_INCLUDE_DIR AND SICONOS_KERNEL AND SICONOS_NUMERICS)
    file(GLOB siconos_folders LIST_DIRECTORIES true ${SICONOS_INCLUDE_DIR}/siconos/*)
    set_source_files_properties(bench/siconos_block.cpp PROPERTIES
        COMPILE_DEFINITIONS TOPPLE_WITH_SICONOS COMPILE_OPTIONS "-w;-std=c++17"
        INCLUDE_DIRECTORIES "${SICONOS_INCLUDE_DIR}/siconos;${siconos_folders}")
    target_link_libraries(contact_dynamics_bench PRIVATE ${SICONOS_KERNEL} ${SICONOS_NUMERICS})
endif()
target_link_libraries(contact_dynamics_bench PRIVATE topple::solver topple_build)
add_executable(outcome_dump bench/outcome_dump.cpp)
target_link_libraries(outcome_dump PRIVATE topple::solver topple_build)
add_executable(impact_bench bench/impact_bench.cpp)
target_link_libraries(impact_bench PRIVATE topple::solver topple_build)
