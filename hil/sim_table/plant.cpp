#include "hil/sim_table/plant.hpp"

namespace topple::hil::sim_table {

using firmware_iface::DriveCommand;

void Plant::stand_specimens_up() {
    for (CarriedSpecimen& specimen : specimens_) specimen.stand_up();
}

void Plant::step(std::uint64_t now_us, std::uint32_t step_us, const DriveCommand& command,
                 double encoder_zero_m) noexcept {
    const double dt = 1e-6 * step_us;
    SpecimenLoad load;
    for (const CarriedSpecimen& specimen : specimens_) {
        const auto one = specimen.load();
        load.force_n += one.force_n;
        load.mass_kg -= one.slope_kg;
    }
    const double before = seat_velocity_m_s();
    const SeatStep seat =
        std::visit([&](auto& carriage) { return carriage.step(command, encoder_zero_m, load, dt); }, carriage_);

    const bool let_go = command.release_specimen && !release_seen_;  // once per motion that asks for it
    release_seen_ = command.release_specimen;
    const double felt_m_s2 = seat.acceleration_m_s2 + unfelt_m_s_ / dt;
    double mass_kg = seat.mass_kg, impulse_n_s = seat.impulse_n_s;
    for (CarriedSpecimen& specimen : specimens_) {
        double duration = dt;
        if (let_go && specimen.held()) {
            specimen.release();
            if (command.start_time_us <= now_us) duration += 1e-6 * static_cast<double>(now_us - command.start_time_us);
        }
        const auto exchange = specimen.advance(felt_m_s2, duration);
        mass_kg += exchange.attached_mass_kg;
        impulse_n_s += exchange.impulse_n_s;
    }
    const double after = before + impulse_n_s / mass_kg;
    unfelt_m_s_ = after - before - seat.acceleration_m_s2 * dt;
    std::visit([&](auto& carriage) { carriage.settle(after, dt); }, carriage_);
}

const Motion& Plant::platen() const noexcept {
    return std::visit([](const auto& carriage) -> const Motion& { return carriage.platen(); }, carriage_);
}

double Plant::seat_velocity_m_s() const noexcept {
    return std::visit([](const auto& carriage) { return carriage.seat().velocity_m_s; }, carriage_);
}

double Plant::encoder_position_m() const noexcept {
    return std::visit([](const auto& carriage) { return carriage.motor().position_m; }, carriage_);
}

double Plant::drive_force_n() const noexcept {
    return std::visit([](const auto& carriage) { return carriage.drive_force_n(); }, carriage_);
}

void Plant::set_force_ratio(double ratio) noexcept {
    std::visit([&](auto& carriage) { carriage.set_force_ratio(ratio); }, carriage_);
}

void Plant::push(double velocity_m_s) noexcept {
    std::visit([&](auto& carriage) { carriage.push(velocity_m_s); }, carriage_);
    unfelt_m_s_ += velocity_m_s;
}

double Plant::horizontal_momentum_kg_m_s() const noexcept {
    const double seat_m_s = seat_velocity_m_s();
    double momentum = std::visit([](const auto& carriage) { return carriage.momentum_kg_m_s(); }, carriage_);
    for (const CarriedSpecimen& specimen : specimens_)
        momentum += specimen.standing_mass_kg() * seat_m_s + specimen.relative_momentum_kg_m_s();
    return momentum;
}

}  // namespace topple::hil::sim_table
