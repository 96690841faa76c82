#include "hil/text/tell.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "hil/text/silence.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::text {
namespace {

std::atomic<bool> is_silent{false};
constexpr std::size_t kUsualColumns = 80, kColumnsLeast = 8;

void write_error(std::string_view text) {
    if (is_silent) return;
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
    std::clearerr(stderr);
}

std::size_t terminal_columns() noexcept {
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return std::max<std::size_t>(known ? size.ws_col : kUsualColumns, kColumnsLeast);
}

/// The first `count` characters of valid UTF-8, each taken as one column.
std::string_view first_characters(std::string_view text, std::size_t count) noexcept {
    std::size_t end = 0;
    for (; end < text.size(); ++end)
        if ((static_cast<unsigned char>(text[end]) & 0xC0u) != 0x80 && count-- == 0) break;
    return text.substr(0, end);
}

}  // namespace

void be_silent() noexcept { is_silent = true; }
void speak() noexcept { is_silent = false; }

void tell_text(std::string_view text) { write_error(visible(text)); }

void tell_over(std::string_view text) {
    const std::string line = one_line(text);
    // The last column stays free: a cursor behind it may be on the next line already.
    write_error(fmt::format("\r\x1b[K{}", first_characters(line, terminal_columns() - 1)));
}

void print_text(std::string_view text) {
    if (is_silent) return;
    const std::string shown = visible(text);
    std::fwrite(shown.data(), 1, shown.size(), stdout);
}

}  // namespace topple::hil::text
