#include "hil/sim_table/plant.hpp"

namespace topple::hil::sim_table {
namespace {

using firmware_iface::DriveCommand;

constexpr Motion kNoMotion{};

/// Of both axes: what follows the platen (kg), as a symmetric matrix, and what pushes it.
struct Balance {
    double xx = 0.0, xy = 0.0, yy = 0.0;
    std::array<double, 2> impulse_n_s{};

    void add(double kg, double along_x, double along_y) noexcept {
        xx += along_x * along_x * kg;
        xy += along_x * along_y * kg;
        yy += along_y * along_y * kg;
    }
    /// Change of the velocities.
    std::array<double, 2> solve(std::size_t axes) const noexcept {
        if (axes == 1) return {impulse_n_s[0] / xx, 0.0};
        const double determinant = xx * yy - xy * xy;
        return {(yy * impulse_n_s[0] - xy * impulse_n_s[1]) / determinant,
                (xx * impulse_n_s[1] - xy * impulse_n_s[0]) / determinant};
    }
};

DriveCommand command_of(const DriveCommand& command, std::size_t axis) noexcept {
    DriveCommand own = command;
    if (axis == 0) return own;
    own.setpoint = command.y.setpoint;
    own.force_n = command.y.force_n;
    return own;
}

}  // namespace

Plant::Plant(const Carriage& x, std::vector<CarriedSpecimen> specimens, const std::optional<Carriage>& y)
    : carriages_{x}, specimens_(std::move(specimens)) {
    if (y) carriages_.push_back(*y);
}

void Plant::stand_specimens_up() {
    for (CarriedSpecimen& specimen : specimens_) specimen.stand_up();
}

// 0 where nothing moves across the plane.
double Plant::across_kg(const CarriedSpecimen& specimen) const noexcept {
    return carriages_.size() > 1 || specimen.plane()[1] != 0.0 ? specimen.standing_mass_kg() : 0.0;
}

// In its plane a specimen reacts by its equations, across it like a mass that is fixed to the platen.
std::array<SpecimenLoad, 2> Plant::load() const noexcept {
    std::array<SpecimenLoad, 2> load{};
    for (const CarriedSpecimen& specimen : specimens_) {
        const auto one = specimen.load();
        const auto [c, s] = specimen.plane();
        const double across_kg = this->across_kg(specimen), tie_kg = c * s * (across_kg + one.slope_kg);
        load[0].force_n += c * one.force_n + tie_kg * acceleration_m_s2_[1];
        load[1].force_n += s * one.force_n + tie_kg * acceleration_m_s2_[0];
        load[0].mass_kg += s * s * across_kg - c * c * one.slope_kg;
        load[1].mass_kg += c * c * across_kg - s * s * one.slope_kg;
    }
    return load;
}

void Plant::step(std::uint64_t now_us, std::uint32_t step_us, const DriveCommand& command, double encoder_zero_m,
                 double encoder_zero_y_m) noexcept {
    const double dt = 1e-6 * step_us;
    const auto load = this->load();
    Balance balance;
    PerAxis before{}, felt_m_s2{};
    for (std::size_t i = 0; i < carriages_.size(); ++i) {
        before[i] = seat_velocity_m_s(i);
        const SeatStep seat = std::visit(
            [&](auto& carriage) {
                return carriage.step(command_of(command, i), i == 0 ? encoder_zero_m : encoder_zero_y_m, load[i], dt);
            },
            carriages_[i]);
        acceleration_m_s2_[i] = seat.acceleration_m_s2;
        felt_m_s2[i] = seat.acceleration_m_s2 + unfelt_m_s_[i] / dt;
        (i == 0 ? balance.xx : balance.yy) += seat.mass_kg;
        balance.impulse_n_s[i] = seat.impulse_n_s;
    }

    const bool let_go = command.release_specimen && !release_seen_;  // once per motion that asks for it
    release_seen_ = command.release_specimen;
    for (CarriedSpecimen& specimen : specimens_) {
        double duration = dt;
        if (let_go && specimen.held()) {
            specimen.release();
            if (command.start_time_us <= now_us) duration += 1e-6 * static_cast<double>(now_us - command.start_time_us);
        }
        const auto [c, s] = specimen.plane();
        const double across_kg = this->across_kg(specimen);
        const auto exchange = specimen.advance(c * felt_m_s2[0] + s * felt_m_s2[1], duration);
        balance.add(exchange.attached_mass_kg, c, s);
        balance.add(across_kg, -s, c);
        balance.impulse_n_s[0] += c * exchange.impulse_n_s;
        balance.impulse_n_s[1] += s * exchange.impulse_n_s;
    }
    const PerAxis change = balance.solve(carriages_.size());
    for (std::size_t i = 0; i < carriages_.size(); ++i) {
        const double after = before[i] + change[i];
        unfelt_m_s_[i] = after - before[i] - acceleration_m_s2_[i] * dt;
        std::visit([&](auto& carriage) { carriage.settle(after, dt); }, carriages_[i]);
    }
}

const Motion& Plant::platen(std::size_t axis) const noexcept {
    if (axis >= carriages_.size()) return kNoMotion;
    return std::visit([](const auto& carriage) -> const Motion& { return carriage.platen(); }, carriages_[axis]);
}

double Plant::seat_velocity_m_s(std::size_t axis) const noexcept {
    if (axis >= carriages_.size()) return 0.0;
    return std::visit([](const auto& carriage) { return carriage.seat().velocity_m_s; }, carriages_[axis]);
}

double Plant::encoder_position_m(std::size_t axis) const noexcept {
    if (axis >= carriages_.size()) return 0.0;
    return std::visit([](const auto& carriage) { return carriage.motor().position_m; }, carriages_[axis]);
}

double Plant::drive_force_n() const noexcept {
    return std::visit([](const auto& carriage) { return carriage.drive_force_n(); }, carriages_[0]);
}

void Plant::set_force_ratio(double ratio) noexcept {
    for (Carriage& one : carriages_) std::visit([&](auto& carriage) { carriage.set_force_ratio(ratio); }, one);
}

void Plant::push(double velocity_m_s) noexcept {
    std::visit([&](auto& carriage) { carriage.push(velocity_m_s); }, carriages_[0]);
    unfelt_m_s_[0] += velocity_m_s;
}

double Plant::horizontal_momentum_kg_m_s(std::size_t axis) const noexcept {
    if (axis >= carriages_.size()) return 0.0;
    const double seat_m_s = seat_velocity_m_s(axis);
    double momentum = std::visit([](const auto& carriage) { return carriage.momentum_kg_m_s(); }, carriages_[axis]);
    for (const CarriedSpecimen& specimen : specimens_)
        momentum +=
            specimen.standing_mass_kg() * seat_m_s + specimen.plane()[axis] * specimen.relative_momentum_kg_m_s();
    return momentum;
}

}  // namespace topple::hil::sim_table
