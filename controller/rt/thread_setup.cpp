#include "controller/rt/thread_setup.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

namespace topple::controller {
namespace {

std::string reason(int error_number) { return std::generic_category().message(error_number); }

void set_scheduling(ThreadSetup& setup, int priority) {
    sched_param wanted{};
    wanted.sched_priority =
        std::clamp(priority, sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_FIFO));
    const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted);
    if (error != 0) setup.fifo_refusal = reason(error);
    int policy = SCHED_OTHER;
    sched_param obtained{};
    pthread_getschedparam(pthread_self(), &policy, &obtained);
    setup.fifo = policy == SCHED_FIFO;
    setup.priority = setup.fifo ? obtained.sched_priority : 0;
}

void set_processor(ThreadSetup& setup) {
    if (!setup.asked.processor) return;
    const int wanted = *setup.asked.processor;
    int error = EINVAL;
    if (wanted >= 0 && wanted < CPU_SETSIZE) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(static_cast<std::size_t>(wanted), &set);
        error = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    }
    if (error != 0) setup.processor_refusal = reason(error);
}

void lock_memory(ThreadSetup& setup) {
    rlimit limit{};
    const bool unlimited = getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
    if (unlimited && mlockall(MCL_CURRENT | MCL_FUTURE) == 0) {
        setup.memory_locked = setup.future_locked = true;
        return;
    }
    setup.memory_locked = mlockall(MCL_CURRENT) == 0;
    if (!setup.memory_locked) setup.lock_refusal = reason(errno);
    if (setup.memory_locked && !unlimited) setup.lock_refusal = "the limit of locked memory is not unlimited";
}

/// Brings pages of the stack into memory before the first deadline needs them.
unsigned touch_stack(std::size_t bytes) noexcept {
    constexpr std::size_t kPage = 4096, kFrame = 64 * 1024;
    volatile unsigned char frame[kFrame];
    for (std::size_t i = 0; i < kFrame; i += kPage) frame[i] = 1;
    const unsigned deeper = bytes > kFrame ? touch_stack(bytes - kFrame) : 0;
    return deeper + frame[0];  // read after the call, so that every level keeps a frame of its own
}

int processor_count() noexcept {
    cpu_set_t set;
    CPU_ZERO(&set);
    return pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

}  // namespace

std::vector<int> allowed_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> allowed;
    if (pthread_getaffinity_np(pthread_self(), sizeof set, &set) != 0) return allowed;
    for (int i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(static_cast<std::size_t>(i), &set)) allowed.push_back(i);
    return allowed;
}

ThreadSetup set_up_thread(const ThreadRequest& request) noexcept {
    ThreadSetup setup;
    setup.asked = request;
    try {
        set_scheduling(setup, request.priority);
        set_processor(setup);
        lock_memory(setup);
    } catch (const std::bad_alloc&) {
        setup.fifo_refusal.clear();  // only the wording is lost: the flags say what is in force
    }
    static_cast<void>(touch_stack(request.stack_bytes));
    setup.processors = processor_count();
    return setup;
}

void restore_thread() noexcept {
    sched_param ordinary{};
    pthread_setschedparam(pthread_self(), SCHED_OTHER, &ordinary);
    munlockall();
}

std::string ThreadSetup::text() const {
    std::string text = "asked for SCHED_FIFO priority " + std::to_string(asked.priority) + ", locked memory";
    if (asked.processor) text += ", processor " + std::to_string(*asked.processor);
    text += "; granted: ";
    text += fifo ? "SCHED_FIFO priority " + std::to_string(priority)
                 : "ordinary scheduling (SCHED_FIFO refused: " + fifo_refusal + ")";
    text += memory_locked ? ", memory locked" : ", memory not locked";
    if (memory_locked && !future_locked) text += " for present pages only";
    if (!lock_refusal.empty()) text += " (" + lock_refusal + ")";
    if (asked.processor && processor_refusal.empty()) return text + ", this processor only";
    text += ", " + std::to_string(processors) + (processors == 1 ? " processor" : " processors");
    if (asked.processor)
        text += " (processor " + std::to_string(*asked.processor) + " refused: " + processor_refusal + ")";
    return text;
}

}  // namespace topple::controller
