# Measurements, run by hand; never part of the test suite.
add_executable(log_bench bench/log_bench.cpp)
target_link_libraries(log_bench PRIVATE topple::hil topple_heap_counter topple_build)

# The Odeint baseline gets the flags that the map's kernel gets.
add_executable(map_bench bench/map_bench.cpp bench/odeint_rocking.cpp)
target_link_libraries(map_bench PRIVATE topple::hil topple_build Boost::headers)
set_source_files_properties(bench/odeint_rocking.cpp PROPERTIES COMPILE_OPTIONS "-fno-math-errno")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set_source_files_properties(bench/odeint_rocking.cpp PROPERTIES COMPILE_OPTIONS "-fno-math-errno;-mavx2;-mfma")
endif()

add_executable(run_bench bench/run_bench.cpp support/ticking_table.cpp)
target_link_libraries(run_bench PRIVATE topple::hil topple_heap_counter topple_build)
target_compile_definitions(run_bench PRIVATE TOPPLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

add_executable(ensemble_bench bench/ensemble_bench.cpp)
target_link_libraries(ensemble_bench PRIVATE topple::hil topple_build)
target_compile_definitions(ensemble_bench PRIVATE TOPPLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

add_executable(live_bench bench/live_bench.cpp)
target_link_libraries(live_bench PRIVATE topple::hil topple_build)
target_compile_definitions(live_bench PRIVATE TOPPLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

add_executable(tick_bench bench/tick_bench.cpp)
target_link_libraries(tick_bench PRIVATE topple::controller topple_build)

add_executable(wakeup_bench bench/wakeup_bench.cpp)
target_link_libraries(wakeup_bench PRIVATE topple::controller topple_build)

add_executable(calibration_bench bench/calibration_bench.cpp)
target_link_libraries(calibration_bench PRIVATE topple::hil_drive topple_build)

add_executable(tracking_bench bench/tracking_bench.cpp support/tracked_motion.cpp)
target_link_libraries(tracking_bench PRIVATE topple::hil topple_build)

add_executable(protection_bench bench/protection_bench.cpp)
target_link_libraries(protection_bench PRIVATE topple::hil topple_build)
target_compile_definitions(protection_bench PRIVATE TOPPLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

add_executable(setpoint_bench bench/setpoint_bench.cpp)
target_link_libraries(setpoint_bench PRIVATE topple_run_topple topple::hil topple_build)

add_executable(identification_bench bench/identification_bench.cpp)
target_link_libraries(identification_bench PRIVATE topple::hil topple_build)

add_executable(record_bench bench/record_bench.cpp)
target_link_libraries(record_bench PRIVATE topple::hil_plan topple::hil_ground_motion topple_build fmt::fmt)
target_include_directories(record_bench PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(record_bench PRIVATE TOPPLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

add_executable(campaign_bench bench/campaign_bench.cpp)
target_link_libraries(campaign_bench PRIVATE topple::hil topple_build fmt::fmt)
target_include_directories(campaign_bench PRIVATE ${PROJECT_SOURCE_DIR})

add_executable(outcome_table_bench bench/outcome_table_bench.cpp)
target_link_libraries(outcome_table_bench PRIVATE topple::hil_outcome_tables topple_build fmt::fmt)
target_include_directories(outcome_table_bench PRIVATE ${PROJECT_SOURCE_DIR})

add_executable(export_bench bench/export_bench.cpp)
target_link_libraries(export_bench PRIVATE topple::hil topple_build fmt::fmt)

add_executable(map_seconds bench/map_seconds.cpp)
target_link_libraries(map_seconds PRIVATE topple::hil_plan topple::hil_study topple_build fmt::fmt)
target_include_directories(map_seconds PRIVATE ${PROJECT_SOURCE_DIR})

add_executable(outcome_fit_bench bench/outcome_fit_bench.cpp)
target_link_libraries(outcome_fit_bench PRIVATE topple::hil_outcome_fit topple_build fmt::fmt)
target_include_directories(outcome_fit_bench PRIVATE ${PROJECT_SOURCE_DIR})

add_executable(mesh_bench bench/mesh_bench.cpp)
target_link_libraries(mesh_bench PRIVATE topple::hil_mesh topple::hil_files fmt::fmt topple_build)
