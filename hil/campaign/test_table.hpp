// tests.csv: the journal of a campaign, one line per test and specimen, each on the disk before the next test begins.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hil/campaign/test_record.hpp"
#include "hil/files/log_file.hpp"

namespace topple::hil::campaign {

class TestTable {
  public:
    /// Creates the file with its header. Throws InputError if it is there already, OutputError.
    static TestTable create(const std::filesystem::path& file, const std::vector<std::string>& keys,
                            std::size_t specimens);
    /// Takes up a campaign: reads what is there, cuts off a line that was torn by a power cut or kill (its test is
    /// looked for in its folder), and keeps others out. Throws InputError for a file that is not of this campaign, that
    /// cannot be understood (line named) or that another program has open.
    static TestTable take_up(const std::filesystem::path& file, const std::vector<std::string>& keys,
                             std::size_t specimens);

    /// In the order of their numbers. A test that was written again (a later mark) is there once, as written last.
    const std::vector<TestRecord>& tests() const noexcept { return tests_; }
    bool was_torn() const noexcept { return was_torn_; }
    /// Written and synced when it returns. A test of the same number replaces the earlier one. Throws OutputError;
    /// then it is not in the file.
    void append(const TestRecord& test);

  private:
    TestTable(const std::filesystem::path& file, int descriptor, std::size_t specimens);
    void put(const TestRecord& test);
    bool write(std::string_view text);  ///< and synced; false: not in the file
    void write_header(const std::vector<std::string>& keys);

    std::filesystem::path file_;
    std::unique_ptr<files::LogFile> log_;
    std::size_t specimens_;
    std::vector<TestRecord> tests_;
    bool was_torn_ = false;
};

/// The lines of one test, as in tests.csv.
std::string test_lines(const TestRecord& test);
std::string test_header(const std::vector<std::string>& keys);

}  // namespace topple::hil::campaign
