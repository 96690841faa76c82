// Bracketed root of a scalar function, without derivatives.
//
// Method: T. R. Chandrupatla (1997), Advances in Engineering Software 28: inverse quadratic interpolation
// where it is safe, bisection elsewhere. Stops when the bracket is narrower than 2 (abscissa_tolerance +
// 2^-52 |x|) or after 100 evaluations (bisection alone needs about 60 from any bracket). Units are those of
// the caller.
#pragma once

#include <cmath>
#include <limits>

namespace topple::solver {

/// Ends of the final bracket: the root lies between; `before` is on the side of the first end given.
struct RootBracket {
    double before = 0.0, after = 0.0;
};

/// Root of f between `first` and `last`; f must differ in sign there (an exact zero counts as either sign).
template <class Function>
RootBracket find_root(Function&& f, double first, double last, double f_first, double f_last,
                      double abscissa_tolerance) {
    double b = first, a = last, c = first, fb = f_first, fa = f_last, fc = f_first;
    double t = 0.5;
    const bool first_positive = f_first > 0.0;
    for (int evaluation = 0; evaluation < 100; ++evaluation) {
        const double x = a + t * (b - a);
        const double fx = f(x);
        if ((fx > 0.0) == (fa > 0.0)) {
            c = a;
            fc = fa;
        } else {
            c = b;
            fc = fb;
            b = a;
            fb = fa;
        }
        a = x;
        fa = fx;
        const double best = std::abs(fa) < std::abs(fb) ? a : b;
        const double limit = abscissa_tolerance + std::numeric_limits<double>::epsilon() * std::abs(best);
        const double t_limit = limit / std::abs(b - a);
        if (t_limit > 0.5 || fa == 0.0) break;
        const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
        const bool quadratic = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
        t = quadratic ? fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb) : 0.5;
        t = std::fmin(1.0 - t_limit, std::fmax(t_limit, t));
    }
    if (fa == 0.0) return {a, a};
    return (fa > 0.0) == first_positive ? RootBracket{a, b} : RootBracket{b, a};
}

}  // namespace topple::solver
