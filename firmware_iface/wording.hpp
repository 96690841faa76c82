// What happened, recorded where no text may be composed: fixed texts and numbers, joined where there is time for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace topple::firmware_iface {

/// How a number of a Wording is written. As printf does, whatever the locale.
enum class NumberForm : std::uint8_t {
    three_digits,        ///< %.3g
    two_decimals,        ///< %.2f
    signed_one_decimal,  ///< %+.1f
    system_error,        ///< an errno, as the system's words for it
};

/// Trivially copyable: it crosses threads by value. Adding allocates nothing and composes no text. Texts are not
/// copied: give what lives as long as the program, or certainly longer than every copy.
class Wording {
  public:
    static constexpr std::size_t kPiecesMax = 15;  ///< further pieces are omitted

    Wording() = default;
    explicit Wording(std::string_view fixed) noexcept { add(fixed); }
    Wording& add(std::string_view fixed) noexcept;  ///< at most 65535 bytes of it
    Wording& add(double number, NumberForm form) noexcept;
    Wording& add(const Wording& more) noexcept;
    bool empty() const noexcept { return count_ == 0; }

    // ---- not on the tick path ----
    /// As much as fits, cut at a character boundary of UTF-8. Returns the bytes written. Does not allocate.
    std::size_t write(std::span<char> into) const noexcept;
    std::string text() const;

  private:
    enum class Kind : std::uint8_t { fixed, number };
    struct Piece {
        union {
            const char* characters;
            double number;
        };
        std::uint16_t size;  // of `characters`
        Kind kind;
        NumberForm form;
    };
    /// `scratch`: where a number may be written.
    static std::string_view view(const Piece& piece, std::span<char> scratch) noexcept;

    std::array<Piece, kPiecesMax> pieces_;
    std::size_t count_ = 0;
};

/// `text`, or as much of it as fits into `bytes_max`, cut at a character boundary of UTF-8.
std::string_view cut_text(std::string_view text, std::size_t bytes_max) noexcept;

}  // namespace topple::firmware_iface
