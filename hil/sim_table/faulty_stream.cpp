#include "hil/sim_table/faulty_stream.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "firmware_iface/wire/frame.hpp"
#include "hil/sim_table/scripted_faults.hpp"

namespace topple::hil::sim_table {

namespace {

// A host that writes into a stalled wire for seconds; more is refused, as by a full buffer.
constexpr std::size_t kWaitingMax = std::size_t{1} << 20;

std::size_t below(Noise& noise, std::size_t limit) noexcept { return static_cast<std::size_t>(noise.next() % limit); }

}  // namespace

void FaultyLane::take(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) {
        const bool has_content = !frame_.empty() && frame_.back() != std::byte{0};
        frame_.push_back(byte);
        const bool too_long = frame_.size() > firmware_iface::kEncodedFrameMax;  // foreign bytes: pass on as they are
        if ((byte == std::byte{0} && has_content) || too_long) pass_frame();
    }
}

void FaultyLane::pass_frame() {
    Bytes frame = std::exchange(frame_, {});
    if (faults_.strikes(FaultKind::wire_drop, way_)) return;
    if (faults_.strikes(FaultKind::wire_corrupt, way_)) {
        Noise& noise = faults_.noise();
        frame[below(noise, frame.size())] ^= std::byte{1} << static_cast<int>(below(noise, 8));
    }
    if (overtaken_.empty() && faults_.strikes(FaultKind::wire_reorder, way_)) {
        overtaken_ = std::move(frame);
        return;
    }
    const bool twice = faults_.strikes(FaultKind::wire_duplicate, way_).has_value();
    if (twice) queue(frame);
    queue(std::move(frame));
    if (!overtaken_.empty()) queue(std::exchange(overtaken_, {}));
}

void FaultyLane::queue(Bytes frame) {
    std::uint64_t release_us = faults_.time_us();
    if (const auto delay_s = faults_.strikes(FaultKind::wire_delay, way_))
        release_us += static_cast<std::uint64_t>(std::llround(*delay_s * 1e6));
    if (frame.size() > 1 && faults_.strikes(FaultKind::wire_split, way_)) {
        const auto cut = static_cast<std::ptrdiff_t>(1 + below(faults_.noise(), frame.size() - 1));
        held_.push_back({Bytes(frame.begin(), frame.begin() + cut), release_us});
        held_.push_back({Bytes(frame.begin() + cut, frame.end()), release_us + 1});
        return;
    }
    held_.push_back({std::move(frame), release_us});
}

std::span<const std::byte> FaultyLane::ready() {
    // In order, as on a line: what comes behind a delayed frame waits too.
    while (!held_.empty() && held_.front().release_us <= faults_.time_us() && !faults_.stalls(way_)) {
        ready_.insert(ready_.end(), held_.front().bytes.begin(), held_.front().bytes.end());
        held_.pop_front();
    }
    return ready_;
}

void FaultyLane::used(std::size_t count) {
    ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(count));
}

void FaultyLane::clear() {
    frame_.clear();
    overtaken_.clear();
    held_.clear();
    ready_.clear();
}

std::size_t FaultyLane::waiting_bytes() const noexcept {
    std::size_t size = frame_.size() + overtaken_.size() + ready_.size();
    for (const Held& held : held_) size += held.bytes.size();
    return size;
}

FaultyStream::FaultyStream(std::unique_ptr<firmware_iface::ByteStream> wire, ScriptedFaults& faults)
    : ForwardingStream(std::move(wire)),
      faults_(faults),
      in_(faults, WireDirection::to_device),
      out_(faults, WireDirection::to_host) {}

void FaultyStream::unplug_if_due() noexcept {
    if (!faults_.strikes(FaultKind::wire_unplug, WireDirection::both)) return;
    in_.clear();
    out_.clear();
    inner().close();
}

std::size_t FaultyStream::read_some(std::span<std::byte> into) noexcept {
    unplug_if_due();
    send_ready();
    std::array<std::byte, 2048> chunk;
    std::span<const std::byte> ready = in_.ready();
    while (ready.empty() && in_.waiting_bytes() < kWaitingMax) {
        const std::size_t size = inner().read_some(chunk);
        if (size == 0) return 0;
        in_.take(std::span(chunk).first(size));
        ready = in_.ready();
    }
    const std::size_t count = std::min(into.size(), ready.size());
    std::copy_n(ready.begin(), count, into.begin());
    in_.used(count);
    return count;
}

std::size_t FaultyStream::write_some(std::span<const std::byte> from) noexcept {
    unplug_if_due();
    if (out_.waiting_bytes() >= kWaitingMax || inner().status() != firmware_iface::StreamStatus::open) return 0;
    out_.take(from);
    send_ready();
    return from.size();
}

void FaultyStream::send_ready() noexcept {
    const auto ready = out_.ready();
    if (!ready.empty()) out_.used(inner().write_some(ready));
}

std::size_t FaultyStream::unsent_bytes() const noexcept { return inner().unsent_bytes() + out_.waiting_bytes(); }

void FaultyStream::discard_output() noexcept {
    out_.clear();
    inner().discard_output();
}

}  // namespace topple::hil::sim_table
