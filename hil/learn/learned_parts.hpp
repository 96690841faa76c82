// Parts of a learned file (topple.learned/1), whatever it was learned from.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "hil/learn/learning.hpp"

namespace topple::hil::learn {

/// `what`: what taught it, in words: "What runs taught of a specimen". `used_as`: kAsPrior, or the key of [uncertainty]
/// that takes it otherwise.
inline constexpr const char* kAsPrior = "prior = \"<this file>\"";
std::string head_part(const std::string& what, const std::string& used_as, bool is_informative,
                      const std::string& created_utc);
std::string specimen_part(const solver::Specimen& specimen);
std::string prior_part(const std::string& source, std::span<const LearnedParameter> parameters);
/// Logs and tables that are in the prior already.
std::string prior_data_part(const std::vector<std::string>& sha256);
/// `correlation`: of the parameters, in their order.
std::string posterior_part(std::span<const LearnedParameter> parameters, const Eigen::MatrixXd& correlation,
                           std::size_t draws, double effective);

std::string toml_number(double value);  ///< every digit

}  // namespace topple::hil::learn
