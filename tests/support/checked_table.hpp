// The whole list of checks on a simulated table in lockstep, for tests.
#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>

#include "hil/check/run_checks.hpp"
#include "tests/support/host_bench.hpp"

namespace topple::test {

using namespace topple::hil::check;
using namespace topple::hil::sim_table;
using namespace topple::firmware_iface;

using Disturb = std::function<void(std::uint64_t, Measurement&)>;

struct Checked {
    HostBench host;
    std::atomic<bool> stop{false};
    MachineDescription machine_file;
    TableCheckOptions options;
    CheckReport report;
    int asked = 0;

    explicit Checked(Disturb disturb = {}, bool homed = true) : Checked(table_options(std::move(disturb), homed)) {}
    explicit Checked(const SimulatedTableOptions& table, const MachineDescription& machine = quanser_st_iii())
        : host({}, table, machine), machine_file(host.machine) {
        host.link->connect();
        options.listen_s = 2.0;
        options.move = true;
        options.consent = [this](const std::string&) { ++asked; };
    }
    static SimulatedTableOptions table_options(Disturb disturb, bool homed) {
        SimulatedTableOptions o;
        o.disturb = std::move(disturb);
        o.start_homed = homed;
        return o;
    }
    CheckReport& run() {
        check_table({*host.link, host.clock, machine_file, stop}, options, report);
        return report;
    }
    const CheckResult& operator[](const std::string& name) const {
        for (const CheckResult& result : report.results)
            if (result.name == name) return result;
        throw std::runtime_error("no check " + name);
    }
    bool has(const std::string& name) const {
        for (const CheckResult& result : report.results)
            if (result.name == name) return true;
        return false;
    }
    std::set<std::string> failed() const {
        std::set<std::string> names;
        for (const CheckResult& result : report.results)
            if (result.verdict == Verdict::fail) names.insert(result.name);
        return names;
    }
};

}  // namespace topple::test
