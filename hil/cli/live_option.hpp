// --live: a test shown while it runs.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "hil/drive/drive_experiment.hpp"
#include "hil/drive/open_table.hpp"
#include "hil/live/live_server.hpp"

namespace topple::hil::cli {

/// Where --live listens if nothing else is said.
inline constexpr const char* kLiveAddress = "127.0.0.1:8765";

struct LiveChoice {
    bool is_given = false;
    std::string address = kLiveAddress;
};

/// Adds --live [HOST:PORT].
void add_live_option(CLI::App& command, LiveChoice& choice);

/// Says so if others than this computer can watch.
void warn_of_watchers(const LiveChoice& choice);

/// Whoever watches, for as long as this lives; nothing if --live was not given.
class LiveShow {
  public:
    /// Listens, and says where; warns if others than this computer can watch. `name`: of what is shown. Throws
    /// InputError if that is impossible.
    LiveShow(const LiveChoice& choice, const std::string& name);
    ~LiveShow();  ///< says goodbye to the clients, and to the person at the table who was dropped
    LiveShow(const LiveShow&) = delete;
    LiveShow& operator=(const LiveShow&) = delete;

    bool is_on() const noexcept { return server_ != nullptr; }
    live::LiveServer* server() noexcept { return server_.get(); }  ///< null: nobody can watch
    /// Every test of these options is shown.
    void watch(drive::DriveOptions& options);
    /// A table that is moved by hand is shown, without a log; `doing` says what is done.
    void watch(drive::OpeningOptions& options, const experiment::Experiment& experiment, const std::string& device_uri,
               const std::string& doing);
    void announce(const std::string& words);

  private:
    std::unique_ptr<live::LiveServer> server_;
};

}  // namespace topple::hil::cli
