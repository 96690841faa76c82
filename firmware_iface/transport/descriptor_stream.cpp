#include "firmware_iface/transport/descriptor_stream.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <cerrno>
#include <system_error>

#include "firmware_iface/fault.hpp"

namespace topple::firmware_iface {

namespace asio = boost::asio;
using boost::system::error_code;

DescriptorStream::DescriptorStream(int descriptor, std::shared_ptr<void> owner, Settings settings)
    : owner_(std::move(owner)), settings_(std::move(settings)) {
    const int duplicate = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    error_code error;
    if (duplicate < 0) error = error_code(errno, boost::system::system_category());
    if (!error) descriptor_.assign(duplicate, error);
    if (!error) descriptor_.non_blocking(true, error);
    try {
        if (!error) reader_ = std::make_unique<TerminalReader>(handle());
    } catch (const std::system_error& refused) {
        error = error_code(refused.code().value(), boost::system::system_category());
    }
    if (error) throw DeviceError("cannot use " + settings_.description + ": " + error.message());
}

std::size_t DescriptorStream::read_some(std::span<std::byte> into) noexcept {
    if (status_ != StreamStatus::open || into.empty()) return 0;
    const std::size_t count = reader_->take(into);
    if (count > 0) return count;
    if (const int end = reader_->end_code(); end == 0)
        fail(asio::error::eof);
    else if (end > 0)
        fail(error_code(end, boost::system::system_category()));
    return 0;
}

std::size_t DescriptorStream::write_some(std::span<const std::byte> from) noexcept {
    if (status_ != StreamStatus::open || from.empty()) return 0;
    error_code error;
    const std::size_t count = descriptor_.write_some(asio::buffer(from.data(), from.size()), error);
    if (error) fail(error);
    return count;
}

std::size_t DescriptorStream::unsent_bytes() const noexcept {
    int count = 0;
    if (status_ != StreamStatus::open || ::ioctl(handle(), TIOCOUTQ, &count) != 0) return 0;
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

void DescriptorStream::discard_output() noexcept {
    if (status_ == StreamStatus::open && settings_.real_port) ::tcflush(handle(), TCOFLUSH);
}

void DescriptorStream::close() noexcept {
    if (!descriptor_.is_open()) return;
    reader_.reset();
    if (settings_.real_port) {
        constexpr timespec kStep{0, 1'000'000};
        for (int step = 0; step < 50 && unsent_bytes() > 0; ++step) ::nanosleep(&kStep, nullptr);
        ::tcflush(handle(), TCIOFLUSH);
    }
    error_code ignored;
    descriptor_.close(ignored);
    owner_.reset();
    if (status_ == StreamStatus::open) status_ = StreamStatus::closed;
}

void DescriptorStream::fail(const error_code& error) noexcept {
    if (error == asio::error::would_block || error == asio::error::try_again) return;
    const int code = error.value();
    const bool gone = error == asio::error::eof || error == asio::error::broken_pipe || code == EIO || code == ENXIO ||
                      code == ENODEV;  // what Linux says of an unplugged or hung-up terminal
    status_ = gone ? StreamStatus::closed : StreamStatus::failed;
    if (error != asio::error::eof) error_ = error;
}

int DescriptorStream::handle() const noexcept { return descriptor_.native_handle(); }

}  // namespace topple::firmware_iface
