// What each figure shows, in words and numbers, for those who do not see it.
#pragma once

#include <string>

#include "hil/compare/conclusion.hpp"

namespace topple::hil::report {

std::string motion_alt(const compare::Conclusion& conclusion);
std::string axes_alt(const compare::Conclusion& conclusion);
std::string tracking_alt(const compare::Conclusion& conclusion);
std::string rotation_alt(const compare::SpecimenConclusion& specimen, const std::string& of, double start_s,
                         double end_s);
std::string phase_alt(const std::string& of, double rotation_rad, double rate_rad_s);
std::string bodies_alt(const compare::Conclusion& conclusion);
std::string timing_alt(const compare::TimingStatistics& timing);

}  // namespace topple::hil::report
