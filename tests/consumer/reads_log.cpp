// Writes a log of two events and reads it back.
#include <cstdio>
#include <filesystem>

#include "hil/host/version.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "hil/run_log/run_log_writer.hpp"

int main(int, char** argv) {
    using namespace topple::hil::run_log;
    const std::filesystem::path file = std::filesystem::path(argv[0]).replace_extension(".mcap");
    std::filesystem::remove(file);
    {
        RunLogOptions options;
        options.synchronous = true;
        options.metadata["topple_version"] = topple::hil::host::version();
        RunLog log(file, options);
        log.push(EventRecord{1'000'000, EventKind::motion_start, ""});
        log.push(EventRecord{2'000'000, EventKind::motion_done, ""});
        log.close();
        if (log.failed()) return 1;
    }
    const RunData run = read_run_log(file);
    for (const EventRecord& event : run.events) std::printf("%s\n", name(event.kind).data());
    return run.events.size() == 2 && run.damage.empty() ? 0 : 1;
}
