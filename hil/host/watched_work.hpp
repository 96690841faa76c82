// The same work for many indices, with an eye on how far it is and on whether it should stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>

#include "hil/host/for_each_index.hpp"

namespace topple::hil::host {

struct WatchedWork {
    unsigned threads = 0;                             ///< 0: one per processor
    const std::atomic<bool>* stop = nullptr;          ///< set: no further index is begun
    std::function<void(std::size_t done)> on_done{};  ///< called by the calling thread once each period
    std::chrono::milliseconds period{200};
};

/// Calls `work(index)` for 0..count-1 from several threads; the first exception is thrown again here.
template <typename Work>
void share_out(std::size_t count, const WatchedWork& how, const Work& work) {
    std::atomic<std::size_t> done{0};
    auto working = std::async(std::launch::async, [&] {
        for_each_index(count, how.threads, [&](std::size_t index) {
            if (how.stop && *how.stop) return;
            work(index);
            ++done;
        });
    });
    while (working.wait_for(how.period) != std::future_status::ready)
        if (how.on_done) how.on_done(done);
    working.get();
}

}  // namespace topple::hil::host
