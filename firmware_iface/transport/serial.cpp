#include "firmware_iface/transport/serial.hpp"

#include <fcntl.h>
#include <libserialport.h>
#include <linux/serial.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/serial_port.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "firmware_iface/fault.hpp"
#include "firmware_iface/transport/descriptor_stream.hpp"
#include "firmware_iface/transport/serial_ports.hpp"

namespace topple::firmware_iface {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) {
    throw DeviceError("cannot open serial:" + path + ": " + why);
}

std::string advice(int error) {
    switch (error) {
        case ENOENT: return "there is no such port; `topple devices` lists them";
        case EACCES:
            return "permission denied; add yourself to the group that owns it (often dialout) and log in "
                   "again";
        case EBUSY:
        case EWOULDBLOCK:  // of a lock
            return "another program uses it";
        case ENOTTY: return "it is not a serial port";
        default: return std::strerror(error);
    }
}

/// The one lock on a port. It belongs to the descriptor that carries the bytes and ends with it, so that no second
/// descriptor of this program stands in its way: libserialport takes the same one in sp_open from 0.1.2 on, and to take
/// it again there changes nothing. No program started meanwhile inherits it.
void lock(int descriptor, const std::string& path) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) fail(path, advice(errno));
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

/// Looks at a port before anything of it is changed: is it there, a terminal, and free? Keeps it open meanwhile, so
/// that the lines that may reset a board do not fall and rise once more.
class PortLook {
  public:
    explicit PortLook(const std::string& path)
        : descriptor_(::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) {
        if (descriptor_ < 0) fail(path, advice(errno));
        const bool terminal = ::isatty(descriptor_) == 1;
        if (terminal && ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
            ::flock(descriptor_, LOCK_UN);
            return;
        }
        const int error = terminal ? errno : ENOTTY;
        ::close(descriptor_);
        fail(path, advice(error));
    }
    PortLook(const PortLook&) = delete;
    PortLook& operator=(const PortLook&) = delete;
    ~PortLook() { ::close(descriptor_); }
    bool has_modem_lines() const noexcept {
        int lines = 0;
        return ::ioctl(descriptor_, TIOCMGET, &lines) == 0;
    }

  private:
    int descriptor_;
};

/// Nobody else may open the terminal from now on (the super-user still may: for that there is the lock).
void make_exclusive(int descriptor) noexcept { ::ioctl(descriptor, TIOCEXCL); }

/// USB adapters of FTDI hold received bytes back for 16 ms unless configured otherwise. Others ignore or refuse this.
void ask_for_low_latency(int descriptor) noexcept {
    serial_struct settings{};
    if (::ioctl(descriptor, TIOCGSERIAL, &settings) != 0) return;
    settings.flags |= ASYNC_LOW_LATENCY;
    ::ioctl(descriptor, TIOCSSERIAL, &settings);
}

/// A port opened by libserialport.
struct RealPort {
    sp_port* port = nullptr;
    ~RealPort() {
        if (!port) return;
        sp_close(port);
        sp_free_port(port);
    }
};

/// A terminal opened by Asio.
struct PlainTerminal {
    boost::asio::io_context context{1};
    boost::asio::serial_port port{context};
};

void check(sp_return result, const std::string& path) {
    if (result == SP_OK) return;
    if (result != SP_ERR_FAIL) fail(path, "libserialport does not accept this port");
    const std::unique_ptr<char, void (*)(char*)> message(sp_last_error_message(), sp_free_error_message);
    const int error = sp_last_error_code();
    fail(path, error ? advice(error) : std::string(message.get()));
}

std::unique_ptr<ByteStream> open_real(const std::string& path, int baud) {
    const auto real = std::make_shared<RealPort>();
    check(sp_get_port_by_name(path.c_str(), &real->port), path);
    check(sp_open(real->port, SP_MODE_READ_WRITE), path);
    int descriptor = -1;
    check(sp_get_port_handle(real->port, &descriptor), path);
    lock(descriptor, path);
    make_exclusive(descriptor);
    check(sp_set_baudrate(real->port, baud), path);
    check(sp_set_bits(real->port, 8), path);
    check(sp_set_parity(real->port, SP_PARITY_NONE), path);
    check(sp_set_stopbits(real->port, 1), path);
    check(sp_set_flowcontrol(real->port, SP_FLOWCONTROL_NONE), path);
    ask_for_low_latency(descriptor);
    sp_flush(real->port, SP_BUF_BOTH);
    return std::make_unique<DescriptorStream>(descriptor, real,
                                              DescriptorStream::Settings{"serial:" + path, baud / 10.0, true});
}

std::unique_ptr<ByteStream> open_plain(const std::string& path, int baud) {
    using boost::asio::serial_port;
    const auto terminal = std::make_shared<PlainTerminal>();
    try {
        auto& port = terminal->port;
        port.open(path);
        lock(port.native_handle(), path);
        make_exclusive(port.native_handle());
        port.set_option(serial_port::baud_rate(static_cast<unsigned>(baud)));
        port.set_option(serial_port::character_size(8));
        port.set_option(serial_port::parity(serial_port::parity::none));
        port.set_option(serial_port::stop_bits(serial_port::stop_bits::one));
        port.set_option(serial_port::flow_control(serial_port::flow_control::none));
        ::tcflush(port.native_handle(), TCIOFLUSH);
        return std::make_unique<DescriptorStream>(
            port.native_handle(), terminal,
            DescriptorStream::Settings{"serial:" + path + " (a terminal without modem lines, opened by Asio)",
                                       baud / 10.0, false});
    } catch (const boost::system::system_error& error) {
        fail(path, advice(error.code().value()));
    }
}

}  // namespace

std::unique_ptr<ByteStream> open_serial(const std::string& target, int baud) {
    std::string path = target;
    if (target.starts_with("usb:")) {
        const auto ports = serial_ports();
        path = find_usb_port(ports, target.substr(4)).path;
    }
    std::error_code error;  // libserialport wants the device itself, not /dev/serial/by-id/...
    const auto device = std::filesystem::canonical(path, error);
    if (error) fail(path, advice(error.value()));
    const PortLook look(device);
    return look.has_modem_lines() ? open_real(device, baud) : open_plain(device, baud);
}

}  // namespace topple::firmware_iface
