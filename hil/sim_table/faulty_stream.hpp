// The device's end of a wire on which a fault script drops, damages, reorders and holds up frames.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "firmware_iface/transport/forwarding_stream.hpp"
#include "hil/sim_table/fault_script.hpp"

namespace topple::hil::sim_table {

class ScriptedFaults;

/// One way of the wire: whole frames in, what is left of them out. Allocates: for simulated tables only.
class FaultyLane {
  public:
    FaultyLane(ScriptedFaults& faults, WireDirection way) : faults_(faults), way_(way) {}
    void take(std::span<const std::byte> bytes);
    /// Bytes that may leave now, in order.
    std::span<const std::byte> ready();
    void used(std::size_t count);
    void clear();
    std::size_t waiting_bytes() const noexcept;

  private:
    using Bytes = std::vector<std::byte>;
    struct Held {
        Bytes bytes;
        std::uint64_t release_us = 0;
    };
    void pass_frame();
    void queue(Bytes frame);

    ScriptedFaults& faults_;
    WireDirection way_;
    Bytes frame_;      // coming in, up to its closing zero byte
    Bytes overtaken_;  // a frame that waits for the next one
    std::deque<Held> held_;
    Bytes ready_;
};

class FaultyStream final : public firmware_iface::ForwardingStream {
  public:
    FaultyStream(std::unique_ptr<firmware_iface::ByteStream> wire, ScriptedFaults& faults);
    std::size_t read_some(std::span<std::byte> into) noexcept override;
    std::size_t write_some(std::span<const std::byte> from) noexcept override;
    std::size_t unsent_bytes() const noexcept override;
    void discard_output() noexcept override;

  private:
    void unplug_if_due() noexcept;
    void send_ready() noexcept;

    ScriptedFaults& faults_;
    FaultyLane in_, out_;
};

}  // namespace topple::hil::sim_table
