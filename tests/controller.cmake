topple_tests(test_controller LIBRARIES topple::controller Threads::Threads SOURCES
    unit/controller/estimator_test.cpp
    unit/controller/ending_test.cpp
    unit/controller/iteration/axes_iteration_test.cpp
    unit/controller/iteration/correction_test.cpp
    unit/controller/iteration/drive_iteration_test.cpp
    unit/controller/profile_test.cpp
    unit/controller/feasibility_test.cpp
    unit/controller/headroom_test.cpp
    unit/controller/supervisor_states_test.cpp
    unit/controller/supervisor_test.cpp
    unit/controller/two_axes_test.cpp
    unit/controller/supervisor_feedback_test.cpp
    unit/controller/rt/lock_free_test.cpp
    unit/controller/rt/periodic_loop_test.cpp
    property/controller/profile_test.cpp
)
