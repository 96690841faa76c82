// One lock on a port: against this program, another one, and after the cable was out. All of [lock] also runs over
// libserialport's own path (tests/firmware_iface.cmake), whatever lock its version takes.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>

#include "firmware_iface/transport/listener.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bench.hpp"
#include "tests/support/serving_clock.hpp"

using namespace topple::test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr auto kBusy = "another program uses it";

/// Another program that opens a port and holds it until it is killed.
class OtherProgram {
  public:
    explicit OtherProgram(const std::string& uri) {
        int ready[2];
        REQUIRE(::pipe(ready) == 0);
        child_ = ::fork();
        if (child_ == 0) hold(uri, ready[1]);
        ::close(ready[1]);
        char answer = 0;
        holds_ = ::read(ready[0], &answer, 1) == 1 && answer == 'y';
        ::close(ready[0]);
    }
    ~OtherProgram() { end(); }
    bool holds() const noexcept { return holds_; }
    void end() {
        if (child_ <= 0) return;
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
        child_ = 0;
    }

  private:
    [[noreturn]] static void hold(const std::string& uri, int ready) {
        try {
            const auto stream = open_stream(uri);
            if (::write(ready, "y", 1) == 1)
                for (;;) ::pause();
        } catch (const DeviceError&) {
            [[maybe_unused]] const auto told = ::write(ready, "n", 1);
        }
        ::_exit(0);
    }
    pid_t child_ = 0;
    bool holds_ = false;
};

}  // namespace

TEST_CASE("a port in use is refused to whoever comes second, and free when the first has closed it", "[lock]") {
    auto listener = listen_pty();
    auto first = open_stream(listener->uri());
    for (int attempt = 0; attempt < 2; ++attempt)  // what was refused has not taken the lock along
        CHECK_THAT(error_of([&] { open_stream(listener->uri()); }), ContainsSubstring(kBusy));
    CHECK_FALSE(OtherProgram(listener->uri()).holds());
    CHECK(first->status() == StreamStatus::open);
    first->close();
    CHECK(open_stream(listener->uri())->status() == StreamStatus::open);
}

TEST_CASE("a port that another program holds is refused until that program has ended, killed or not", "[lock]") {
    auto listener = listen_pty();
    OtherProgram other(listener->uri());
    REQUIRE(other.holds());
    CHECK_THAT(error_of([&] { open_stream(listener->uri()); }), ContainsSubstring(kBusy));
    other.end();
    CHECK(open_stream(listener->uri())->status() == StreamStatus::open);
}

TEST_CASE("a port that was pulled out and put in again is opened and locked anew", "[lock]") {
    auto listener = listen_pty();
    const std::string uri = listener->uri();
    auto stream = open_stream(uri);
    listener.reset();
    ServingClock clock;
    std::array<std::byte, 16> bytes;
    REQUIRE(clock.wait_for([&] { return stream->read_some(bytes) == 0 && stream->status() == StreamStatus::closed; }));
    stream->close();
    listener = listen_pty();  // mostly under the same name again
    auto again = open_stream(listener->uri());
    CHECK(again->status() == StreamStatus::open);
    CHECK_THAT(error_of([&] { open_stream(listener->uri()); }), ContainsSubstring(kBusy));
}

TEST_CASE("a program started meanwhile does not keep the port from the next one", "[lock]") {
    auto listener = listen_pty();
    auto stream = open_stream(listener->uri());
    const pid_t child = ::fork();
    if (child == 0) {
        ::execlp("sleep", "sleep", "60", nullptr);
        ::_exit(1);
    }
    ServingClock clock;
    clock.sleep_for(std::chrono::milliseconds(300));  // it has begun
    stream->close();
    CHECK(open_stream(listener->uri())->status() == StreamStatus::open);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}
