// The numbers that outcomes can teach, and those that are drawn anew for each test: one list.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/study/uncertainty.hpp"

namespace topple::hil::outcome_fit {

/// What a parameter is in one fit.
enum class Role {
    fixed,     ///< no spread
    learned,   ///< the same in all tests of a specimen
    varied,    ///< the same in all tests and unknown, but what the fit writes has no place for it
    per_test,  ///< drawn anew for each test
};

struct FitParameter {
    std::string key;   ///< of --parameters, and its column in a members table
    std::string unit;  ///< of what is added; empty: a factor
    solver::Distribution prior;
    /// The one that a learned file's [posterior] has, with its correlation; empty: the members table alone has it.
    std::optional<solver::SpecimenParameter> kind;
    bool has_column = true;     ///< in a members table
    bool is_one_sided = false;  ///< the size of a draw about 0 counts
    bool is_of_motion = false;  ///< never the same in all tests
    void (*apply)(solver::MemberDraw&, std::size_t index, double value) = nullptr;  ///< value: factor, or added
    std::size_t index = 0;                                                          ///< side, face or block
    Role role = Role::fixed;

    bool is_factor() const noexcept { return unit.empty(); }
    /// Factor, or what is added, at a standard normal draw.
    double value(double standard) const noexcept {
        return is_factor() ? prior.factor(standard) : prior.offset(is_one_sided ? std::abs(standard) : standard);
    }
    double departure(double value) const noexcept { return is_factor() ? value - 1.0 : value; }
};

/// All parameters of a specimen.
class FitParameters {
  public:
    /// `learned`: keys that the tests are to teach, the same in all of them; every other one that `prior` leaves open
    /// is drawn anew for each test. Empty: all that belong to the specimen. Throws std::invalid_argument for a key that
    /// is not there, is fixed, or belongs to the motion.
    FitParameters(const solver::Uncertainty& prior, const solver::Specimen& specimen,
                  const std::vector<std::string>& learned);

    const std::vector<FitParameter>& all() const noexcept { return all_; }
    /// Indices into all(), in its order.
    const std::vector<std::size_t>& common() const noexcept { return common_; }      ///< columns of a draw
    const std::vector<std::size_t>& per_test() const noexcept { return per_test_; }  ///< columns of a test's own draw
    bool varies_specimen_per_test() const noexcept { return varies_specimen_per_test_; }

    /// Value of each of all() for independent standard normal numbers of both kinds.
    std::vector<double> values(std::span<const double> common, std::span<const double> per_test) const;
    solver::MemberDraw member(std::span<const double> values) const;

  private:
    void add(FitParameter parameter);
    void add_sizes(const solver::Specimen& specimen);
    void add_pose();
    void take_roles(const std::vector<std::string>& learned);

    solver::Uncertainty prior_;
    std::size_t feet_ = 1, faces_ = 0;
    std::vector<FitParameter> all_;
    std::vector<std::size_t> common_, per_test_;
    bool varies_specimen_per_test_ = false;
};

}  // namespace topple::hil::outcome_fit
