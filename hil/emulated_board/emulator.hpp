// QEMU with the reference firmware in it: a process whose serial line is a stream here.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hil/emulated_board/parameter_page.hpp"

namespace topple::hil::emulated_board {

/// Where the firmware's image is: beside the program in the build tree, or where `cmake --install` puts it. Throws
/// DeviceError, with the packages to install, if it is nowhere.
std::filesystem::path firmware_image();

/// Ends with this object, and with this process however that ends.
class Emulator {
  public:
    /// Throws DeviceError if QEMU is missing or does not start.
    Emulator(const std::filesystem::path& image, const ParameterPage& page);
    ~Emulator();
    Emulator(const Emulator&) = delete;
    Emulator& operator=(const Emulator&) = delete;

    std::size_t read_some(std::span<std::byte> into) noexcept;  ///< what the board sent; never waits
    std::size_t write_some(std::span<const std::byte> from);    ///< to the board; never waits
    /// The board's reset button: the program starts anew, the platen stays where it is.
    void reset() noexcept;
    /// How deep the program's stack has ever been, bytes of kStackBytes; empty if QEMU does not answer.
    std::optional<std::size_t> stack_used_bytes();
    bool runs() noexcept;  ///< false: the process has ended

  private:
    void start(const std::string& program, const std::filesystem::path& image);
    void await_monitor();  // until QEMU runs
    void end() noexcept;
    void forget_answers() noexcept;
    bool finish_sending() noexcept;  // what the socket has not taken yet

    static constexpr std::size_t kReceived = 65536;
    std::vector<std::byte> received_ = std::vector<std::byte>(kReceived);  // frames as they come
    std::size_t received_end_ = 0;
    std::vector<std::byte> unsent_;
    int line_ = -1, monitor_ = -1, page_ = -1;
    int process_ = -1;
};

}  // namespace topple::hil::emulated_board
