#include "tests/support/run_topple.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace topple::tests {
namespace {

[[noreturn]] void become_topple(char* const* arguments, const std::vector<std::string>& environment,
                                const char* out, const char* err) {
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(::open(out, flags, 0600), STDOUT_FILENO);
    ::dup2(::open(err, flags, 0600), STDERR_FILENO);
    for (const std::string& entry : environment) ::putenv(const_cast<char*>(entry.c_str()));
    ::execv(arguments[0], arguments);
    ::_exit(126);
}

}  // namespace

ProgramResult run_topple(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
    const TemporaryFolder folder;
    const std::string out = folder.path() / "out", err = folder.path() / "err";
    std::vector<std::string> words{TOPPLE_EXECUTABLE};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) become_topple(pointers.data(), environment, out.c_str(), err.c_str());
    if (child < 0) throw std::runtime_error("fork failed");
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    const int exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {exit_code, content_of(out), content_of(err)};
}

std::string content_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace topple::tests
