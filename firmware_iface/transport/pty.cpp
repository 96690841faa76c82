// The device's side of a pseudo-terminal.
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "firmware_iface/fault.hpp"
#include "firmware_iface/transport/descriptor_stream.hpp"
#include "firmware_iface/transport/listener.hpp"

namespace topple::firmware_iface {
namespace {

[[noreturn]] void throw_errno(const std::string& what) {
    throw DeviceError("cannot make a pseudo-terminal: " + what + ": " + std::strerror(errno));
}

class PtyListener final : public Listener {
  public:
    PtyListener() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
        if (master_ < 0) throw_errno("posix_openpt");
        try {
            prepare();
        } catch (...) {
            ::close(master_);
            throw;
        }
    }
    ~PtyListener() override { ::close(master_); }

    std::unique_ptr<ByteStream> accept() override {
        if (!active_.expired()) return nullptr;
        if (!slave_is_open()) {
            ::tcflush(master_, TCIFLUSH);  // what the last host sent and nobody read
            return nullptr;
        }
        auto token = std::make_shared<int>(0);
        active_ = token;
        return std::make_unique<DescriptorStream>(master_, std::move(token),
                                                  DescriptorStream::Settings{"pty:" + path_, 0.0, false});
    }
    std::unique_ptr<ByteStream> further() override { return nullptr; }
    std::string uri() const override { return "serial:" + path_; }

  private:
    /// Raw mode, and one open and close of the slave: from then on the master reports a hang-up while no host
    /// is there.
    void prepare() {
        char path[128];
        if (::grantpt(master_) != 0 || ::unlockpt(master_) != 0) throw_errno("unlockpt");
        if (::ptsname_r(master_, path, sizeof path) != 0) throw_errno("ptsname");
        path_ = path;
        const int slave = ::open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (slave < 0) throw_errno(path_);
        termios mode{};
        const bool raw =
            ::tcgetattr(slave, &mode) == 0 && (::cfmakeraw(&mode), true) && ::tcsetattr(slave, TCSANOW, &mode) == 0;
        ::close(slave);
        if (!raw) throw_errno("raw mode");
    }
    bool slave_is_open() const noexcept {
        pollfd state{master_, 0, 0};
        return ::poll(&state, 1, 0) >= 0 && (state.revents & POLLHUP) == 0;
    }

    int master_;
    std::string path_;
    std::weak_ptr<int> active_;  ///< lives as long as the stream handed out is open
};

}  // namespace

std::unique_ptr<Listener> listen_pty() { return std::make_unique<PtyListener>(); }

}  // namespace topple::firmware_iface
