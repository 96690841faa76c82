// Runs the real `topple` executable and catches what it says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace topple::tests {

struct ProgramResult {
    int exit_code = -1;  ///< 128 + signal if it was killed
    std::string out;     ///< standard output
    std::string err;     ///< standard error
};

/// The command line of the executable, ready before a fork.
class ToppleWords {
  public:
    explicit ToppleWords(const std::vector<std::string>& arguments);
    ToppleWords(const ToppleWords&) = delete;
    ToppleWords& operator=(const ToppleWords&) = delete;
    [[noreturn]] void become_topple();

  private:
    std::vector<std::string> words_;
    std::vector<char*> pointers_;
};

/// `environment`: "NAME=value" entries added to the present environment.
ProgramResult run_topple(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});

/// Whole content of a file; empty if it does not exist.
std::string content_of(const std::filesystem::path& file);

}  // namespace topple::tests
