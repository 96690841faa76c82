// Work that takes a while, beside a connected table: one that hears nothing from its host lets it go.
#pragma once

#include <chrono>
#include <future>
#include <utility>

#include "firmware_iface/clock.hpp"
#include "firmware_iface/table_link.hpp"

namespace topple::hil::drive {

/// What `work()` returns or throws. It runs in a thread of its own while this one gives signs of life; on a virtual
/// clock, where time stands still meanwhile, it is only called.
template <class Work>
auto while_speaking(firmware_iface::TableLink& link, const firmware_iface::Clock& clock, Work work) {
    if (clock.is_virtual()) return work();
    auto result = std::async(std::launch::async, std::move(work));
    do {
        link.poll([](void*, const firmware_iface::Feedback&) {}, nullptr);
        link.flush();
    } while (result.wait_for(firmware_iface::kAlivePeriod) != std::future_status::ready);
    return result.get();
}

}  // namespace topple::hil::drive
