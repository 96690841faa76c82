// An axis of a map that is a number of the experiment file, or one that follows from several.
#pragma once

#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/experiment/varied_text.hpp"
#include "hil/study/map_grid.hpp"

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
    double own(const KeyAxis& axis) const;

  private:
    using Changes = std::vector<experiment::VariedText::Change>;
    bool is_shape(const KeyAxis& axis) const;
    void reshape(const KeyAxis& axis, double value, solver::Block& shape) const;
    void change(const KeyAxis& axis, double value, const solver::Block& shape, Changes& changes) const;
    double unit_of_amplitude(const std::string& key) const;
    std::string amplitude_key() const;
    std::string frequency_key() const;

    experiment::VariedText text_;
    double gravity_m_s2_;
    solver::Block shape_;  ///< of the first specimen; a stack's of its total height
    KeyAxis x_, y_;
};

}  // namespace topple::hil::study
