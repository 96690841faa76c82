topple_tests(test_hil LIBRARIES topple::hil SOURCES
    unit/hil/experiment_file/referenced_files_test.cpp
    unit/hil/output_file_test.cpp
    unit/hil/run_folder_test.cpp
    unit/hil/run_ending_test.cpp
    unit/hil/settling_test.cpp
    unit/hil/visible_text_test.cpp
)

topple_tests(test_run_log LIBRARIES topple::hil topple_heap_counter PkgConfig::libzstd PkgConfig::liblz4 SOURCES
    unit/hil/run_log/damaged_log_test.cpp
    unit/hil/run_log/export_csv_test.cpp
    unit/hil/run_log/foreign_log_test.cpp
    unit/hil/run_log/recover_test.cpp
    unit/hil/run_log/run_log_test.cpp
    unit/hil/run_log/slow_disk_test.cpp
)

topple_tests(test_sim_table LIBRARIES topple::hil SOURCES
    unit/hil/sim_table/emulate_test.cpp
    unit/hil/sim_table/fault_script_test.cpp
    unit/hil/sim_table/plant_test.cpp
    unit/hil/sim_table/scripted_faults_test.cpp
    unit/hil/sim_table/simulated_table_test.cpp
    unit/hil/sim_table/truth_test.cpp
)

topple_tests(test_experiment LIBRARIES topple::hil topple_run_topple SOURCES
    unit/hil/csv_test.cpp
    unit/hil/experiment_test.cpp
    unit/hil/experiment_file/bad_files_test.cpp
    unit/hil/experiment_file/machine_file_test.cpp
    unit/hil/experiment_file/record_test.cpp
    unit/hil/motion_plan_test.cpp
    unit/hil/prediction_json_test.cpp
)

topple_tests(test_compare LIBRARIES topple::hil SOURCES
    support/synthetic_run.cpp
    unit/hil/compare/achieved_motion_test.cpp
    unit/hil/compare/agreement_test.cpp
    unit/hil/compare/surprise_test.cpp
    unit/hil/compare/identify_test.cpp
    unit/hil/compare/measured_test.cpp
    unit/hil/compare/timing_statistics_test.cpp
    unit/hil/compare/unfinished_record_test.cpp
    unit/hil/import/imported_run_test.cpp
    unit/hil/report/conclude_run_test.cpp
)

topple_tests(test_mark_import LIBRARIES topple::hil topple_run_topple SOURCES
    support/synthetic_run.cpp
    integration/damaged_run_test.cpp
    integration/mark_import_test.cpp
)

topple_tests(test_tick LIBRARIES topple::hil topple_heap_counter topple_run_topple SOURCES
    rt/hil/ending_test.cpp
    rt/hil/tick_test.cpp
    support/driven_test.cpp
    support/ticking_table.cpp
)

topple_tests(test_session LIBRARIES topple::hil topple_run_topple SOURCES
    support/driven_test.cpp
    unit/hil/predictor_test.cpp
    unit/hil/session/after_stop_test.cpp
    unit/hil/session/stop_by_hand_test.cpp
    unit/hil/session/begin_motion_test.cpp
    unit/hil/session/clock_rate_test.cpp
    unit/hil/session/implausible_feedback_test.cpp
    unit/hil/session/flight_test.cpp
    unit/hil/session/stall_test.cpp
)

topple_tests(test_check LIBRARIES topple::hil SOURCES
    unit/hil/check/check_test.cpp
    unit/hil/check/recorded_homing_test.cpp
    unit/hil/check/link_check_test.cpp
    unit/hil/check/motion_check_test.cpp
    unit/hil/check/ended_check_test.cpp
    unit/hil/check/table_check_test.cpp
)
