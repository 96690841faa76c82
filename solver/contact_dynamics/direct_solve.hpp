// All contacts of a step at once, each held to what it does at present: the linear system that the iteration
// approaches.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/contact_dynamics/contact_search.hpp"

namespace topple::solver::contact {

/// Finds the impulses with which every sticking contact keeps its relative velocity at rest and every sliding one its
/// normal velocity, while open ones carry nothing. Band matrix along the stack, one elimination.
class DirectSolve {
  public:
    /// For so many contacts; from then on solving takes no memory.
    void make_room(std::size_t contacts_max);

    /// Corrects impulses and the bodies' velocities. Contacts are in the order of find_contacts(), their modes those of
    /// solve_alone(). Impulses that are not determined (of two sticking corners of a face only the sum along it is)
    /// stay near what they were. False: no unknowns, or singular beyond that; nothing is changed.
    bool correct(std::vector<Contact>& contacts, std::vector<Body>& bodies, GivingBase& base) noexcept;

  private:
    static constexpr int kBand = 2 * kSlotsPerInterface * 2;
    struct Unknown {
        int contact;
        double row_n, row_t;  // of the velocity that shall vanish
        double n, t;          // of the impulse per unit of the unknown
    };
    double& at(int row, int column) noexcept {
        return matrix_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column - row + kBand)];
    }
    void assemble(const std::vector<Contact>& contacts, const std::vector<Body>& bodies,
                  const GivingBase& base) noexcept;
    bool eliminate() noexcept;
    void solve() noexcept;

    std::vector<Unknown> unknowns_;
    std::vector<int> first_, last_;  // columns in use of each row
    std::vector<std::array<double, 2 * kBand + 1>> matrix_;
    std::vector<double> right_;
};

}  // namespace topple::solver::contact
