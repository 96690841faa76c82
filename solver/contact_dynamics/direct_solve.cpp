#include "solver/contact_dynamics/direct_solve.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver::contact {
namespace {

/// Added to the diagonal, relative: gives impulses that nothing determines a value. The iteration that follows removes
/// the error in all others.
constexpr double kProximal = 1e-9;
constexpr int kRefinements = 2;

/// A direction of a contact: its vector and its moment arms.
struct Line {
    Vec2 direction;
    double lower_arm, upper_arm;
};

Line line_of(const Contact& c, double n, double t) noexcept {
    return {n * c.normal + t * c.tangent, n * c.lower_arm_n + t * c.lower_arm_t, n * c.upper_arm_n + t * c.upper_arm_t};
}

double through(const Body& body, const Line& a, double arm_a, const Line& b, double arm_b) noexcept {
    return body.inverse_mass_1_kg * dot(a.direction, b.direction) + body.inverse_inertia_1_kg_m2 * arm_a * arm_b;
}

}  // namespace

void DirectSolve::make_room(std::size_t contacts_max) {
    unknowns_.reserve(2 * contacts_max);
    first_.resize(2 * contacts_max);
    last_.resize(2 * contacts_max);
    matrix_.resize(2 * contacts_max);
    right_.resize(2 * contacts_max);
}

void DirectSolve::assemble(const std::vector<Contact>& contacts, const std::vector<Body>& bodies,
                           const GivingBase& base) noexcept {
    const int count = static_cast<int>(unknowns_.size());
    const auto contact_of = [&](int i) -> const Contact& {
        return contacts[static_cast<std::size_t>(unknowns_[static_cast<std::size_t>(i)].contact)];
    };
    int first = 0, last = 0;
    for (int i = 0; i < count; ++i) {
        const Contact& a = contact_of(i);
        while (contact_of(first).lower < a.lower - 1) ++first;
        last = std::max(last, i);
        while (last + 1 < count && contact_of(last + 1).lower <= a.lower + 1) ++last;
        first_[static_cast<std::size_t>(i)] = first;
        last_[static_cast<std::size_t>(i)] = last;
        const Unknown& row = unknowns_[static_cast<std::size_t>(i)];
        const Line ra = line_of(a, row.row_n, row.row_t);
        const Body &lower = bodies[static_cast<std::size_t>(a.lower)],
                   &upper = bodies[static_cast<std::size_t>(a.upper)];
        for (int j = first; j <= last; ++j) {
            const Contact& b = contact_of(j);
            const Unknown& column = unknowns_[static_cast<std::size_t>(j)];
            const Line lb = line_of(b, column.n, column.t);
            at(i, j) = b.lower == a.lower ? through(lower, ra, ra.lower_arm, lb, lb.lower_arm) +
                                                through(upper, ra, ra.upper_arm, lb, lb.upper_arm)
                       : b.lower == a.upper ? -through(upper, ra, ra.upper_arm, lb, lb.lower_arm)
                                            : -through(lower, ra, ra.lower_arm, lb, lb.upper_arm);
        }
        if (base.is_on && a.lower == 0)
            for (int j = first; j <= last && contact_of(j).lower == 0; ++j) {
                const auto& give =
                    base.give[static_cast<std::size_t>(a.slot)][static_cast<std::size_t>(contact_of(j).slot)];
                const Unknown& column = unknowns_[static_cast<std::size_t>(j)];
                at(i, j) += row.row_n * (give[0] * column.n + give[1] * column.t) +
                            row.row_t * (give[2] * column.n + give[3] * column.t);
            }
        at(i, i) += kProximal * (a.wnn + a.wtt);
    }
}

/// Without exchange of rows: for sticking contacts the matrix is symmetric and positive, slip makes it slightly skew.
bool DirectSolve::eliminate() noexcept {
    const int count = static_cast<int>(unknowns_.size());
    for (int k = 0; k < count; ++k) {
        const double pivot = at(k, k);
        if (!(std::abs(pivot) > 1e-300)) return false;
        for (int i = k + 1; i < count && first_[static_cast<std::size_t>(i)] <= k; ++i) {
            const double factor = at(i, k) / pivot;
            at(i, k) = factor;
            if (factor == 0.0) continue;
            for (int j = k + 1; j <= last_[static_cast<std::size_t>(k)]; ++j) at(i, j) -= factor * at(k, j);
        }
    }
    return true;
}

void DirectSolve::solve() noexcept {
    const int count = static_cast<int>(unknowns_.size());
    for (int i = 0; i < count; ++i)
        for (int j = first_[static_cast<std::size_t>(i)]; j < i; ++j)
            right_[static_cast<std::size_t>(i)] -= at(i, j) * right_[static_cast<std::size_t>(j)];
    for (int i = count - 1; i >= 0; --i) {
        double value = right_[static_cast<std::size_t>(i)];
        for (int j = i + 1; j <= last_[static_cast<std::size_t>(i)]; ++j)
            value -= at(i, j) * right_[static_cast<std::size_t>(j)];
        right_[static_cast<std::size_t>(i)] = value / at(i, i);
    }
}

bool DirectSolve::correct(std::vector<Contact>& contacts, std::vector<Body>& bodies, GivingBase& base) noexcept {
    unknowns_.clear();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const Mode& mode = contacts[i].mode;
        const int index = static_cast<int>(i);
        if (mode.kind == Mode::Kind::slip) unknowns_.push_back({index, 1.0, 0.0, mode.n, mode.t});
        if (mode.kind != Mode::Kind::stick) continue;
        unknowns_.push_back({index, 1.0, 0.0, 1.0, 0.0});
        unknowns_.push_back({index, 0.0, 1.0, 0.0, 1.0});
    }
    if (unknowns_.empty()) return false;
    assemble(contacts, bodies, base);
    if (!eliminate()) return false;
    for (Contact& c : contacts)
        if (c.mode.kind == Mode::Kind::open && (c.impulse.n != 0.0 || c.impulse.t != 0.0)) {
            apply(c, {-c.impulse.n, -c.impulse.t}, bodies, base);
            c.impulse = {};
        }
    for (int pass = 0; pass < kRefinements; ++pass) {
        for (std::size_t i = 0; i < unknowns_.size(); ++i) {
            const Contact& c = contacts[static_cast<std::size_t>(unknowns_[i].contact)];
            const Local u = relative_velocity(c, bodies, base);
            right_[i] = -(unknowns_[i].row_n * (u.n + c.rebound_m_s) + unknowns_[i].row_t * u.t);
        }
        solve();
        for (std::size_t i = 0; i < unknowns_.size(); ++i) {
            Contact& c = contacts[static_cast<std::size_t>(unknowns_[i].contact)];
            const Local by{right_[i] * unknowns_[i].n, right_[i] * unknowns_[i].t};
            c.impulse = {c.impulse.n + by.n, c.impulse.t + by.t};
            apply(c, by, bodies, base);
        }
    }
    return true;
}

}  // namespace topple::solver::contact
