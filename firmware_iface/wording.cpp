#include "firmware_iface/wording.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace topple::firmware_iface {
namespace {

constexpr std::size_t kNumberMax = 400;  // bytes: %.2f of the largest double has 312

}  // namespace

static_assert(std::is_trivially_copyable_v<Wording>);

std::string_view cut_text(std::string_view text, std::size_t bytes_max) noexcept {
    if (text.size() <= bytes_max) return text;
    std::size_t size = bytes_max;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
    return text.substr(0, size);
}

Wording& Wording::add(std::string_view fixed) noexcept {
    if (count_ == kPiecesMax || fixed.empty()) return *this;
    Piece& piece = pieces_[count_++];
    piece.characters = fixed.data();
    piece.size =
        static_cast<std::uint16_t>(std::min<std::size_t>(fixed.size(), std::numeric_limits<std::uint16_t>::max()));
    piece.kind = Kind::fixed;
    piece.form = {};
    return *this;
}

Wording& Wording::add(double number, NumberForm form) noexcept {
    if (count_ == kPiecesMax) return *this;
    Piece& piece = pieces_[count_++];
    piece.number = number;
    piece.size = 0;
    piece.kind = Kind::number;
    piece.form = form;
    return *this;
}

Wording& Wording::add(const Wording& more) noexcept {
    for (std::size_t i = 0; i < more.count_ && count_ < kPiecesMax; ++i) pieces_[count_++] = more.pieces_[i];
    return *this;
}

std::string_view Wording::view(const Piece& piece, std::span<char> scratch) noexcept {
    if (piece.kind == Kind::fixed) return {piece.characters, piece.size};
    char* const begin = scratch.data();
    char* const end = begin + scratch.size();
    char* at = begin;
    switch (piece.form) {
        case NumberForm::three_digits:
            at = std::to_chars(begin, end, piece.number, std::chars_format::general, 3).ptr;
            break;
        case NumberForm::two_decimals:
            at = std::to_chars(begin, end, piece.number, std::chars_format::fixed, 2).ptr;
            break;
        case NumberForm::signed_one_decimal:
            if (!std::signbit(piece.number)) *at++ = '+';
            at = std::to_chars(at, end, piece.number, std::chars_format::fixed, 1).ptr;
            break;
        case NumberForm::system_error: return std::strerror(static_cast<int>(piece.number));
    }
    return {begin, static_cast<std::size_t>(at - begin)};
}

std::size_t Wording::write(std::span<char> into) const noexcept {
    std::size_t size = 0;
    std::array<char, kNumberMax> scratch;
    for (std::size_t i = 0; i < count_; ++i) {
        const std::string_view whole = view(pieces_[i], scratch);
        const std::string_view part = cut_text(whole, into.size() - size);
        std::copy_n(part.begin(), part.size(), into.begin() + static_cast<std::ptrdiff_t>(size));
        size += part.size();
        if (part.size() < whole.size()) break;
    }
    return size;
}

std::string Wording::text() const {
    std::string text;
    std::array<char, kNumberMax> scratch;
    for (std::size_t i = 0; i < count_; ++i) text += view(pieces_[i], scratch);
    return text;
}

}  // namespace topple::firmware_iface
