// A stream around another one, which changes some of what passes through it.
#pragma once

#include <memory>
#include <utility>

#include "firmware_iface/transport/byte_stream.hpp"

namespace topple::firmware_iface {

/// Everything goes to and comes from `inner`, as it is; override what shall differ.
class ForwardingStream : public ByteStream {
  public:
    explicit ForwardingStream(std::unique_ptr<ByteStream> inner) noexcept : inner_(std::move(inner)) {}

    std::size_t read_some(std::span<std::byte> into) noexcept override { return inner_->read_some(into); }
    std::size_t write_some(std::span<const std::byte> from) noexcept override { return inner_->write_some(from); }
    std::size_t unsent_bytes() const noexcept override { return inner_->unsent_bytes(); }
    void discard_output() noexcept override { inner_->discard_output(); }
    double bytes_per_second() const noexcept override { return inner_->bytes_per_second(); }
    StreamStatus status() const noexcept override { return inner_->status(); }
    std::string error_text() const override { return inner_->error_text(); }
    std::string description() const override { return inner_->description(); }
    void close() noexcept override { inner_->close(); }

  protected:
    ByteStream& inner() noexcept { return *inner_; }
    const ByteStream& inner() const noexcept { return *inner_; }

  private:
    std::unique_ptr<ByteStream> inner_;
};

}  // namespace topple::firmware_iface
