// The words and numbers of a mesh file in text, line by line and without copies.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>

#include "hil/files/errors.hpp"

namespace topple::hil::mesh {

class MeshText {
  public:
    MeshText(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    /// On to the next line; false at the end.
    bool next_line() noexcept {
        if (at_ >= text_.size()) return false;
        const std::size_t end = text_.find('\n', at_);
        rest_ = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
        at_ = end == std::string_view::npos ? text_.size() : end + 1;
        ++line_;
        return true;
    }
    /// The next word of this line; empty at its end.
    std::string_view word() noexcept {
        std::size_t begin = 0;
        while (begin < rest_.size() && is_blank(rest_[begin])) ++begin;
        std::size_t end = begin;
        while (end < rest_.size() && !is_blank(rest_[end])) ++end;
        const std::string_view word = rest_.substr(begin, end - begin);
        rest_.remove_prefix(end);
        return word;
    }
    /// The next word as a number, whatever the locale. Throws files::InputError.
    template <class Number>
    Number number(const char* what) {
        return number_of<Number>(word(), what);
    }
    template <class Number>
    Number number_of(std::string_view word, const char* what) const {
        std::string_view digits = word;
        if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
        Number value{};
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{} || end != digits.data() + digits.size())
            fail(word.empty() ? fmt::format("{} is missing", what)
                              : fmt::format("\"{}\" is no number: {} is expected here", word.substr(0, 40), what));
        return value;
    }
    [[noreturn]] void fail(const std::string& message) const {
        throw files::InputError(fmt::format("{}:{}: {}", name_, line_, message));
    }
    std::size_t byte() const noexcept { return at_; }  ///< where the next line begins

  private:
    static bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

    std::string_view text_, rest_;
    const std::string& name_;
    std::size_t at_ = 0, line_ = 0;
};

}  // namespace topple::hil::mesh
