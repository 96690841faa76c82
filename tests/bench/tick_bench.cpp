// How late a tick on a terminal is, against one on TCP, while two busy loops take the processors. Table, loops and tick
// are processes of one computer; stretches of both wires alternate. usage: tick_bench [SECONDS_PER_STRETCH [STRETCHES]]
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "controller/rt/periodic_loop.hpp"
#include "controller/rt/thread_setup.hpp"
#include "firmware_iface/table_link.hpp"
#include "firmware_iface/transport/listener.hpp"
#include "tests/support/scripted_device.hpp"

using namespace topple;
using namespace topple::test;

namespace {

constexpr auto kPeriod = std::chrono::milliseconds(2);
constexpr int kTicksPerStop = 500;  // a stop throws away what waits in the system: that must not wait either

/// A process that does `work` until this object dies.
class Process {
  public:
    explicit Process(const std::function<void()>& work) : child_(::fork()) {
        if (child_ != 0) return;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        work();
        ::_exit(0);
    }
    ~Process() {
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

  private:
    pid_t child_;
};

/// A table that only answers and feeds back every 2 ms; writes its address to `ready`.
void be_a_table(const std::string& medium, int ready) {
    const auto listener = medium == "pty" ? listen_pty() : listen_tcp("0");
    const std::string uri = listener->uri() + "\n";
    if (::write(ready, uri.data(), uri.size()) < 0) return;
    MonotonicClock clock;
    controller::PeriodicLoop loop(clock, kPeriod);
    std::unique_ptr<ScriptedDevice> device;
    for (std::uint64_t tick = 0;; ++tick) {
        loop.wait();
        if (!device) {
            if (auto stream = listener->accept()) device = std::make_unique<ScriptedDevice>(std::move(stream));
            continue;
        }
        device->serve();
        device->setpoints.clear();
        device->commands.clear();
        device->received.clear();
        if (device->session != 0) device->send_feedback(2000 * tick);
    }
}

std::string first_line(int from) {
    std::string line;
    for (char c = 0; ::read(from, &c, 1) == 1 && c != '\n';) line += c;
    return line;
}

struct Ticks {
    std::vector<double> end_late_us, busy_us;
    std::uint64_t feedback = 0;
};

/// The ticks of one session over `medium`.
void tick_over(const std::string& medium, double seconds, Ticks& ticks) {
    int ready[2];
    if (::pipe(ready) != 0) std::abort();
    const Process table([&] { be_a_table(medium, ready[1]); });
    ::close(ready[1]);
    const std::string uri = first_line(ready[0]);
    ::close(ready[0]);
    MonotonicClock clock;
    TableLink link(open_stream(uri), clock, 5);
    link.connect(std::chrono::seconds(30));
    const controller::RealTime real_time(clock);
    const std::array<Setpoint, 1> setpoint{};
    const auto count = [](void* n, const Feedback&) { ++*static_cast<std::uint64_t*>(n); };
    controller::PeriodicLoop loop(clock, kPeriod);
    for (int tick = 1; tick <= static_cast<int>(500.0 * seconds); ++tick) {
        const auto start = loop.wait();
        link.poll(count, &ticks.feedback);
        link.send_setpoints(setpoint);
        if (tick % kTicksPerStop == 0) link.stop();
        link.flush();
        const double busy_us = 1e-3 * static_cast<double>(loop.busy_ns());
        ticks.busy_us.push_back(busy_us);
        ticks.end_late_us.push_back(1e-3 * static_cast<double>(start.wake_late_ns) + busy_us);
    }
    link.close();
}

void print(const char* medium, const char* what, std::vector<double>& of) {
    std::sort(of.begin(), of.end());
    const auto at = [&](double part) {
        return of[static_cast<std::size_t>(part * static_cast<double>(of.size() - 1))];
    };
    const auto beyond = [&](double limit) { return of.end() - std::upper_bound(of.begin(), of.end(), limit); };
    std::printf("%-4s %-34s p50 %8.1f  p99 %8.1f  p99.9 %8.1f  max %9.1f us; > 2 ms %5td  > 10 ms %5td of %zu\n",
                medium, what, at(0.5), at(0.99), at(0.999), of.back(), beyond(2e3), beyond(1e4), of.size());
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 10.0;
    const int stretches = argc > 2 ? std::atoi(argv[2]) : 3;
    const auto spin = [] {
        std::atomic<std::uint64_t> rounds{0};
        while (rounds.fetch_add(1) != UINT64_MAX) {
        }
    };
    const Process one(spin), two(spin);
    Ticks pty, tcp;
    for (int i = 0; i < stretches; ++i) {
        tick_over("pty", seconds, pty);
        tick_over("tcp", seconds, tcp);
    }
    MonotonicClock clock;
    std::printf("two busy loops, tick of 2 ms; %s\n", controller::RealTime(clock).setup().text().c_str());
    std::printf("feedback received: pty %llu, tcp %llu\n", static_cast<unsigned long long>(pty.feedback),
                static_cast<unsigned long long>(tcp.feedback));
    print("pty", "end of the tick after its deadline", pty.end_late_us);
    print("tcp", "end of the tick after its deadline", tcp.end_late_us);
    print("pty", "work of the tick", pty.busy_us);
    print("tcp", "work of the tick", tcp.busy_us);
}
