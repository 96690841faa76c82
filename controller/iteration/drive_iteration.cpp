#include "controller/iteration/drive_iteration.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace topple::controller {
namespace {

constexpr double kFactorLeast = 0.1;  // of a wanted change: less is no learning
constexpr double kRetryGain = 0.5;    // after a pass that did not improve

/// Three digits, whatever the locale.
std::string number(double value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 3).ptr};
}

std::string in_one_line(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "; ");
    return text;
}

std::string seen(const PassResult& result) {
    return number(1e3 * result.peak_error_m) + " mm and " + number(100.0 * result.nrmse) + " %";
}

}  // namespace

std::string_view name(IterationEnd end) noexcept {
    switch (end) {
        case IterationEnd::none: return "none";
        case IterationEnd::goal_reached: return "goal_reached";
        case IterationEnd::passes_done: return "passes_done";
        case IterationEnd::not_improving: return "not_improving";
        case IterationEnd::infeasible: return "infeasible";
        case IterationEnd::cannot: return "cannot";
    }
    return "?";
}

DriveIteration::DriveIteration(const Profile& target, const firmware_iface::MachineDescription& machine,
                               double payload_kg, const IterationSettings& settings)
    : target_(target),
      drive_(target),
      machine_(machine),
      payload_kg_(payload_kg),
      target_peak_m_s2_(target.motion.extremes().acceleration_peak_m_s2),
      settings_(settings) {
    if (const auto report = check_feasibility(target, machine, payload_kg); !report.feasible())
        throw std::invalid_argument("drive iteration: the motion is not feasible: " + report.text());
}

void DriveIteration::use(const Correction& correction, bool passed) {
    correction_ = correction;
    drive_.motion = corrected(target_.motion, correction);
    passed_ = passed;
}

double DriveIteration::force_n(const Profile& drive) const {
    return (machine_.moving_mass_kg + payload_kg_) * drive.motion.extremes().acceleration_peak_m_s2;
}

// Why a drive with this correction must not be driven; empty if it may.
std::string DriveIteration::obstacle(const Correction& correction, bool& by_force) const {
    by_force = false;
    const double peak_m_s2 = correction.acceleration_peak_m_s2();
    const double most_m_s2 = settings_.correction_max_ratio * target_peak_m_s2_;
    if (!(peak_m_s2 <= most_m_s2))
        return "correction: needs " + number(peak_m_s2) + " m/s2, " + number(most_m_s2) + " m/s2 are allowed";
    const Profile drive{corrected(target_.motion, correction), target_.start_position_m};
    const double needed_n = force_n(drive), most_n = drive_force_max_n(machine_);
    if (!(needed_n <= most_n)) {
        by_force = true;
        return "force: needs " + number(needed_n) + " N, " + number(most_n) + " N available";
    }
    const FeasibilityReport report = check_feasibility(drive, machine_, payload_kg_);
    return report.feasible() ? std::string() : in_one_line(report.text());
}

// The largest of the wanted change, half of it, a quarter ... that may be driven.
DriveIteration::Room DriveIteration::room_for(const Correction& change) const {
    Room room;
    for (; room.factor >= kFactorLeast; room.factor *= 0.5) {
        bool by_force = false;
        const std::string why = obstacle(sum(passes_[best_].correction, change, room.factor), by_force);
        if (why.empty()) return room;
        room.limit = why;
        room.by_force = by_force;
    }
    room.factor = 0.0;
    return room;
}

double DriveIteration::score(const PassResult& result) const noexcept {
    return std::hypot(result.peak_error_m / settings_.goal_peak_m, result.nrmse / settings_.goal_nrmse);
}

IterationEnd DriveIteration::finish(IterationEnd end, const std::string& text) {
    text_ = text;
    return end_ = end;
}

void DriveIteration::note(std::span<const firmware_iface::Feedback> feedback, std::uint64_t start_us) {
    passes_.push_back({correction_, pass_error(target_, machine_, feedback, start_us)});
    const PassError& error = passes_.back().error;
    results_.push_back({error.peak_m, error.nrmse, correction_.displacement_peak_m(),
                        correction_.empty() ? 0.0 : correction_.acceleration_peak_m_s2(), force_n(drive_),
                        error.sensors});
}

void DriveIteration::watch(std::span<const firmware_iface::Feedback> feedback, std::uint64_t start_us) {
    if (end_ == IterationEnd::none) throw std::logic_error("drive iteration: it has not ended");
    note(feedback, start_us);
    passed_ = true;
}

std::string DriveIteration::goal_text() const {
    return "the goal of " + number(1e3 * settings_.goal_peak_m) + " mm and " + number(100.0 * settings_.goal_nrmse) +
           " %";
}

IterationEnd DriveIteration::learn(std::span<const firmware_iface::Feedback> feedback, std::uint64_t start_us) {
    if (end_ != IterationEnd::none) throw std::logic_error("drive iteration: it has ended");
    note(feedback, start_us);
    const PassResult& now = results_.back();
    if (now.peak_error_m <= settings_.goal_peak_m && now.nrmse <= settings_.goal_nrmse) {
        use(correction_, true);
        return finish(IterationEnd::goal_reached,
                      "pass " + std::to_string(results_.size()) + " reached " + goal_text() + ": its drive is kept");
    }
    if (const double most_n = drive_force_max_n(machine_); results_.front().force_n > most_n) {
        use({}, true);
        return finish(IterationEnd::cannot, "the motion needs " + number(results_.front().force_n) + " N for " +
                                                number(machine_.moving_mass_kg + payload_kg_) + " kg, the drive has " +
                                                number(most_n) + " N: no drive can make it. An error of " + seen(now) +
                                                " remains; lower the amplitude or the payload");
    }
    const bool improved =
        results_.size() == 1 || score(now) <= (1.0 - settings_.improvement_least) * score(results_[best_]);
    if (results_.size() == 1 || score(now) < score(results_[best_])) best_ = results_.size() - 1;
    return go_on(improved);
}

IterationEnd DriveIteration::keep_best() {
    use(passes_[best_].correction, true);
    const std::string best = "pass " + std::to_string(best_ + 1) + ", with " + seen(results_[best_]);
    if (unimproved_ < 2)
        return finish(IterationEnd::passes_done, "all passes are made and " + goal_text() +
                                                     " is not reached; kept is the drive of the best, " + best);
    return finish(IterationEnd::not_improving,
                  "the last two passes came no nearer to " + goal_text() + "; kept is the drive of the best, " + best);
}

IterationEnd DriveIteration::go_on(bool improved) {
    unimproved_ = improved ? 0 : unimproved_ + 1;
    const bool last = static_cast<int>(results_.size()) >= settings_.passes_max;
    if (unimproved_ >= 2 || (last && !improved)) return keep_best();
    if (!improved) gain_ *= kRetryGain;
    const Correction change = learned_change(passes_, best_, target_.duration_s(), gain_);
    const Room room = room_for(change);
    if (room.factor <= 0.0) {
        use(passes_[best_].correction, true);
        return finish(room.by_force ? IterationEnd::cannot : IterationEnd::infeasible,
                      "no room for a further correction: " + room.limit + "; " + goal_text() +
                          " is not reached, the best pass had " + seen(results_[best_]));
    }
    use(sum(passes_[best_].correction, change, room.factor), false);
    if (last)
        return finish(IterationEnd::passes_done, "all passes are made and " + goal_text() +
                                                     " is not reached; kept is what was learned from the last one");
    return IterationEnd::none;
}

}  // namespace topple::controller
