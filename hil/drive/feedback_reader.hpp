// What a table feeds back, in order and once.
#pragma once

#include <cstdint>

#include "firmware_iface/clock.hpp"
#include "firmware_iface/table_link.hpp"

namespace topple::hil::drive {

class FeedbackReader {
  public:
    /// Begins with what is newer than `after_us`: feedback that came while a command waited may be delivered late. From
    /// then on everything counts, also a time that has gone back.
    FeedbackReader(firmware_iface::TableLink& link, const firmware_iface::Clock& clock, std::uint64_t after_us)
        : link_(link), clock_(clock), heard_(clock.now()) {
        newest_.device_time_us = after_us;
    }

    /// Calls on_new(feedback), which must not throw, for all that has come. The newest of it, null if there was none.
    template <class OnNew>
    const firmware_iface::Feedback* poll(OnNew on_new) noexcept {
        struct Sink {
            FeedbackReader& reader;
            OnNew& on_new;
            bool fresh = false;
        } sink{*this, on_new};
        const auto take = [](void* context, const firmware_iface::Feedback& feedback) {
            auto& to = *static_cast<Sink*>(context);
            if (!to.reader.begun_ && feedback.device_time_us <= to.reader.newest_.device_time_us) return;
            to.reader.begun_ = true;
            to.reader.newest_ = feedback;
            to.fresh = true;
            to.on_new(feedback);
        };
        link_.poll(take, &sink);
        if (sink.fresh) heard_ = clock_.now();
        return sink.fresh ? &newest_ : nullptr;
    }
    const firmware_iface::Feedback* poll() noexcept {
        return poll([](const firmware_iface::Feedback&) {});
    }

    /// Since a poll() last brought something, or since the beginning.
    firmware_iface::Nanoseconds silence() const noexcept { return clock_.now() - heard_; }

  private:
    firmware_iface::TableLink& link_;
    const firmware_iface::Clock& clock_;
    firmware_iface::Nanoseconds heard_;
    firmware_iface::Feedback newest_;
    bool begun_ = false;
};

}  // namespace topple::hil::drive
