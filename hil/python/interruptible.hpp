// Work that takes long: other threads of Python go on, and Ctrl-C ends it.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>

namespace topple::hil::python {

/// Calls work(stop) in a thread of its own, without Python's lock. A signal whose handler raises (Ctrl-C) sets `stop`;
/// once the work has ended, the exception goes on. Only Python's main thread sees signals; another one takes the lock
/// when the work has ended, not before: at the end of the program Python ends a thread that asks for it.
template <typename Work>
auto interruptible(const Work& work) {
    constexpr std::chrono::milliseconds kLook{50};
    std::atomic<bool> stop{false};
    auto task = std::async(std::launch::async, [&] { return work(stop); });
    const pybind11::module_ threading = pybind11::module_::import("threading");
    const bool is_main = threading.attr("get_ident")().equal(threading.attr("main_thread")().attr("ident"));
    const pybind11::gil_scoped_release released;
    if (!is_main) return task.get();
    while (task.wait_for(kLook) != std::future_status::ready) {
        const pybind11::gil_scoped_acquire held;
        if (PyErr_CheckSignals() == 0) continue;
        pybind11::error_already_set interruption;
        stop = true;
        {
            const pybind11::gil_scoped_release waiting;
            task.wait();
        }
        throw interruption;
    }
    return task.get();
}

}  // namespace topple::hil::python
