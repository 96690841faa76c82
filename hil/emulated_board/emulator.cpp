#include "hil/emulated_board/emulator.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "firmware_iface/fault.hpp"

namespace topple::hil::emulated_board {
namespace {

namespace fs = std::filesystem;
using firmware_iface::DeviceError;

constexpr const char* kImage = "topple_mps2_an500.elf";
constexpr int kLineInChild = 3, kMonitorInChild = 4, kPageInChild = 5, kNice = -10;
constexpr int kAnswer_ms = 2000;
constexpr int kStart_ms = 20'000;  // a busy machine's QEMU takes seconds

std::string program_in_path(std::string_view name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/usr/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path here = fs::path(folder) / name;
        if (access(here.c_str(), X_OK) == 0) return here;
    }
    throw DeviceError(fmt::format("--firmware needs {0}, which is not installed: apt-get install {0}", name));
}

/// In memory: nothing stays behind, however this ends.
int write_page(const ParameterPage& page) {
    const int file = memfd_create("topple_board", MFD_CLOEXEC);
    if (file < 0) throw DeviceError(fmt::format("--firmware: memfd_create: {}", std::strerror(errno)));
    if (write(file, &page, sizeof page) == sizeof page) return file;
    close(file);
    throw DeviceError("--firmware: the board's parameter page could not be written");
}

constexpr std::size_t kLength = 4, kHeader = 16, kBytesMax = 1024;
constexpr std::array<std::uint8_t, 14> kAddresses{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02,
                                                  0x48, 0x4F, 0x53, 0x54, 0x00, 0x88, 0xB5};

std::size_t big_endian(const std::byte* bytes) noexcept {
    std::size_t value = 0;
    for (std::size_t i = 0; i < kLength; ++i) value = value << 8 | std::to_integer<std::size_t>(bytes[i]);
    return value;
}

/// One end for us, one for the child.
std::array<int, 2> pair_of_sockets() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw DeviceError(fmt::format("--firmware: socketpair: {}", std::strerror(errno)));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return ends;
}

std::vector<std::string> arguments(const std::string& program, const fs::path& image) {
    return {
        program,      "-machine",
        "mps2-an500", "-nodefaults",
        "-display",   "none",
        "-netdev",    fmt::format("socket,id=line,fd={}", kLineInChild),
        "-net",       "nic,netdev=line,model=lan9118",
        "-chardev",   fmt::format("socket,id=monitor,fd={}", kMonitorInChild),
        "-mon",       "chardev=monitor,mode=readline",
        "-kernel",    image,
        "-device",    fmt::format("loader,file=/proc/self/fd/{},addr={:#x},force-raw=on", kPageInChild, kPageAddress)};
}

/// In the child, between fork and exec: nothing that allocates.
[[noreturn]] void become(char* const* argv, const std::array<int, 3>& given, pid_t parent) noexcept {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    setpgid(0, 0);                        // Ctrl-C is for us
    setpriority(PRIO_PROCESS, 0, kNice);  // where that is allowed: it plays a machine in real time
    std::array<int, 3> spare{};
    for (std::size_t i = 0; i < spare.size(); ++i) spare[i] = fcntl(given[i], F_DUPFD, kPageInChild + 1);
    for (std::size_t i = 0; i < spare.size(); ++i) {
        if (dup2(spare[i], kLineInChild + static_cast<int>(i)) < 0) _exit(127);
        close(spare[i]);
    }
    execv(argv[0], argv);
    _exit(127);
}

}  // namespace

fs::path firmware_image() {
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const fs::path& folder : {here / "firmware", here / "../share/topple/firmware"})
        if (fs::exists(folder / kImage, error)) return fs::weakly_canonical(folder / kImage);
    throw DeviceError(
        "--firmware: this program was built without the firmware. Install gcc-arm-none-eabi, "
        "libnewlib-arm-none-eabi, libstdc++-arm-none-eabi-newlib and qemu-system-arm, and build again");
}

Emulator::Emulator(const fs::path& image, const ParameterPage& page) {
    const std::string program = program_in_path("qemu-system-arm");
    page_ = write_page(page);
    try {
        start(program, image);
        await_monitor();
    } catch (...) {
        end();
        throw;
    }
}

// Its prompt is the first thing that QEMU says when it has understood everything.
void Emulator::await_monitor() {
    pollfd monitor{monitor_, POLLIN, 0};
    std::array<char, 4096> prompt;
    if (poll(&monitor, 1, kStart_ms) != 1) throw DeviceError("--firmware: QEMU does not start");
    if (recv(monitor_, prompt.data(), prompt.size(), MSG_DONTWAIT) <= 0)
        throw DeviceError("--firmware: QEMU has ended at its start");
}

void Emulator::start(const std::string& program, const fs::path& image) {
    const auto line = pair_of_sockets(), monitor = pair_of_sockets();
    std::vector<std::string> words = arguments(program, image);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ == 0) become(argv.data(), {line[1], monitor[1], page_}, parent);
    close(line[1]);
    close(monitor[1]);
    line_ = line[0];
    monitor_ = monitor[0];
    if (process_ < 0) throw DeviceError(fmt::format("{}: {}", program, std::strerror(errno)));
}

Emulator::~Emulator() { end(); }

void Emulator::end() noexcept {
    if (process_ > 0) {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
    for (const int descriptor : {line_, monitor_, page_})
        if (descriptor >= 0) close(descriptor);
}

bool Emulator::runs() noexcept {
    if (process_ > 0 && waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
    return process_ > 0;
}

// QEMU puts four bytes of length, big-endian, in front of each Ethernet frame; what is in it: mps2/devices.hpp.
std::size_t Emulator::read_some(std::span<std::byte> into) noexcept {
    const auto room = std::span(received_).subspan(received_end_);
    const auto count = recv(line_, room.data(), room.size(), MSG_DONTWAIT);
    if (count > 0) received_end_ += static_cast<std::size_t>(count);
    std::size_t taken = 0, given = 0;
    while (received_end_ - taken >= kLength) {
        const std::byte* frame = received_.data() + taken;
        const std::size_t size = big_endian(frame), whole = kLength + size;
        if (received_end_ - taken < whole) break;
        const std::byte* header = frame + kLength;
        const std::size_t bytes = size < kHeader
                                      ? 0
                                      : std::min(size - kHeader, std::to_integer<std::size_t>(header[14]) |
                                                                     std::to_integer<std::size_t>(header[15]) << 8);
        if (bytes > into.size() - given) break;
        std::copy_n(header + kHeader, bytes, into.begin() + static_cast<std::ptrdiff_t>(given));
        given += bytes;
        taken += whole;
    }
    std::copy(received_.begin() + static_cast<std::ptrdiff_t>(taken),
              received_.begin() + static_cast<std::ptrdiff_t>(received_end_), received_.begin());
    received_end_ -= taken;
    return given;
}

bool Emulator::finish_sending() noexcept {
    if (unsent_.empty()) return true;
    const auto count = send(line_, unsent_.data(), unsent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0) unsent_.erase(unsent_.begin(), unsent_.begin() + count);
    return unsent_.empty();
}

std::size_t Emulator::write_some(std::span<const std::byte> from) {
    if (!finish_sending() || from.empty()) return 0;
    const std::size_t bytes = std::min(from.size(), kBytesMax), size = kHeader + bytes;
    for (const unsigned shift : {24U, 16U, 8U, 0U}) unsent_.push_back(static_cast<std::byte>(size >> shift));
    for (const std::uint8_t byte : kAddresses) unsent_.push_back(std::byte{byte});
    for (const unsigned shift : {0U, 8U}) unsent_.push_back(static_cast<std::byte>(bytes >> shift));
    unsent_.insert(unsent_.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(bytes));
    finish_sending();
    return bytes;
}

void Emulator::forget_answers() noexcept {
    std::array<char, 4096> prompt;
    while (recv(monitor_, prompt.data(), prompt.size(), MSG_DONTWAIT) > 0) {
    }
}

// The monitor answers "20000000: 0x5afe57ac 0x5afe57ac ...", four words in a line, and then with its prompt.
std::optional<std::size_t> Emulator::stack_used_bytes() {
    forget_answers();
    const std::string command = fmt::format("xp /{}xw {:#x}\n", kStackBytes / 4, kStackAddress);
    if (send(monitor_, command.data(), command.size(), MSG_DONTWAIT | MSG_NOSIGNAL) <= 0) return std::nullopt;
    std::string answer;
    const std::string end = fmt::format("{:016x}:", kStackAddress + kStackBytes - 16);
    std::array<char, 4096> piece;
    pollfd monitor{monitor_, POLLIN, 0};
    while (answer.find("(qemu)", std::min(answer.find(end), answer.size())) == std::string::npos) {
        if (poll(&monitor, 1, kAnswer_ms) != 1) return std::nullopt;
        const auto count = recv(monitor_, piece.data(), piece.size(), MSG_DONTWAIT);
        if (count <= 0) return std::nullopt;
        answer.append(piece.data(), static_cast<std::size_t>(count));
    }
    const std::string paint = fmt::format(" {:#010x}", kStackPaint);
    std::size_t unused = 0;
    for (std::size_t at = answer.find(": 0x"); at != std::string::npos && unused < kStackBytes; at += paint.size()) {
        at = answer.find(" 0x", at);
        if (at == std::string::npos || answer.compare(at, paint.size(), paint) != 0) break;
        unused += 4;
    }
    return kStackBytes - unused;
}

void Emulator::reset() noexcept {
    static constexpr std::string_view kCommand = "system_reset\n";
    forget_answers();
    (void)!send(monitor_, kCommand.data(), kCommand.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

}  // namespace topple::hil::emulated_board
