#include "firmware_iface/transport/paced.hpp"

#include <algorithm>

#include "firmware_iface/transport/forwarding_stream.hpp"

namespace topple::firmware_iface {
namespace {

/// Bytes one way that may pass now; fills up with time.
class Allowance {
  public:
    Allowance(double bytes_per_second, Nanoseconds now) : bytes_per_second_(bytes_per_second), last_(now) {}
    std::size_t at(Nanoseconds now) noexcept {
        const double elapsed_s = std::chrono::duration<double>(now - last_).count();
        last_ = now;
        bytes_ = std::min(bytes_ + elapsed_s * bytes_per_second_, 0.010 * bytes_per_second_);
        return static_cast<std::size_t>(bytes_);
    }
    void use(std::size_t count) noexcept { bytes_ -= static_cast<double>(count); }

  private:
    double bytes_per_second_;
    Nanoseconds last_;
    double bytes_ = 0.0;
};

class PacedStream final : public ForwardingStream {
  public:
    PacedStream(std::unique_ptr<ByteStream> stream, Clock& clock, double bytes_per_second)
        : ForwardingStream(std::move(stream)),
          clock_(clock),
          bytes_per_second_(bytes_per_second),
          in_(bytes_per_second, clock.now()),
          out_(bytes_per_second, clock.now()) {}

    std::size_t read_some(std::span<std::byte> into) noexcept override {
        const std::size_t count = inner().read_some(into.first(std::min(into.size(), in_.at(clock_.now()))));
        in_.use(count);
        return count;
    }
    std::size_t write_some(std::span<const std::byte> from) noexcept override {
        const std::size_t count = inner().write_some(from.first(std::min(from.size(), out_.at(clock_.now()))));
        out_.use(count);
        return count;
    }
    double bytes_per_second() const noexcept override { return bytes_per_second_; }

  private:
    Clock& clock_;
    double bytes_per_second_;
    Allowance in_, out_;
};

}  // namespace

std::unique_ptr<ByteStream> paced(std::unique_ptr<ByteStream> stream, Clock& clock, int baud) {
    return std::make_unique<PacedStream>(std::move(stream), clock, baud / 10.0);
}

}  // namespace topple::firmware_iface
