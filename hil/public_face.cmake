# The headers that are installed, by component. Each compiles by itself, with nothing of ours that is not in this list
# (tests/consumer/check.cmake).

set(solver_face
    solver/motion/base_motion.hpp
    solver/options.hpp
    solver/outcome.hpp
    solver/predict.hpp
    solver/run.hpp
    solver/specimen.hpp
    solver/foot.hpp
    solver/solid.hpp
)
set(firmware_iface_face
    firmware_iface/clock.hpp
    firmware_iface/device_info.hpp
    firmware_iface/fault.hpp
    firmware_iface/feedback_defect.hpp
    firmware_iface/machine.hpp
    firmware_iface/samples.hpp
    firmware_iface/table_link.hpp
    firmware_iface/transport/byte_stream.hpp
    firmware_iface/wire/codec.hpp
    firmware_iface/wire/command.hpp
    firmware_iface/wire/frame.hpp
    firmware_iface/wording.hpp
)
set(hil_run_log_face
    hil/files/errors.hpp
    hil/files/log_file.hpp
    hil/host/version.hpp
    hil/run_log/records.hpp
    hil/run_log/recover.hpp
    hil/run_log/run_log_reader.hpp
    hil/run_log/run_log_writer.hpp
    hil/run_log/topic.hpp
)

foreach(header IN LISTS solver_face firmware_iface_face hil_run_log_face)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/topple/${folder}
            COMPONENT development)
endforeach()
