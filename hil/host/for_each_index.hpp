// The same work for many indices on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace topple::hil::host {

/// Calls `work(index)` for 0..count-1, in any order, on `threads` threads (0: one per processor); the first exception
/// is thrown again here.
template <typename Work>
void for_each_index(std::size_t count, unsigned threads, const Work& work) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto worker = [&] {
        try {
            for (std::size_t index = next++; index < count; index = next++) work(index);
        } catch (...) {
            next = count;
            const std::scoped_lock lock(failure_mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t helpers = std::min<std::size_t>(threads, std::max<std::size_t>(count, 1)) - 1;
    {
        std::vector<std::jthread> pool;
        for (std::size_t i = 0; i < helpers; ++i) pool.emplace_back(worker);
        worker();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace topple::hil::host
