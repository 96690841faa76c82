#include "hil/drive/watched_stream.hpp"

#include <chrono>

#include "hil/host/thread_without_signals.hpp"
#include "hil/run_log/log_codec.hpp"

namespace topple::hil::drive {
namespace {

constexpr std::size_t kQueued = 4096;  // 8 s at 500 Hz
constexpr auto kPeriod = std::chrono::milliseconds(10);

std::uint64_t anchor_ns(const firmware_iface::Feedback& first) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()) -
           1000 * first.device_time_us;
}

}  // namespace

WatchedStream::WatchedStream(std::unique_ptr<firmware_iface::ByteStream> stream, StreamWatch watch)
    : stream_(std::move(stream)), watch_(std::move(watch)), queue_(kQueued) {
    showing_ = host::thread_without_signals([this] { show_until_stopped(); });
}

WatchedStream::~WatchedStream() {
    stop_.store(true);
    showing_.join();
}

std::size_t WatchedStream::read_some(std::span<std::byte> into) noexcept {
    const std::size_t count = stream_->read_some(into);
    std::span<const std::byte> bytes = into.first(count);
    while (const auto frame = decoder_.next(bytes)) {
        if (frame->header.type != firmware_iface::FrameType::feedback || frame->header.session != watch_.session)
            continue;
        firmware_iface::Feedback feedback;
        if (codec_.decode_feedback(frame->payload, feedback)) queue_.push(feedback);
    }
    return count;
}

void WatchedStream::show_until_stopped() {
    run_log::LogCodec codec(watch_.scales);
    std::uint32_t sequence = 0;
    std::uint64_t anchor = 0;
    for (;;) {
        const bool last = stop_.load();
        firmware_iface::Feedback feedback;
        while (queue_.pop(feedback)) {
            if (sequence == 0 && !watch_.is_virtual) anchor = anchor_ns(feedback);
            const run_log::EncodedMessage message = codec.encode(feedback);
            watch_.observer({static_cast<std::uint16_t>(message.topic), sequence++,
                             anchor + 1000 * message.device_time_us, anchor + 1000 * message.known_time_us,
                             message.data});
        }
        if (last) return;
        std::this_thread::sleep_for(kPeriod);
    }
}

}  // namespace topple::hil::drive
