#include "firmware_iface/wire/frame.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace topple::firmware_iface {
namespace {

constexpr std::uint32_t kCastagnoliReflected = 0x82F63B78U;
constexpr std::size_t kGroupMax = 254;  ///< data bytes that one COBS code byte can announce

/// tables[k][b]: sum of byte b followed by k zero bytes, so that eight bytes are summed per step ("slicing by
/// 8").
constexpr auto make_crc_tables() {
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t b = 0; b < 256; ++b) {
        std::uint32_t crc = b;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) ? kCastagnoliReflected : 0U);
        tables[0][b] = crc;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t b = 0; b < 256; ++b)
            tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xFFU];
    return tables;
}
constexpr auto kCrcTables = make_crc_tables();

template <class T>
T load(const std::byte* from) noexcept {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value = static_cast<T>(value | (std::to_integer<T>(from[i]) << (8 * i)));
    return value;
}

template <class T>
void store(T value, std::byte* to) noexcept {
    for (std::size_t i = 0; i < sizeof(T); ++i) to[i] = static_cast<std::byte>(value >> (8 * i));
}

/// Consistent Overhead Byte Stuffing; returns the number of bytes written.
std::size_t stuff(std::span<const std::byte> raw, std::byte* out) noexcept {
    std::byte* to = out;
    std::size_t at = 0;
    bool more = true;  // a code byte is owed for what follows a zero, even if nothing does
    while (more) {
        const std::size_t room = std::min(kGroupMax, raw.size() - at);
        const auto* from = raw.data() + at;
        const auto* zero = room ? static_cast<const std::byte*>(std::memchr(from, 0, room)) : nullptr;
        const std::size_t count = zero ? static_cast<std::size_t>(zero - from) : room;
        *to++ = static_cast<std::byte>(count + 1);
        to = std::copy_n(from, count, to);
        at += count + (zero ? 1 : 0);
        more = zero || at < raw.size();
    }
    return static_cast<std::size_t>(to - out);
}

/// Undoes stuff() in place. Returns the number of bytes, or 0 if the stuffing is wrong.
std::size_t unstuff(std::span<std::byte> bytes) noexcept {
    std::size_t from = 0, to = 0;
    while (from < bytes.size()) {
        const auto code = std::to_integer<std::size_t>(bytes[from++]);
        const std::size_t count = code - 1;
        if (count > bytes.size() - from) return 0;
        std::memmove(&bytes[to], bytes.data() + from, count);
        from += count;
        to += count;
        if (count < kGroupMax && from < bytes.size()) bytes[to++] = std::byte{0};
    }
    return to;
}

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc) noexcept {
    crc = ~crc;
    const auto& t = kCrcTables;
    const std::byte* p = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 8; left -= 8, p += 8) {
        const std::uint32_t low = load<std::uint32_t>(p) ^ crc, high = load<std::uint32_t>(p + 4);
        crc = t[7][low & 0xFFU] ^ t[6][(low >> 8) & 0xFFU] ^ t[5][(low >> 16) & 0xFFU] ^ t[4][low >> 24] ^
              t[3][high & 0xFFU] ^ t[2][(high >> 8) & 0xFFU] ^ t[1][(high >> 16) & 0xFFU] ^ t[0][high >> 24];
    }
    for (; left > 0; --left, ++p) crc = (crc >> 8) ^ t[0][(crc ^ std::to_integer<std::uint32_t>(*p)) & 0xFFU];
    return ~crc;
}

std::size_t encode_frame(const FrameHeader& header, std::span<const std::byte> payload,
                         std::span<std::byte> out) noexcept {
    if (payload.size() > kPayloadMax) return 0;
    std::array<std::byte, kRawFrameMax> raw;
    raw[0] = static_cast<std::byte>(header.type);
    store(header.session, &raw[1]);
    store(header.sequence, &raw[5]);
    store(static_cast<std::uint16_t>(payload.size()), &raw[9]);
    std::copy(payload.begin(), payload.end(), raw.begin() + kHeaderSize);
    const std::size_t summed = kHeaderSize + payload.size();
    store(crc32c({raw.data(), summed}), &raw[summed]);

    const std::size_t size = summed + kCrcSize;
    if (out.size() < size + 1 + size / kGroupMax + 2) return 0;
    out[0] = std::byte{0};
    const std::size_t stuffed = stuff({raw.data(), size}, &out[1]);
    out[1 + stuffed] = std::byte{0};
    return stuffed + 2;
}

std::optional<Frame> FrameDecoder::next(std::span<const std::byte>& input) noexcept {
    while (!input.empty()) {
        const auto* zero = static_cast<const std::byte*>(std::memchr(input.data(), 0, input.size()));
        const std::size_t count = zero ? static_cast<std::size_t>(zero - input.data()) : input.size();
        if (size_ < buffer_.size())
            std::memcpy(buffer_.data() + size_, input.data(), std::min(count, buffer_.size() - size_));
        size_ += count;
        input = input.subspan(count + (zero ? 1 : 0));
        if (!zero) break;
        if (auto frame = finish()) return frame;
    }
    return std::nullopt;
}

std::optional<Frame> FrameDecoder::finish() noexcept {
    const std::size_t stuffed = std::exchange(size_, 0);
    if (stuffed == 0) return std::nullopt;
    const std::size_t size = stuffed <= buffer_.size() ? unstuff({buffer_.data(), stuffed}) : 0;
    const bool complete = size >= kHeaderSize + kCrcSize;
    const std::size_t summed = complete ? size - kCrcSize : 0;
    const bool intact = complete && crc32c({buffer_.data(), summed}) == load<std::uint32_t>(buffer_.data() + summed);
    if (!intact || load<std::uint16_t>(&buffer_[9]) != summed - kHeaderSize) {
        ++(complete && !intact ? counters_.crc_errors : counters_.malformed);
        counters_.bytes_damaged += stuffed;
        return std::nullopt;
    }
    Frame frame{
        {static_cast<FrameType>(buffer_[0]), load<std::uint32_t>(&buffer_[1]), load<std::uint32_t>(&buffer_[5])},
        {buffer_.data() + kHeaderSize, summed - kHeaderSize}};
    ++counters_.frames;
    count_gap(frame.header);
    return frame;
}

void FrameDecoder::count_gap(const FrameHeader& header) noexcept {
    if (has_last_ && header.session == last_session_) {
        const std::uint32_t missing = header.sequence - last_sequence_ - 1U;
        if (missing < 0x80000000U) counters_.sequence_gaps += missing;  // otherwise it came twice or late
    }
    has_last_ = true;
    last_session_ = header.session;
    last_sequence_ = header.sequence;
}

void FrameDecoder::reset() noexcept {
    size_ = 0;
    has_last_ = false;
}

}  // namespace topple::firmware_iface
