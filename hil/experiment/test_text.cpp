#include "hil/experiment/test_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "hil/experiment/toml_document.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::experiment {
namespace {

/// Where a [header] stands.
struct Header {
    std::size_t begin = 0;  // byte
    bool of_campaign = false;
};

class Headers {
  public:
    explicit Headers(const TomlDocument& document) : document_(document) {
        for (const auto& [key, node] : document.root) collect(node, key.str() == "campaign");
        std::sort(found_.begin(), found_.end(), [](const Header& a, const Header& b) { return a.begin < b.begin; });
    }
    const std::vector<Header>& found() const noexcept { return found_; }

  private:
    void collect(const toml::node& node, bool of_campaign) {
        if (const toml::array* array = node.as_array())
            for (const toml::node& element : *array) collect(element, of_campaign);
        const toml::table* table = node.as_table();
        if (!table) return;
        const std::size_t begin = document_.offset(node.source().begin);
        if (begin < document_.text.size() && document_.text[begin] == '[') found_.push_back({begin, of_campaign});
        for (const auto& [key, child] : *table) collect(child, of_campaign);
    }

    const TomlDocument& document_;
    std::vector<Header> found_;
};

// Every line of the part that is no comment becomes empty; the first ones get the new section.
std::string replaced(std::string_view part, std::vector<std::string>& section) {
    std::string text;
    for (std::size_t begin = 0; begin < part.size();) {
        const std::size_t end = std::min(part.find('\n', begin), part.size());
        const std::string_view line = part.substr(begin, end - begin);
        const std::size_t word = line.find_first_not_of(" \t\r");
        if (word != std::string_view::npos && line[word] == '#') {
            text += line;
        } else if (!section.empty()) {
            text += section.front();
            section.erase(section.begin());
        }
        if (end < part.size()) text += '\n';
        begin = end + 1;
    }
    return text;
}

}  // namespace

std::string text_of_one_test(const std::string& text, const std::string& file, std::uint64_t number) {
    const auto document = TomlDocument::parse(text, file);
    const std::vector<Header> headers = Headers(*document).found();
    std::vector<std::string> section{"[campaign_test]", fmt::format("number = {}", number)};
    std::string result = text.substr(0, headers.empty() ? text.size() : headers.front().begin);
    for (std::size_t i = 0; i < headers.size(); ++i) {
        const std::size_t end = i + 1 < headers.size() ? headers[i + 1].begin : text.size();
        const std::string_view part = std::string_view(text).substr(headers[i].begin, end - headers[i].begin);
        result += headers[i].of_campaign ? replaced(part, section) : std::string(part);
    }
    if (!section.empty())
        throw files::InputError(fmt::format(
            "{}: write [campaign] as a section of its own, with each key on its own line, so that the files of the "
            "tests can be made from it",
            file));
    return result;
}

}  // namespace topple::hil::experiment
