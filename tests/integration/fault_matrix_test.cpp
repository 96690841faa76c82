// Every fault in every state of the table, printed as a matrix: nothing unsafe, nothing taken for a success.
#include <fmt/format.h>

#include <cmath>

#include "firmware_iface/fault.hpp"
#include "tests/integration/fault_matrix_rows.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::test;
using firmware_iface::DeviceState;
using firmware_iface::FaultCode;

namespace {

constexpr double kBeyond_m = 1e-3, kBeyondRatio = 1.02;  // what a limit may be exceeded by
constexpr double kThreePeriods_s = 6e-3;
constexpr double kStill_m = 1e-4;  // the servo's own settling, half a second after the fault

struct Counts {
    int cells = 0, s1 = 0, s0 = 0, unaffected = 0, reboot = 0, impossible = 0;
};

bool takes_power(FaultCode code) {
    switch (code) {
        case FaultCode::not_finite:
        case FaultCode::encoder_implausible:
        case FaultCode::drive_fault:
        case FaultCode::limit_switch:
        case FaultCode::emergency_stop:
        case FaultCode::stop_overdue:
        case FaultCode::watchdog:
        case FaultCode::homing_failed: return true;
        default: return false;
    }
}

void check_stays_within(const CellOutcome& cell, const firmware_iface::MachineDescription& machine) {
    const bool s0 = !cell.drive_on;
    const double reach_m = s0 ? machine.stroke_m + machine.buffer_travel_m - kStill_m : machine.stroke_m;
    CHECK(cell.position_max_m <= reach_m);
    CHECK(cell.setpoint_max_m <= machine.stroke_m + kBeyond_m);
    CHECK(cell.velocity_max_m_s <= kBeyondRatio * machine.velocity_max_m_s);
    CHECK(cell.setpoint_velocity_max_m_s <= kBeyondRatio * machine.velocity_max_m_s);
    CHECK(cell.setpoint_acceleration_max_m_s2 <= kBeyondRatio * machine.acceleration_max_m_s2);
    CHECK(cell.moved_after_rest_m < kStill_m);
    if (cell.stopped && !s0) {
        CHECK(cell.stop_took_s <= std::abs(cell.stop_from_m_s) / machine.stop_deceleration_m_s2 + kThreePeriods_s);
        CHECK(cell.rest_after_s <= machine.settling_time_s);
    }
}

// What the host saw of the commanded motion is what it sees without a fault, where both have a sample.
void check_same_motion(const CellOutcome& cell, const CellOutcome& plain, double tolerance_m) {
    double worst_m = 0.0;
    std::size_t compared = 0;
    for (const auto& [time_us, sample] : cell.motion) {
        const auto same = plain.motion.find(time_us);
        if (same == plain.motion.end() || time_us < 0 || time_us > 250'000) continue;
        worst_m = std::max(worst_m, std::abs(sample.first - same->second.first));
        ++compared;
    }
    CHECK(compared > 80);
    CHECK(worst_m <= tolerance_m);
}

class Matrix {
  public:
    Matrix(Wire wire, std::vector<MatrixState> states) : wire_(wire), states_(std::move(states)) {
        plain_ = FaultBench(MatrixState::running, "", wire).run();
        REQUIRE(plain_.completed);
        std::string head = fmt::format("\n{:<31}", fmt::format("fault matrix, {}", name(wire)));
        for (const MatrixState state : states_) head += fmt::format(" {:<24}", name(state));
        fmt::print("{}\n", head);
    }
    void run(const std::vector<FaultRow>& rows) {
        for (const FaultRow& row : rows) {
            std::string line = fmt::format("{:<31}", row.label);
            for (const MatrixState state : states_) line += fmt::format(" {:<24}", cell(row, state));
            fmt::print("{}\n", line);
        }
    }
    void print_counts() const {
        fmt::print("{} cells: {} stopped (S1), {} drive off (S0), {} unaffected, {} rebooted; {} cannot exist\n",
                   counts_.cells, counts_.s1, counts_.s0, counts_.unaffected, counts_.reboot, counts_.impossible);
        for (const std::string& reason : reasons_) fmt::print("  {}\n", reason);
    }

  private:
    std::string cell(const FaultRow& row, MatrixState state) {
        const std::string& expected = row.expected[static_cast<std::size_t>(state)];
        if (expected.starts_with("!")) {
            ++counts_.impossible;
            reasons_.push_back(fmt::format("{}, {}: {}", row.label, name(state), expected.substr(1)));
            return "-";
        }
        FaultBench bench(state, row.script, wire_, row.host);
        const CellOutcome outcome = bench.run();
        INFO(row.label << ", " << name(state) << ", " << name(wire_) << ": " << name(outcome.fault) << ", expected "
                       << expected);
        ++counts_.cells;
        check_stays_within(outcome, bench.machine());
        if (expected == "unaffected") return check_unaffected(row, state, outcome);
        if (expected == "reboot") return check_reboot(outcome);
        CHECK(("|" + expected + "|").find(fmt::format("|{}|", name(outcome.fault))) != std::string::npos);
        CHECK_FALSE(outcome.completed);
        CHECK(outcome.drive_on == !takes_power(outcome.fault));
        ++(outcome.drive_on ? counts_.s1 : counts_.s0);
        return fmt::format("{} {} {:.0f}", outcome.drive_on ? "S1" : "S0", name(outcome.fault),
                           1e3 * outcome.position_max_m);
    }
    std::string check_unaffected(const FaultRow& row, MatrixState state, const CellOutcome& outcome) {
        ++counts_.unaffected;
        CHECK(std::string(name(outcome.fault)) == "none");
        CHECK_FALSE(outcome.stopped);
        if (state == MatrixState::homing || state == MatrixState::running) CHECK(outcome.completed);
        if (state == MatrixState::running) check_same_motion(outcome, plain_, row.tolerance_m);
        return fmt::format("unaffected {:.0f}", 1e3 * outcome.position_max_m);
    }
    std::string check_reboot(const CellOutcome& outcome) {
        ++counts_.reboot;
        CHECK(outcome.state == DeviceState::idle);
        CHECK_FALSE(outcome.drive_on);
        CHECK_FALSE(outcome.completed);
        return fmt::format("idle, drive off {:.0f}", 1e3 * outcome.position_max_m);
    }

    Wire wire_;
    std::vector<MatrixState> states_;
    CellOutcome plain_;
    Counts counts_;
    std::vector<std::string> reasons_;
};

}  // namespace

TEST_CASE("Every fault in every state on the in-process pipe") {
    Matrix matrix(Wire::pipe, {std::begin(kMatrixStates), std::end(kMatrixStates)});
    matrix.run(wire_rows());
    matrix.run(device_rows());
    matrix.print_counts();
}

TEST_CASE("Faults of wire and host over a pseudo-terminal") {
    Matrix matrix(Wire::pty, {MatrixState::armed, MatrixState::running});
    matrix.run(wire_rows());
    matrix.print_counts();
}

TEST_CASE("Faults of wire and host over TCP") {
    Matrix matrix(Wire::tcp, {MatrixState::armed, MatrixState::running});
    matrix.run(wire_rows());
    matrix.print_counts();
}
