#include <algorithm>

#include "hil/campaign/protocol.hpp"

namespace topple::hil::campaign {
namespace {

class Listed : public Protocol {
  public:
    Listed(std::vector<Setting> settings, std::size_t repeats) : settings_(std::move(settings)), repeats_(repeats) {}

    std::optional<NextTest> next(std::span<const TestRecord> tests) override {
        for (std::size_t i = 0; i < settings_.size(); ++i) {
            // The same setting may be listed twice: then it is made twice as often.
            const auto listed = static_cast<std::size_t>(
                std::count(settings_.begin(), settings_.begin() + static_cast<std::ptrdiff_t>(i) + 1, settings_[i]));
            const std::size_t made = made_of(settings_[i], tests);
            if (made < listed * repeats_) return NextTest{settings_[i], why(i, made - (listed - 1) * repeats_)};
        }
        return std::nullopt;
    }

    std::size_t expected_left(std::span<const TestRecord> tests) override {
        const auto over =
            static_cast<std::size_t>(std::count_if(tests.begin(), tests.end(), [](const TestRecord& test) {
                return test.counts() || test.status == TestStatus::refused;
            }));
        const std::size_t all = settings_.size() * repeats_;
        return next(tests) ? std::max<std::size_t>(all - std::min(over, all), 1) : 0;
    }

    std::vector<RowBoundary> boundaries(std::span<const TestRecord>) override { return {}; }

  private:
    // One refusal speaks for every repeat.
    std::size_t made_of(const Setting& setting, std::span<const TestRecord> tests) const {
        std::size_t made = 0;
        for (const TestRecord& test : tests) {
            if (test.setting != setting) continue;
            if (test.counts()) ++made;
            if (test.status == TestStatus::refused) return settings_.size() * repeats_;
        }
        return made;
    }

    std::string why(std::size_t index, std::size_t made) const {
        std::string text = settings_.size() > 1
                               ? "test " + std::to_string(index + 1) + " of " + std::to_string(settings_.size())
                               : std::string();
        if (repeats_ > 1)
            text +=
                (text.empty() ? "repeat " : ", repeat ") + std::to_string(made + 1) + " of " + std::to_string(repeats_);
        return text.empty() ? "the only test" : text;
    }

    std::vector<Setting> settings_;
    std::size_t repeats_;
};

}  // namespace

std::unique_ptr<Protocol> listed_protocol(std::vector<Setting> settings, std::size_t repeats) {
    return std::make_unique<Listed>(std::move(settings), repeats);
}

}  // namespace topple::hil::campaign
