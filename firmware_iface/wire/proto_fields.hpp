// Fields of protobuf's wire format, written and read in place. No heap, no exceptions, no OS.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace topple::firmware_iface {

/// How a field is stored; groups (3 and 4) are not supported.
enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, length = 2, fixed32 = 5 };

/// Writes fields one after the other, in the order of the calls. What does not fit is lost, and ok() false.
class FieldWriter {
  public:
    explicit FieldWriter(std::span<std::byte> out) noexcept : out_(out) {}

    // ---- left out if zero, as proto3 does ----
    void number(std::uint32_t field, std::uint64_t value) noexcept {
        if (value != 0) present_number(field, value);
    }
    void signed_number(std::uint32_t field, std::int64_t value) noexcept { number(field, zigzag(value)); }
    void fixed(std::uint32_t field, std::uint64_t value) noexcept {
        if (value != 0) present_fixed(field, value);
    }
    /// -0 is not left out: its bits are not zero.
    void real(std::uint32_t field, double value) noexcept { fixed(field, std::bit_cast<std::uint64_t>(value)); }
    void text(std::uint32_t field, std::string_view value) noexcept {
        if (value.empty()) return;
        tag(field, WireType::length);
        varint(value.size());
        for (const char c : value) byte(static_cast<std::uint8_t>(c));
    }

    // ---- always there: of optional fields ----
    void present_number(std::uint32_t field, std::uint64_t value) noexcept {
        tag(field, WireType::varint);
        varint(value);
    }
    void present_real(std::uint32_t field, double value) noexcept {
        present_fixed(field, std::bit_cast<std::uint64_t>(value));
    }
    /// Packed; nothing for none.
    void reals(std::uint32_t field, std::span<const double> values) noexcept {
        if (values.empty()) return;
        tag(field, WireType::length);
        varint(8 * values.size());
        for (const double value : values) raw64(std::bit_cast<std::uint64_t>(value));
    }
    /// `write(FieldWriter&)` writes the fields of a nested message of fewer than 128 bytes.
    template <class Write>
    void message(std::uint32_t field, const Write& write) noexcept {
        tag(field, WireType::length);
        const std::size_t at = size_;
        byte(0);
        write(*this);
        const std::size_t length = size_ - at - 1;
        ok_ = ok_ && length < 0x80;
        if (ok_) out_[at] = static_cast<std::byte>(length);
    }

    bool ok() const noexcept { return ok_; }
    std::size_t size() const noexcept { return size_; }

  private:
    static std::uint64_t zigzag(std::int64_t value) noexcept {
        return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
    }
    void byte(std::uint8_t value) noexcept {
        ok_ = ok_ && size_ < out_.size();
        if (ok_) out_[size_] = static_cast<std::byte>(value);
        ++size_;
    }
    void tag(std::uint32_t field, WireType type) noexcept { varint(field << 3 | static_cast<std::uint32_t>(type)); }
    void varint(std::uint64_t value) noexcept {
        for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
        byte(static_cast<std::uint8_t>(value));
    }
    void raw64(std::uint64_t value) noexcept {
        for (int shift = 0; shift < 64; shift += 8) byte(static_cast<std::uint8_t>(value >> shift));
    }
    void present_fixed(std::uint32_t field, std::uint64_t value) noexcept {
        tag(field, WireType::fixed64);
        raw64(value);
    }

    std::span<std::byte> out_;
    std::size_t size_ = 0;
    bool ok_ = true;
};

/// One field as it is stored.
struct Field {
    std::uint32_t number = 0;
    WireType type = WireType::varint;
    std::uint64_t value = 0;             ///< of a varint or a fixed one
    std::span<const std::byte> bytes{};  ///< of one with a length

    bool is(std::uint32_t wanted, WireType stored) const noexcept { return number == wanted && type == stored; }
    double real() const noexcept { return std::bit_cast<double>(value); }
};

/// Takes fields off the front of a message.
class FieldReader {
  public:
    explicit FieldReader(std::span<const std::byte> message) noexcept : left_(message) {}

    /// False at the end, and at a field that is damaged: then failed().
    bool next(Field& field) noexcept {
        if (left_.empty() || failed_) return false;
        const auto tag = static_cast<std::uint32_t>(varint(kShortBytes));  // what is beyond 32 bits is ignored
        field.number = tag >> 3;
        field.type = static_cast<WireType>(tag & 7U);
        if (field.number == 0) failed_ = true;
        if (!failed_) content(field);
        return !failed_;
    }
    bool failed() const noexcept { return failed_; }

  private:
    void content(Field& field) noexcept {
        switch (field.type) {
            case WireType::varint: field.value = varint(kLongBytes); return;
            case WireType::fixed64: field.value = fixed(8); return;
            case WireType::fixed32: field.value = fixed(4); return;
            case WireType::length: {
                const std::uint64_t size = varint(kShortBytes);
                if (failed_ || size > left_.size()) break;
                field.bytes = left_.first(static_cast<std::size_t>(size));
                left_ = left_.subspan(static_cast<std::size_t>(size));
                return;
            }
        }
        failed_ = true;
    }
    // As protobuf: tags and lengths have at most five bytes, values ten.
    static constexpr unsigned kShortBytes = 5, kLongBytes = 10;
    std::uint64_t varint(unsigned bytes_max) noexcept {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 7 * bytes_max; shift += 7) {
            if (left_.empty()) break;
            const auto byte = std::to_integer<std::uint64_t>(left_.front());
            left_ = left_.subspan(1);
            value |= (byte & 0x7FU) << shift;
            if (byte < 0x80) return value;
        }
        failed_ = true;
        return 0;
    }
    std::uint64_t fixed(std::size_t size) noexcept {
        if (left_.size() < size) {
            failed_ = true;
            return 0;
        }
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i) value |= std::to_integer<std::uint64_t>(left_[i]) << (8 * i);
        left_ = left_.subspan(size);
        return value;
    }

    std::span<const std::byte> left_;
    bool failed_ = false;
};

}  // namespace topple::firmware_iface
