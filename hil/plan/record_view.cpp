#include "hil/plan/record_view.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hil/experiment/record_account.hpp"
#include "hil/files/errors.hpp"
#include "hil/ground_motion/read_record.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::plan {
namespace {

using experiment::Experiment;
using experiment::RecordAccount;
using ground_motion::Channel;
using ground_motion::Measures;
using Json = nlohmann::ordered_json;
using text::one_line;

constexpr int kNameWidth = 18;

std::string line(std::string_view name, const std::string& value) {
    const std::string shown = one_line(name);
    return fmt::format("  {:<{}}{}{}\n", shown, kNameWidth, shown.size() < kNameWidth ? "" : "  ", one_line(value));
}

Json measures_json(const Measures& measures) {
    return {{"pga_m_s2", measures.pga_m_s2},
            {"pga_time_s", measures.pga_time_s},
            {"pgv_m_s", measures.pgv_m_s},
            {"pgd_m", measures.pgd_m},
            {"arias_intensity_m_s", measures.arias_m_s},
            {"significant_duration_5_95_s", measures.duration_5_95_s},
            {"significant_start_s", measures.start_5_s},
            {"end_velocity_m_s", measures.end_velocity_m_s},
            {"end_displacement_m", measures.end_displacement_m}};
}

std::string measures_text(const Measures& m) {
    return fmt::format(
        "PGA {:.5g} m/s2 at {:.4g} s, PGV {:.4g} m/s, PGD {:.4g} m, Arias intensity {:.4g} m/s, "
        "significant duration (5-95 %) {:.4g} s; ends at {:.4g} m/s, {:.4g} m",
        m.pga_m_s2, m.pga_time_s, m.pgv_m_s, m.pgd_m, m.arias_m_s, m.duration_5_95_s, m.end_velocity_m_s,
        m.end_displacement_m);
}

Json spectrum_json(const ground_motion::Spectrum& spectrum) {
    if (spectrum.period_s.empty()) return nullptr;
    return {{"damping_ratio", ground_motion::kSpectrumDamping_ratio},
            {"period_s", spectrum.period_s},
            {"pseudo_acceleration_m_s2", spectrum.pseudo_acceleration_m_s2}};
}

std::string spectrum_text(const ground_motion::Spectrum& spectrum) {
    std::size_t peak = 0;
    const std::vector<double>& values = spectrum.pseudo_acceleration_m_s2;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] > values[peak]) peak = i;
    if (values.empty()) return {};
    return line(
        "response spectrum",
        fmt::format("5 % damping: at most {:.4g} m/s2, at a period of {:.3g} s; {} periods from {:g} to {:g} s in "
                    "--json",
                    values[peak], spectrum.period_s[peak], values.size(), spectrum.period_s.front(),
                    spectrum.period_s.back()));
}

std::string printed_text(const std::optional<ground_motion::PrintedPeak>& printed) {
    if (!printed) return "the header prints none";
    return fmt::format("the header prints {}{}", printed->text,
                       printed->time_s ? fmt::format(" at {:g} s", *printed->time_s) : "");
}

Json printed_json(const std::optional<ground_motion::PrintedPeak>& printed, bool is_si) {
    if (!printed) return nullptr;
    Json json{
        {"text", printed->text}, {is_si ? "value_m_s2" : "value", printed->value}, {"half_digit", printed->half_digit}};
    json["time_s"] = printed->time_s ? Json(*printed->time_s) : Json(nullptr);
    return json;
}

double time_of(double step_s, std::size_t index) { return step_s * static_cast<double>(index); }

std::string samples_text(std::size_t count, double step_s, const std::string& unit, bool is_uneven) {
    const std::string times = step_s > 0.0 ? fmt::format("every {:g} s, {:.6g} s", step_s, time_of(step_s, count - 1))
                              : is_uneven  ? "at uneven times"
                                           : "time step not stated";
    return fmt::format("{} {}; unit {}", count, times, unit.empty() ? "not stated" : unit);
}

/// What the specimens stand for in the record's own size.
std::vector<std::string> prototypes(const Experiment& experiment, const RecordAccount& account) {
    std::vector<std::string> found;
    if (!account.length_scale) return found;
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) {
        double height_m = 0.0, width_m = 0.0;
        for (const solver::Block& block : experiment.specimens[i].blocks) {
            height_m += block.height_m;
            width_m = std::max(width_m, block.width_m);
        }
        if (height_m > 0.0)
            found.push_back(fmt::format("specimen {}, {:g} x {:g} m, stands for {:.4g} x {:.4g} m", i, width_m,
                                        height_m, width_m / *account.length_scale, height_m / *account.length_scale));
    }
    return found;
}

Json account_json(const Experiment& experiment, const RecordAccount& account) {
    const ground_motion::Peak peak = ground_motion::peak_of(account.read_m_s2);
    Json json{{"file", account.file},         {"format", account.format},   {"station", account.station},
              {"event", account.event},       {"channel", account.channel}, {"component", account.component},
              {"channels", account.channels}, {"unit", account.unit},       {"samples", account.read_m_s2.size()}};
    json["step_s"] = account.step_s > 0.0 ? Json(account.step_s) : Json(nullptr);
    json["printed_peak"] = printed_json(account.printed_peak, account.unit != "any");
    const bool is_si = account.unit != "any";
    json[is_si ? "read_peak_m_s2" : "read_peak"] = peak.value;
    json["read_peak_time_s"] = account.step_s > 0.0 ? Json(time_of(account.step_s, peak.index)) : Json(nullptr);
    json["notes"] = account.notes;
    json["corrections"] = account.corrections;
    json["scale"] = account.scale;
    json["length_scale"] = account.length_scale ? Json(*account.length_scale) : Json(nullptr);
    json["prototypes"] = prototypes(experiment, account);
    json["as_read"] = account.step_s > 0.0 && is_si
                          ? measures_json(ground_motion::measures_of(account.read_m_s2, account.step_s))
                          : Json(nullptr);
    json["as_used"] = account.used_step_s > 0.0
                          ? measures_json(ground_motion::measures_of(account.used_m_s2, account.used_step_s))
                          : Json(nullptr);
    json["spectrum"] = spectrum_json(record_spectrum(experiment));
    return json;
}

std::string channel_text(const Channel& channel) {
    const ground_motion::Peak peak = ground_motion::peak_of(channel.samples);
    const std::string unit = channel.is_si ? "m/s2" : channel.unit.empty() ? "(no unit)" : channel.unit;
    std::string shown =
        line(fmt::format("channel {}", channel.name),
             fmt::format("{}{}", channel.component.empty() ? "" : channel.component + ": ",
                         samples_text(channel.samples.size(), channel.step_s, channel.unit, !channel.time_s.empty())));
    const std::string at = !channel.time_s.empty() ? fmt::format(" at {:.6g} s", channel.time_s[peak.index])
                           : channel.step_s > 0.0  ? fmt::format(" at {:.6g} s", time_of(channel.step_s, peak.index))
                                                   : std::string();
    shown += line("  peak", fmt::format("{:.6g} {}{}; {}", peak.value, unit, at, printed_text(channel.printed_peak)));
    if (channel.is_si && channel.step_s > 0.0)
        shown += line("  measures", measures_text(ground_motion::measures_of(channel.samples, channel.step_s)));
    for (const std::string& note : channel.notes) shown += line("  note", note);
    return shown;
}

Json channel_json(const Channel& channel) {
    const ground_motion::Peak peak = ground_motion::peak_of(channel.samples);
    Json json{{"channel", channel.name},
              {"component", channel.component},
              {"unit", channel.unit.empty() ? Json(nullptr) : Json(channel.unit)},
              {"samples", channel.samples.size()}};
    json["step_s"] = channel.step_s > 0.0 ? Json(channel.step_s) : Json(nullptr);
    json["uneven_time"] = !channel.time_s.empty();
    json["duration_s"] = channel.has_times() ? Json(channel.duration_s()) : Json(nullptr);
    json["printed_peak"] = printed_json(channel.printed_peak, channel.is_si);
    json[channel.is_si ? "read_peak_m_s2" : "read_peak"] = peak.value;
    json["read_peak_time_s"] = !channel.time_s.empty() ? Json(channel.time_s[peak.index])
                               : channel.step_s > 0.0  ? Json(time_of(channel.step_s, peak.index))
                                                       : Json(nullptr);
    if (channel.is_si && channel.step_s > 0.0)
        json["measures"] = measures_json(ground_motion::measures_of(channel.samples, channel.step_s));
    json["notes"] = channel.notes;
    return json;
}

}  // namespace

ground_motion::Spectrum record_spectrum(const Experiment& experiment) {
    const RecordAccount* account = experiment.excitation.record.get();
    if (account == nullptr || !(account->used_step_s > 0.0)) return {};
    return ground_motion::spectrum_of(account->used_m_s2, account->used_step_s);
}

std::string record_text(const Experiment& experiment) {
    const RecordAccount* account = experiment.excitation.record.get();
    if (account == nullptr) return {};
    const ground_motion::Peak peak = ground_motion::peak_of(account->read_m_s2);
    const bool is_si = account->unit != "any";  // else as in the file: only the displacement beside it tells the unit
    std::string shown = line("record", fmt::format("{} ({}){}{}", account->file, account->format,
                                                   account->station.empty() ? "" : ", " + account->station,
                                                   account->event.empty() ? "" : ", " + account->event));
    shown += line("  channel", account->channel + (account->component.empty() ? "" : ", " + account->component));
    shown += line("  samples",
                  samples_text(account->read_m_s2.size(), account->step_s, account->unit, account->step_s == 0.0));
    shown += line("  peak read",
                  fmt::format("{:.6g} {}{}; {}", peak.value, is_si ? "m/s2" : "in the file's own unit",
                              account->step_s > 0.0 ? fmt::format(" at {:.6g} s", time_of(account->step_s, peak.index))
                                                    : std::string(),
                              printed_text(account->printed_peak)));
    for (const std::string& note : account->notes) shown += line("  note", note);
    if (account->step_s > 0.0 && is_si)
        shown += line("  as read", measures_text(ground_motion::measures_of(account->read_m_s2, account->step_s)));
    for (const std::string& prototype : prototypes(experiment, *account)) shown += line("  prototype", prototype);
    if (account->used_step_s > 0.0 && !account->corrections.empty())
        shown += line("  as used", measures_text(ground_motion::measures_of(account->used_m_s2, account->used_step_s)));
    return shown + spectrum_text(record_spectrum(experiment));
}

Json record_json(const Experiment& experiment) {
    const RecordAccount* account = experiment.excitation.record.get();
    return account == nullptr ? Json(nullptr) : account_json(experiment, *account);
}

LookedAt look_at(const std::filesystem::path& file, const ground_motion::Stated& stated) {
    LookedAt looked{file.string(), {}, {}};
    try {
        looked.record = ground_motion::read_record(file, "auto", stated);
        for (const Channel& channel : looked.record.channels) ground_motion::require_usable(looked.record, channel);
    } catch (const files::InputError& error) {
        looked.refused = error.what();
    }
    return looked;
}

std::string looked_at_text(const std::vector<LookedAt>& files) {
    std::string shown;
    for (const LookedAt& looked : files) {
        shown += one_line(looked.file) + "\n";
        if (!looked.record.channels.empty()) shown += line("format", looked.record.format);
        if (!looked.record.station.empty()) shown += line("station", looked.record.station);
        if (!looked.record.event.empty()) shown += line("event", looked.record.event);
        for (const std::string& note : looked.record.notes) shown += line("note", note);
        for (const Channel& channel : looked.record.channels) shown += channel_text(channel);
        if (!looked.refused.empty()) shown += line("REFUSED", looked.refused);
    }
    return shown;
}

std::string looked_at_json(const std::vector<LookedAt>& files) {
    Json json{{"schema", "topple.records/1"}, {"records", Json::array()}};
    for (const LookedAt& looked : files) {
        Json one{{"file", looked.file}, {"read", looked.refused.empty()}};
        one["refused"] = looked.refused.empty() ? Json(nullptr) : Json(looked.refused);
        if (!looked.record.channels.empty()) {
            one["format"] = looked.record.format;
            one["station"] = looked.record.station;
            one["event"] = looked.record.event;
            one["notes"] = looked.record.notes;
            one["channels"] = Json::array();
            for (const Channel& channel : looked.record.channels) one["channels"].push_back(channel_json(channel));
        }
        json["records"].push_back(std::move(one));
    }
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace topple::hil::plan
