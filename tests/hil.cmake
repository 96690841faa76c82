topple_tests(test_hil LIBRARIES topple::hil SOURCES
    unit/hil/experiment/referenced_files_test.cpp
    unit/hil/files/output_file_test.cpp
    unit/hil/files/run_folder_test.cpp
    unit/hil/cli/run_ending_test.cpp
    unit/hil/drive/ensemble_forecast_test.cpp
    unit/hil/drive/settling_test.cpp
    unit/hil/iteration/learned_drive_test.cpp
    unit/hil/report/photo_test.cpp
    unit/hil/signal/zero_phase_test.cpp
    unit/hil/text/visible_text_test.cpp
)

topple_tests(test_run_log LIBRARIES topple::hil topple_heap_counter PkgConfig::libzstd PkgConfig::liblz4 SOURCES
    unit/hil/run_log/damaged_log_test.cpp
    unit/hil/run_log/foreign_log_test.cpp
    unit/hil/run_log/recover_test.cpp
    unit/hil/run_log/run_log_test.cpp
    unit/hil/run_log/slow_disk_test.cpp
)

topple_tests(test_sim_table LIBRARIES topple::hil SOURCES
    property/hil/drive_iteration_test.cpp
    property/hil/servo_test.cpp
    support/tracked_motion.cpp
    unit/hil/sim_table/emulate_test.cpp
    unit/hil/sim_table/extras_test.cpp
    unit/hil/sim_table/fault_script_test.cpp
    unit/hil/sim_table/plant_test.cpp
    unit/hil/sim_table/scripted_faults_test.cpp
    unit/hil/sim_table/simulated_table_test.cpp
    unit/hil/sim_table/truth_test.cpp
)

topple_tests(test_experiment LIBRARIES topple::hil topple_run_topple SOURCES
    unit/hil/files/csv_test.cpp
    property/hil/excitations_test.cpp
    unit/hil/experiment/excitation_section_test.cpp
    unit/hil/experiment/pulse_section_test.cpp
    unit/hil/experiment/experiment_test.cpp
    unit/hil/experiment/bad_files_test.cpp
    unit/hil/experiment/machine_file_test.cpp
    unit/hil/experiment/record_test.cpp
    unit/hil/experiment/specimen_file_test.cpp
    unit/hil/experiment/uncertainty_section_test.cpp
    unit/hil/plan/ensemble_spread_test.cpp
    unit/hil/plan/motion_plan_test.cpp
    unit/hil/plan/outcome_sensitivity_test.cpp
    unit/hil/plan/prediction_json_test.cpp
)

topple_tests(test_vendor_files LIBRARIES topple::hil PkgConfig::libmatio SOURCES
    unit/hil/plan/motion_export_test.cpp
    unit/hil/vendor_files/channel_choice_test.cpp
    unit/hil/vendor_files/raw_table_test.cpp
)

topple_tests(test_compare LIBRARIES topple::hil SOURCES
    support/synthetic_run.cpp
    unit/hil/compare/achieved_motion_test.cpp
    unit/hil/compare/agreement_test.cpp
    unit/hil/compare/blind_record_test.cpp
    unit/hil/compare/attribution_test.cpp
    unit/hil/compare/impacts_test.cpp
    unit/hil/compare/why_test.cpp
    unit/hil/compare/creeping_noise_test.cpp
    unit/hil/compare/surprise_test.cpp
    unit/hil/compare/identify_test.cpp
    unit/hil/compare/wave_quality_test.cpp
    unit/hil/compare/measured_test.cpp
    unit/hil/compare/timing_statistics_test.cpp
    unit/hil/compare/trigger_test.cpp
    unit/hil/compare/unfinished_record_test.cpp
    unit/hil/conclude/imported_run_test.cpp
    unit/hil/conclude/conclude_run_test.cpp
)

topple_tests(test_mark_import LIBRARIES topple::hil topple_run_topple SOURCES
    support/synthetic_run.cpp
    integration/closed_table_test.cpp
    integration/damaged_run_test.cpp
    integration/mark_import_test.cpp
    integration/measured_motion_test.cpp
)

topple_tests(test_tick LIBRARIES topple::hil topple_heap_counter topple_run_topple SOURCES
    rt/hil/ending_test.cpp
    rt/hil/tick_test.cpp
    support/driven_run.cpp
    support/ticking_table.cpp
)

topple_tests(test_session LIBRARIES topple::hil topple_run_topple SOURCES
    support/driven_run.cpp
    unit/hil/drive/logged_forecast_test.cpp
    unit/hil/drive/predictor_test.cpp
    unit/hil/drive/protection_test.cpp
    unit/hil/drive/after_stop_test.cpp
    unit/hil/drive/stop_by_hand_test.cpp
    unit/hil/drive/begin_motion_test.cpp
    unit/hil/drive/clock_rate_test.cpp
    unit/hil/drive/device_extras_test.cpp
    unit/hil/drive/implausible_feedback_test.cpp
    unit/hil/drive/flight_test.cpp
    unit/hil/drive/stall_test.cpp
)

topple_tests(test_check LIBRARIES topple::hil SOURCES
    unit/hil/check/check_test.cpp
    unit/hil/check/recorded_homing_test.cpp
    unit/hil/check/link_check_test.cpp
    unit/hil/check/motion_check_test.cpp
    unit/hil/check/ended_check_test.cpp
    unit/hil/check/table_check_test.cpp
    unit/hil/check/tilt_test.cpp
)

topple_tests(test_two_axes LIBRARIES topple::hil topple_run_topple nlohmann_json::nlohmann_json SOURCES
    integration/two_axes_test.cpp
    property/hil/two_axes_test.cpp
    unit/hil/compare/plane_motion_test.cpp
    unit/hil/experiment/axis_motions_test.cpp
    unit/hil/sim_table/two_axes_test.cpp
)

topple_tests(test_campaign LIBRARIES topple::hil topple_run_topple SOURCES
    unit/hil/campaign/protocol_test.cpp
    unit/hil/campaign/test_table_test.cpp
    unit/hil/experiment/campaign_section_test.cpp
)
