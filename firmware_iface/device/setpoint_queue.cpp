#include "firmware_iface/device/setpoint_queue.hpp"

namespace topple::firmware_iface {

namespace {

double seconds(std::uint64_t from_us, std::uint64_t to_us) noexcept {
    return static_cast<double>(to_us - from_us) * 1e-6;
}

AxisSetpoint at_rest(const AxisSetpoint& state) noexcept { return {state.position_m, 0.0, 0.0}; }

}  // namespace

AxisSetpoint interpolate(const AxisSetpoint& from, const AxisSetpoint& to, double duration_s,
                         double elapsed_s) noexcept {
    // x = x0 + v0 t + a0 t^2/2 + t^3 (c3 + c4 t + c5 t^2); the three c follow from the end state minus what the
    // parabola through the start gives there, in the dimensionless time s = t / h.
    const double h = duration_s, s = elapsed_s / h;
    const double dx = to.position_m - (from.position_m + h * (from.velocity_m_s + 0.5 * h * from.acceleration_m_s2));
    const double dv = h * (to.velocity_m_s - (from.velocity_m_s + h * from.acceleration_m_s2));
    const double da = h * h * (to.acceleration_m_s2 - from.acceleration_m_s2);
    const double c3 = 10.0 * dx - 4.0 * dv + 0.5 * da;
    const double c4 = -15.0 * dx + 7.0 * dv - da;
    const double c5 = 6.0 * dx - 3.0 * dv + 0.5 * da;
    const double t = elapsed_s;
    return {from.position_m + t * (from.velocity_m_s + 0.5 * t * from.acceleration_m_s2) +
                s * s * s * (c3 + s * (c4 + s * c5)),
            from.velocity_m_s + t * from.acceleration_m_s2 + s * s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)) / h,
            from.acceleration_m_s2 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5)) / (h * h)};
}

SetpointQueue::Push SetpointQueue::push(const Knot& knot) noexcept {
    if (size_ == ring_.size()) return Push::overflow;
    if (knot.final && std::abs(knot.state.velocity_m_s) > kJumpTolerance_m_s) return Push::jump;
    if (size_ > 0) {
        const Knot& last = at(size_ - 1);
        if (last.final || knot.time_us < last.time_us) return Push::wrong_time;
        if (knot.time_us == last.time_us) {
            if (size_ > 1 && at(size_ - 2).time_us == knot.time_us) return Push::wrong_time;
            if (std::abs(knot.state.position_m - last.state.position_m) > kJumpTolerance_m ||
                std::abs(knot.state.velocity_m_s - last.state.velocity_m_s) > kJumpTolerance_m_s)
                return Push::jump;
        }
    }
    ring_[(first_ + size_) % ring_.size()] = knot;
    ++size_;
    return Push::accepted;
}

void SetpointQueue::clear() noexcept { first_ = size_ = 0; }

void SetpointQueue::pop() noexcept {
    first_ = (first_ + 1) % ring_.size();
    --size_;
}

SetpointQueue::Reading SetpointQueue::evaluate(std::uint64_t time_us) noexcept {
    if (size_ == 0) return {};
    if (time_us < at(0).time_us) return {Status::waiting, at_rest(at(0).state), time_us};
    while (size_ > 1 && at(1).time_us <= time_us) pop();
    const Knot& from = at(0);
    if (from.final) return {Status::done, at_rest(from.state), time_us};
    if (size_ == 1) {
        const auto status = time_us > from.time_us ? Status::underrun : Status::moving;
        return {status, from.state, from.time_us};
    }
    const Knot& to = at(1);
    return {Status::moving,
            interpolate(from.state, to.state, seconds(from.time_us, to.time_us), seconds(from.time_us, time_us)),
            time_us};
}

std::size_t SetpointQueue::level(std::uint64_t time_us) const noexcept {
    std::size_t over = 0;
    while (over < size_ && at(over).time_us <= time_us) ++over;  // at most two after evaluate(time_us)
    return size_ - over;
}

}  // namespace topple::firmware_iface
