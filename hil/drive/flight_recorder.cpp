#include "hil/drive/flight_recorder.hpp"

#include <algorithm>

namespace topple::hil::drive {

FlightRecorder::FlightRecorder() : ring_(kRows), incidents_(kIncidentsMax) {
    for (FlightIncident& incident : incidents_) {
        incident.rows.resize(kRows);  // every page is in memory before the first incident
        incident.rows.clear();
    }
}

void FlightRecorder::add(const FlightRow& row) noexcept {
    ring_[next_] = row;
    next_ = (next_ + 1) % kRows;
    count_ = std::min(count_ + 1, kRows);
}

void FlightRecorder::keep(controller::StopReason reason) noexcept {
    if (incident_count_ == kIncidentsMax) return;
    FlightIncident& incident = incidents_[incident_count_++];
    incident.reason = reason;
    for (std::size_t i = 0; i < count_; ++i) incident.rows.push_back(ring_[(next_ + kRows - count_ + i) % kRows]);
    if (incident.rows.empty()) return;
    incident.fault_code = incident.rows.back().feedback.fault_code;
    incident.device_time_us = incident.rows.back().feedback.device_time_us;
}

}  // namespace topple::hil::drive
