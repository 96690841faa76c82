#include "tests/support/run_topple.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>

#include "tests/support/background_topple.hpp"

namespace topple::tests {

ToppleWords::ToppleWords(const std::vector<std::string>& arguments) : words_{TOPPLE_EXECUTABLE} {
    words_.insert(words_.end(), arguments.begin(), arguments.end());
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
}

void ToppleWords::become_topple() {
    ::execv(pointers_[0], pointers_.data());
    ::_exit(126);
}

ProgramResult run_topple(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
    return BackgroundTopple(arguments, environment).wait();
}

std::string content_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace topple::tests
