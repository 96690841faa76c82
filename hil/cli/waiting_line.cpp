#include "hil/cli/waiting_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <future>

#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

constexpr int kQuiet_s = 2;  // nobody wonders before

}  // namespace

void with_waiting_line(const std::string& what, const std::function<void()>& work) {
    if (::isatty(STDERR_FILENO) != 1) return work();
    auto working = std::async(std::launch::async, work);
    bool shown = false;
    for (int waited_s = 1; working.wait_for(std::chrono::seconds(1)) != std::future_status::ready; ++waited_s) {
        if (waited_s <= kQuiet_s) continue;
        text::tell_over(fmt::format("{}: {} s; Ctrl-C ends it", what, waited_s));
        shown = true;
    }
    if (shown) text::tell_over("");
    working.get();
}

}  // namespace topple::hil::cli
