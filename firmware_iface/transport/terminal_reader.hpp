// What comes from a terminal, read by a thread of its own: to read or poll an empty terminal waits for a worker of the
// kernel, and on a busy computer that took seconds.
#pragma once

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstddef>
#include <span>
#include <thread>

namespace topple::firmware_iface {

class TerminalReader {
  public:
    /// Reads `descriptor`, which does not block and must stay open, until it ends or this object dies. The thread asks
    /// for SCHED_FIFO, to be no later than the tick that it serves, and continues without it. Throws std::system_error.
    explicit TerminalReader(int descriptor);
    ~TerminalReader();
    TerminalReader(const TerminalReader&) = delete;
    TerminalReader& operator=(const TerminalReader&) = delete;

    /// Bytes that have been read, possibly 0. Never waits, locks or allocates. For one thread.
    std::size_t take(std::span<std::byte> into) noexcept;
    /// Nothing more will arrive and everything has been taken: 0 at the end of the terminal, else the system's error.
    /// -1 before.
    int end_code() const noexcept;

  private:
    void run() noexcept;
    /// False if the terminal has ended or this object dies.
    bool wait() noexcept;
    bool read_once() noexcept;

    static constexpr std::size_t kCapacity = 65536;  ///< bytes: 1.4 s of feedback of one axis
    static constexpr int kGoing = -1;

    const int descriptor_;
    int wake_ = -1;  ///< eventfd: makes the thread end
    boost::lockfree::spsc_queue<std::byte, boost::lockfree::capacity<kCapacity>> bytes_;
    std::atomic<int> end_{kGoing};
    bool hung_up_ = false;  ///< the thread's: what poll said last
    std::thread thread_;
};

}  // namespace topple::firmware_iface
