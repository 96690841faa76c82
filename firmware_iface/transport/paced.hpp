// A stream slowed down to a baud rate both ways, for simulated tables on a wire that is faster than the real
// one.
#pragma once

#include <memory>

#include "firmware_iface/clock.hpp"
#include "firmware_iface/transport/byte_stream.hpp"

namespace topple::firmware_iface {

/// Lets baud/10 bytes per second through each way, on `clock`, which must outlive the stream. What was not
/// used within 10 ms is lost, as on a real line.
std::unique_ptr<ByteStream> paced(std::unique_ptr<ByteStream> stream, Clock& clock, int baud = 921600);

}  // namespace topple::firmware_iface
