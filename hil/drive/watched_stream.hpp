// What a table feeds back while it is moved by hand, for whoever watches: the records of a log without a log.
#pragma once

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <memory>
#include <thread>

#include "firmware_iface/transport/byte_stream.hpp"
#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"
#include "hil/run_log/run_log_writer.hpp"

namespace topple::hil::drive {

struct StreamWatch {
    run_log::RecordObserver observer;
    run_log::SensorScales scales;
    std::uint32_t session = 0;  ///< feedback of other sessions is not shown
    bool is_virtual = false;    ///< log times count from device time 0; else they are of the wall clock
};

/// Passes everything through; every feedback read goes to the observer too, in another thread. Reading neither waits
/// nor allocates for that; what the other thread cannot take in time is not shown.
class WatchedStream final : public firmware_iface::ByteStream {
  public:
    WatchedStream(std::unique_ptr<firmware_iface::ByteStream> stream, StreamWatch watch);
    ~WatchedStream() override;

    std::size_t read_some(std::span<std::byte> into) noexcept override;
    std::size_t write_some(std::span<const std::byte> from) noexcept override { return stream_->write_some(from); }
    std::size_t unsent_bytes() const noexcept override { return stream_->unsent_bytes(); }
    void discard_output() noexcept override { stream_->discard_output(); }
    double bytes_per_second() const noexcept override { return stream_->bytes_per_second(); }
    firmware_iface::StreamStatus status() const noexcept override { return stream_->status(); }
    std::string error_text() const override { return stream_->error_text(); }
    std::string description() const override { return stream_->description(); }
    void close() noexcept override { stream_->close(); }

  private:
    void show_until_stopped();

    std::unique_ptr<firmware_iface::ByteStream> stream_;
    StreamWatch watch_;
    firmware_iface::FrameDecoder decoder_;
    firmware_iface::Codec codec_;
    boost::lockfree::spsc_queue<firmware_iface::Feedback> queue_;
    std::atomic<bool> stop_{false};
    std::thread showing_;
};

}  // namespace topple::hil::drive
