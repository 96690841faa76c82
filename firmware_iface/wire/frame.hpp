// Frames on the wire: header + payload + CRC-32C, COBS-encoded between zero bytes. No heap, no exceptions, no
// OS.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace topple::firmware_iface {

/// What a frame's payload is (wire/table.proto). Numbers are never reused.
enum class FrameType : std::uint8_t {
    hello = 1,        ///< host -> device: Hello
    description = 2,  ///< device -> host: DeviceDescription
    command = 3,      ///< host -> device: Command
    reply = 4,        ///< device -> host: Reply
    setpoints = 5,    ///< host -> device: SetpointBatch
    feedback = 6,     ///< device -> host: Feedback
    alive = 7,        ///< host -> device: no payload; sent when nothing else was for kAlivePeriod (table_link.hpp), so
                      ///< that the device can see that the host is alive: any valid frame of the session counts
};

/// Travels little-endian in front of the payload: type u8, session u32, sequence u32, (payload length u16).
struct FrameHeader {
    FrameType type{};            ///< as received; may be none of the enumerators: such a frame is to be ignored
    std::uint32_t session = 0;   ///< chosen by the host in hello; the device answers with the same
    std::uint32_t sequence = 0;  ///< counts every frame of one sender in one session, wraps
};

inline constexpr std::size_t kHeaderSize = 11;
inline constexpr std::size_t kCrcSize = 4;
/// Holds 16 setpoints of two axes with every field set (1,168 bytes).
inline constexpr std::size_t kPayloadMax = 1280;
inline constexpr std::size_t kRawFrameMax = kHeaderSize + kPayloadMax + kCrcSize;
/// COBS costs one byte and one more per 254.
inline constexpr std::size_t kStuffedFrameMax = kRawFrameMax + 1 + kRawFrameMax / 254;
/// A frame with the zero bytes in front and behind.
inline constexpr std::size_t kEncodedFrameMax = kStuffedFrameMax + 2;

/// CRC-32C (Castagnoli, reflected, as in RFC 3720). `crc` continues a previous sum.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc = 0) noexcept;

/// Writes one frame, zero bytes included, to the front of `out`. Returns its size; 0 if the payload is longer
/// than kPayloadMax or `out` is too small (kEncodedFrameMax always suffices).
std::size_t encode_frame(const FrameHeader& header, std::span<const std::byte> payload,
                         std::span<std::byte> out) noexcept;

/// A frame whose length and checksum are right.
struct Frame {
    FrameHeader header;
    std::span<const std::byte> payload;  ///< in the decoder's buffer, until its next call
};

/// Finds frames in a stream of bytes that may arrive in any pieces, with damage and with foreign bytes
/// between them. Costs at most the damaged frame: each frame has its own zero byte on both sides.
class FrameDecoder {
  public:
    struct Counters {
        std::uint64_t frames = 0;
        std::uint64_t bytes_damaged = 0;  ///< not part of any valid frame (zero bytes not counted)
        std::uint64_t crc_errors = 0;     ///< pieces between zero bytes with a wrong checksum
        std::uint64_t malformed = 0;      ///< pieces too short, too long, wrongly stuffed or of wrong length
        std::uint64_t sequence_gaps = 0;  ///< frames missing between two valid ones of one session
    };

    /// Takes bytes off the front of `input` up to the end of the next valid frame, or all of them. Call until
    /// empty:
    ///     while (auto frame = decoder.next(input)) { ... }
    std::optional<Frame> next(std::span<const std::byte>& input) noexcept;
    const Counters& counters() const noexcept { return counters_; }
    /// Forgets a half-received frame and the last sequence number; the counters stay.
    void reset() noexcept;

  private:
    std::optional<Frame> finish() noexcept;
    void count_gap(const FrameHeader& header) noexcept;

    std::array<std::byte, kStuffedFrameMax> buffer_{};
    std::size_t size_ = 0;  ///< bytes since the last zero byte, also those that no longer fit
    bool has_last_ = false;
    std::uint32_t last_session_ = 0;
    std::uint32_t last_sequence_ = 0;
    Counters counters_;
};

}  // namespace topple::firmware_iface
