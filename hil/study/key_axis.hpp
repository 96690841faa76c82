// An axis of a map that is a number of the experiment file, or one that follows from several.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/experiment/varied_text.hpp"
#include "hil/study/map_grid.hpp"
#include "solver/lanes/outcomes_in_lanes.hpp"

namespace topple::hil::study {

/// How a quantity is written.
struct AxisSymbol {
    std::string plain;   ///< in text and files: "BD", "mu", "p ta"
    std::string figure;  ///< enhanced text of gnuplot
    std::string unit;    ///< "m", "m/s2"; empty without dimension
};

struct KeyAxis {
    std::string key;  ///< "section.key" of the file, or one of derived_axes()
    GridAxis grid;
    AxisSymbol symbol;

    std::string column() const { return key + " [" + symbol.plain + "]"; }  ///< name in map.csv
    std::string label() const;                                              ///< of the figure: key, symbol and unit
};

/// Quantities that are no key of a file, with what they are, for messages and --help.
struct DerivedAxis {
    std::string name, text;
};
const std::vector<DerivedAxis>& derived_axes();

/// "KEY=LO:HI:N". Throws InputError naming `option`, the text and what is allowed. Whether the experiment has the key
/// is not looked at.
KeyAxis parse_key_axis(const std::string& option, const std::string& text);

/// Numbers of an experiment that are set by name: keys of its file and derived_axes().
class KeyNumbers {
  public:
    struct Number {
        std::string key;
        double value = 0.0;
    };

    explicit KeyNumbers(const experiment::Experiment& experiment);

    /// Of the experiment as it is written. Throws InputError if it has no such number.
    double own(const std::string& key) const;
    /// The file's text with these numbers, of which no two may set the same. Throws InputError as own().
    std::string text_with(std::span<const Number> numbers) const;
    /// Is it a derived axis of the shape of a block?
    static bool is_shape(const std::string& key);
    /// Throws InputError if `key` is of the shape of a single block, which the file does not have.
    void require_shape(const std::string& key) const;

  private:
    using Changes = std::vector<experiment::VariedText::Change>;
    void reshape(const Number& number, solver::Block& shape) const;
    solver::SpecimenScale scale(const solver::Block& shape) const;
    void change(const Number& number, const solver::Block& shape, Changes& changes) const;
    double unit_of_amplitude(const std::string& key) const;
    std::string amplitude_key() const;
    std::string frequency_key() const;

    experiment::VariedText text_;
    std::string file_;
    double gravity_m_s2_;
    solver::Block shape_;                            ///< of the first specimen; a stack's of its total height
    std::optional<solver::SpecimenScale> standing_;  ///< of a body given by pivots or a foot, instead of its shape's
    bool is_single_;                                 ///< a single block with width_m and height_m
};

/// What the axes vary of one experiment.
class KeyAxes {
  public:
    /// Throws InputError if the file does not have what an axis varies, or both axes vary the same.
    KeyAxes(const experiment::Experiment& experiment, KeyAxis x, KeyAxis y);

    const KeyAxis& x() const noexcept { return x_; }
    const KeyAxis& y() const noexcept { return y_; }
    /// The file's text with the numbers of this point.
    std::string text_at(double x, double y) const;
    /// Of the experiment as it is written.
    double own(const KeyAxis& axis) const { return numbers_.own(axis.key); }

  private:
    KeyNumbers numbers_;
    KeyAxis x_, y_;
};

}  // namespace topple::hil::study
