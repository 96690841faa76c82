#include "hil/files/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "hil/files/errors.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::files {
namespace {

constexpr int kNotFound = 127;  // exit status of the child if gnuplot cannot be started
constexpr std::size_t kMessageMax = 4000;

/// In the child: standard error to the pipe, folder of the script, gnuplot without a user's start-up files. Only
/// async-signal-safe calls.
[[noreturn]] void become_gnuplot(const char* folder, const char* script, int error_pipe) {
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, STDIN_FILENO);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(error_pipe, STDERR_FILENO);
    if (::chdir(folder) == 0) ::execlp("gnuplot", "gnuplot", "--default-settings", script, static_cast<char*>(nullptr));
    ::_exit(kNotFound);
}

std::string read_all(int descriptor) {
    std::string text;
    char buffer[1024];
    for (;;) {
        const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return text;
        if (text.size() < kMessageMax) text.append(buffer, static_cast<std::size_t>(count));
    }
}

int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::string gnuplot_text(std::string_view text) {
    std::string quoted = "'", letters = text::one_line(text);
    // In an SVG "]]>" may not stand in a text, and gnuplot does not escape it.
    for (std::size_t at = 0; (at = letters.find("]]>", at)) != std::string::npos;) letters.insert(at + 2, " ");
    for (const char letter : letters) {
        if (letter == '\'')
            quoted += "’";  // a doubled quote at the start of a string ends it (gnuplot 5.4)
        else
            quoted += letter;
    }
    return quoted + "'";
}

std::string gnuplot_head(std::string_view terminal, std::string_view output) {
    return fmt::format("set encoding utf8\nset terminal {}\nset output {}\n", terminal, gnuplot_text(output));
}

void run_gnuplot(const std::filesystem::path& script) {
    const std::string folder = script.has_parent_path() ? script.parent_path().string() : ".";
    const std::string name = script.filename().string();
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw OutputError(fmt::format("gnuplot: {}", std::strerror(errno)));
    const pid_t child = ::fork();
    if (child == 0) become_gnuplot(folder.c_str(), name.c_str(), ends[1]);
    const int fork_error = errno;
    ::close(ends[1]);
    const std::string message = read_all(ends[0]);
    ::close(ends[0]);
    if (child < 0) throw OutputError(fmt::format("gnuplot: {}", std::strerror(fork_error)));
    const int status = wait_for(child);
    if (status == kNotFound)
        throw OutputError("gnuplot could not be started: is it installed? (Debian: apt install gnuplot-nox)");
    if (status != 0) throw OutputError(fmt::format("gnuplot failed on {}: {}", script.string(), message));
}

}  // namespace topple::hil::files
