// Values of a MATLAB file: numbers, texts, cells and structures, made of libmatio's variables.
#pragma once

#include <matio.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

namespace topple::hil::exports {

struct FreeMatValue {
    void operator()(matvar_t* value) const { Mat_VarFree(value); }
};
/// A value owns what is in it. Everything below throws OutputError if memory is short.
using MatValue = std::unique_ptr<matvar_t, FreeMatValue>;

MatValue mat_reals(const std::vector<double>& values);  ///< a column of doubles
/// A column of doubles, so that it can be computed with; of int64 where a double does not hold every value.
MatValue mat_wholes(const std::vector<std::int64_t>& values);
MatValue mat_text(const std::string& utf8);          ///< a row of char; what is no UTF-8 becomes '?'
MatValue mat_cells(std::vector<MatValue> elements);  ///< a column of cells
/// An object becomes a structure, an array of numbers a column (null: NaN), any other array cells, null [].
MatValue mat_of_json(const nlohmann::ordered_json& json);

/// Are both the same to the last bit, with everything that is in them?
bool is_same(const matvar_t& a, const matvar_t& b);

/// The fields of a structure, one after the other.
class MatFields {
  public:
    /// The name is made one that MATLAB allows, and one of its own: letters, digits and _, a letter first, 63 at most.
    void add(const std::string& name, MatValue value);
    bool empty() const noexcept { return names_.empty(); }
    MatValue take(const char* name = nullptr);  ///< the structure; of no fields []

  private:
    std::vector<std::string> names_;
    std::set<std::string> taken_;
    std::vector<MatValue> values_;
};

}  // namespace topple::hil::exports
