// A thread that takes no signal: signals belong to the thread that supervises the run.
#pragma once

#include <pthread.h>

#include <csignal>
#include <thread>
#include <utility>

namespace topple::hil::host {

template <typename Body>
std::thread thread_without_signals(Body&& body) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread thread(std::forward<Body>(body));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

}  // namespace topple::hil::host
