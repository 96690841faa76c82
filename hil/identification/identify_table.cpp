#include "hil/identification/identify_table.hpp"

#include <numbers>

#include "hil/signal/statistics.hpp"

namespace topple::hil::identification {
namespace {

using firmware_iface::MachineDescription;

/// Everything that cuts stretches needs.
struct Cutting {
    const MachineDescription& machine;
    const std::optional<ForceChannel>& force;
    Identification& found;

    template <typename Take>
    void each(std::span<const IdentificationMotion> motions, std::span<const Recording> recordings, Take&& take) {
        for (std::size_t i = 0; i < motions.size() && i < recordings.size(); ++i)
            for (const Stretch& stretch : motions[i].stretches) {
                CutStretch cut = cut_stretch(recordings[i], motions[i], stretch, machine, force);
                if (cut.samples)
                    take(*cut.samples);
                else
                    found.missing.push_back(cut.missing);
            }
    }
};

enum class Channel { setpoint, position, setpoint_acceleration, position_acceleration, acceleration, force };

// One channel of all records.
std::vector<Spectrum> channel(std::span<const LineSpectra> records, std::span<const double> frequency_hz,
                              Channel which) {
    std::vector<Spectrum> all;
    for (const LineSpectra& record : records) {
        const bool is_of_setpoint = which == Channel::setpoint || which == Channel::setpoint_acceleration;
        Spectrum spectrum = which == Channel::acceleration ? record.acceleration_m_s2
                            : which == Channel::force      ? record.force_n
                            : is_of_setpoint               ? record.setpoint_m
                                                           : record.position_m;
        if (which == Channel::setpoint_acceleration || which == Channel::position_acceleration)
            for (std::size_t k = 0; k < spectrum.size(); ++k) {
                const double w = 2.0 * std::numbers::pi * frequency_hz[k];
                spectrum[k] *= -w * w;
            }
        all.push_back(std::move(spectrum));
    }
    return all;
}

void identify_from_force(std::span<const LineSpectra> records, const MachineDescription& machine,
                         Identification& found) {
    const auto response = [&](Channel input, Channel output) {
        return frequency_response(found.frequency_hz, channel(records, found.frequency_hz, input),
                                  channel(records, found.frequency_hz, output),
                                  channel(records, found.frequency_hz, Channel::setpoint));
    };
    found.force = response(Channel::position, Channel::force);
    found.table = fit_table(found.force, found.frequency_hz.size());
    found.friction = friction_of(found.strokes);
    if (found.table && found.table->whole)
        found.drive = fit_drive(found.frequency_hz, records, servo_of(machine, 0.0), found.table->model);
    found.proposal = propose_servo(machine, found.table, found.friction, found.drive);
}

}  // namespace

Identification identify_table(const IdentificationPlan& plan, std::span<const Recording> multisine,
                              std::span<const Recording> strokes, const MachineDescription& machine,
                              const std::optional<ForceChannel>& force) {
    Identification found;
    found.frequency_hz = plan.frequency_hz;
    Cutting cutting{machine, force, found};
    std::vector<LineSpectra> records;
    bool has_acceleration = true;
    found.has_force = force.has_value();
    cutting.each(plan.multisine, multisine, [&](const StretchSamples& samples) {
        records.push_back(line_spectra(samples, plan.frequency_hz));
        has_acceleration = has_acceleration && !samples.acceleration_m_s2.empty();
        found.has_force = found.has_force && !samples.force_n.empty();
    });
    cutting.each(plan.strokes, strokes, [&](const StretchSamples& samples) {
        found.has_force = found.has_force && !samples.force_n.empty();
        if (found.has_force) found.strokes.push_back({samples.stretch.velocity_m_s, signal::mean(samples.force_n)});
    });
    found.stretches = records.size();
    const auto response = [&](Channel input, Channel output) {
        return frequency_response(found.frequency_hz, channel(records, found.frequency_hz, input),
                                  channel(records, found.frequency_hz, output),
                                  channel(records, found.frequency_hz, Channel::setpoint));
    };
    found.position = response(Channel::setpoint, Channel::position);
    if (has_acceleration) {
        found.acceleration = response(Channel::setpoint_acceleration, Channel::acceleration);
        const auto lines = response(Channel::position_acceleration, Channel::acceleration);
        found.platen = platen_response(lines);
        if (found.platen &&
            static_cast<double>(lines.size()) < kLinesMinShare * static_cast<double>(found.frequency_hz.size()))
            found.platen->resonance_hz.reset();
    }
    if (found.has_force)
        identify_from_force(records, machine, found);
    else
        found.proposal.why_not = "without the drive's force there is neither mass nor friction";
    return found;
}

}  // namespace topple::hil::identification
