#include "hil/campaign/test_table.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hil/campaign/test_lines.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"

namespace topple::hil::campaign {
namespace {

using files::InputError;
using files::OutputError;

int open_alone(const std::filesystem::path& file, int flags) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | flags, 0666);
    if (descriptor < 0 && errno == EEXIST)
        throw InputError(fmt::format("{}: exists already; --resume goes on with a campaign", file.string()));
    if (descriptor < 0) throw OutputError(fmt::format("{}: cannot be opened: {}", file.string(), std::strerror(errno)));
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
    ::close(descriptor);
    throw InputError(fmt::format("{}: another program has this campaign open; wait for its end", file.string()));
}

}  // namespace

TestTable::TestTable(const std::filesystem::path& file, int descriptor, std::size_t specimens)
    : file_(file), log_(std::make_unique<files::LogFile>(descriptor)), specimens_(specimens) {}

TestTable TestTable::create(const std::filesystem::path& file, const std::vector<std::string>& keys,
                            std::size_t specimens) {
    TestTable table(file, open_alone(file, O_CREAT | O_EXCL), specimens);
    table.write_header(keys);
    files::sync_directory(file.parent_path());
    return table;
}

TestTable TestTable::take_up(const std::filesystem::path& file, const std::vector<std::string>& keys,
                             std::size_t specimens) {
    if (!std::filesystem::exists(file))
        throw InputError(fmt::format("{}: there is no campaign to go on with", file.string()));
    TestTable table(file, open_alone(file, 0), specimens);
    std::string text = files::read_text_file(file);
    const std::size_t bytes = text.size();
    text.resize(text.rfind('\n') + 1);  // 0 without any
    std::vector<TestRecord> tests = read_test_lines(text, {file.string(), keys, specimens});
    // A test of several specimens whose lines are not all there was torn between them.
    if (!tests.empty() && tests.back().specimens.size() < specimens) {
        for (std::size_t i = 0; i < tests.back().specimens.size(); ++i) {
            text.pop_back();
            text.resize(text.rfind('\n') + 1);
        }
        tests.pop_back();
    }
    for (const TestRecord& test : tests) table.put(test);
    table.was_torn_ = text.size() < bytes;
    if (table.was_torn_) std::filesystem::resize_file(file, text.size());
    if (text.empty()) table.write_header(keys);
    return table;
}

bool TestTable::write(std::string_view text) {
    return log_->append({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}) && log_->sync();
}

void TestTable::write_header(const std::vector<std::string>& keys) {
    if (!write(test_header(keys)))
        throw OutputError(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(log_->last_error())));
}

void TestTable::put(const TestRecord& test) {
    const auto place = std::lower_bound(tests_.begin(), tests_.end(), test.number,
                                        [](const TestRecord& a, std::uint64_t number) { return a.number < number; });
    if (place != tests_.end() && place->number == test.number)
        *place = test;
    else
        tests_.insert(place, test);
}

void TestTable::append(const TestRecord& test) {
    if (!write(test_lines(test)))
        throw OutputError(
            fmt::format("{}: test {} cannot be written: {}; its run folder is there, --resume takes it up",
                        file_.string(), test.number, std::strerror(log_->last_error())));
    put(test);
}

}  // namespace topple::hil::campaign
