// The in-memory pipe: two rings of bytes, made once.
#include <algorithm>
#include <vector>

#include "firmware_iface/transport/byte_stream.hpp"

namespace topple::firmware_iface {
namespace {

constexpr std::size_t kPipeCapacity = 65536;  ///< bytes in flight one way; as much as a Linux pipe holds

/// Bytes of one direction.
class Ring {
  public:
    Ring() : bytes_(kPipeCapacity) {}
    std::size_t size() const noexcept { return size_; }
    void clear() noexcept { size_ = 0; }

    std::size_t put(std::span<const std::byte> from) noexcept {
        const std::size_t count = std::min(from.size(), bytes_.size() - size_);
        for_each_piece((first_ + size_) % bytes_.size(), count, [&](std::size_t at, std::size_t done, std::size_t n) {
            std::copy_n(from.begin() + done, n, bytes_.begin() + at);
        });
        size_ += count;
        return count;
    }
    std::size_t take(std::span<std::byte> into) noexcept {
        const std::size_t count = std::min(into.size(), size_);
        for_each_piece(first_, count, [&](std::size_t at, std::size_t done, std::size_t n) {
            std::copy_n(bytes_.begin() + at, n, into.begin() + done);
        });
        first_ = (first_ + count) % bytes_.size();
        size_ -= count;
        return count;
    }

  private:
    /// A stretch of the ring is one piece, or two where it wraps.
    template <class Copy>
    void for_each_piece(std::size_t start, std::size_t count, Copy copy) noexcept {
        const std::size_t head = std::min(count, bytes_.size() - start);
        copy(start, std::size_t{0}, head);
        copy(std::size_t{0}, head, count - head);
    }

    std::vector<std::byte> bytes_;
    std::size_t first_ = 0, size_ = 0;
};

struct Pipe {
    Ring ways[2];
    bool open[2] = {true, true};
};

class PipeEnd final : public ByteStream {
  public:
    PipeEnd(std::shared_ptr<Pipe> pipe, int side) : pipe_(std::move(pipe)), side_(side) {}
    ~PipeEnd() override { PipeEnd::close(); }

    std::size_t read_some(std::span<std::byte> into) noexcept override {
        return pipe_->open[side_] ? pipe_->ways[1 - side_].take(into) : 0;
    }
    std::size_t write_some(std::span<const std::byte> from) noexcept override {
        return both_open() ? pipe_->ways[side_].put(from) : 0;
    }
    std::size_t unsent_bytes() const noexcept override { return pipe_->ways[side_].size(); }
    void discard_output() noexcept override { pipe_->ways[side_].clear(); }
    /// What the other end sent before it closed can still be read.
    StreamStatus status() const noexcept override {
        const bool more = pipe_->open[side_] && pipe_->ways[1 - side_].size() > 0;
        return both_open() || more ? StreamStatus::open : StreamStatus::closed;
    }
    std::string error_text() const override { return {}; }
    std::string description() const override { return "pipe"; }
    void close() noexcept override { pipe_->open[side_] = false; }

  private:
    bool both_open() const noexcept { return pipe_->open[0] && pipe_->open[1]; }

    std::shared_ptr<Pipe> pipe_;
    int side_;  ///< 0 or 1: writes way `side`, reads the other
};

}  // namespace

std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> make_pipe() {
    auto pipe = std::make_shared<Pipe>();
    return {std::make_unique<PipeEnd>(pipe, 0), std::make_unique<PipeEnd>(pipe, 1)};
}

}  // namespace topple::firmware_iface
