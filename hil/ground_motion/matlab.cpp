// MATLAB files of level 5 (save -v6, -v7), by libmatio: matrices with time and accelerations, or vectors.
#include <fmt/format.h>
#include <matio.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include "hil/files/errors.hpp"
#include "hil/ground_motion/column_choice.hpp"
#include "hil/ground_motion/formats.hpp"

namespace topple::hil::ground_motion {
namespace {

struct Closer {
    void operator()(mat_t* file) const { Mat_Close(file); }
    void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using File = std::unique_ptr<mat_t, Closer>;
using Variable = std::unique_ptr<matvar_t, Closer>;

/// A real matrix, its longer side downwards.
struct Matrix {
    std::string name;
    std::vector<std::vector<double>> columns;
};

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& why) {
    throw files::InputError(fmt::format("{}: {}", file.string(), why));
}

template <typename Number>
double value_at(const void* data, std::size_t index) {
    return static_cast<double>(static_cast<const Number*>(data)[index]);
}

using ValueAt = double (*)(const void*, std::size_t);

ValueAt reader_of(const matvar_t& variable) {
    switch (variable.class_type) {
        case MAT_C_DOUBLE: return value_at<double>;
        case MAT_C_SINGLE: return value_at<float>;
        case MAT_C_INT8: return value_at<mat_int8_t>;
        case MAT_C_UINT8: return value_at<mat_uint8_t>;
        case MAT_C_INT16: return value_at<mat_int16_t>;
        case MAT_C_UINT16: return value_at<mat_uint16_t>;
        case MAT_C_INT32: return value_at<mat_int32_t>;
        case MAT_C_UINT32: return value_at<mat_uint32_t>;
        default: return nullptr;
    }
}

/// Reads the data of a variable whose head is known; none for what is no real matrix or larger than what is left.
std::optional<Matrix> read_matrix(mat_t* file, matvar_t* variable, std::size_t& numbers_left) {
    const ValueAt value = reader_of(*variable);
    constexpr std::size_t kColumnsMax = 64;
    if (value == nullptr || variable->rank != 2 || variable->isComplex != 0 || variable->isLogical != 0)
        return std::nullopt;
    const std::size_t rows = variable->dims[0], columns = variable->dims[1];
    const std::size_t length = std::max(rows, columns), width = std::min(rows, columns);
    if (width == 0 || width > kColumnsMax || length > kSamplesMax || width * length > numbers_left) return std::nullopt;
    numbers_left -= width * length;
    if (Mat_VarReadDataAll(file, variable) != 0 || variable->data == nullptr) return std::nullopt;
    if (variable->nbytes < rows * columns * static_cast<std::size_t>(std::max(variable->data_size, 1)))
        return std::nullopt;
    Matrix matrix{variable->name == nullptr ? "" : variable->name, {}};
    matrix.columns.resize(width);
    for (std::size_t c = 0; c < width; ++c) {
        matrix.columns[c].reserve(length);
        for (std::size_t r = 0; r < length; ++r)
            matrix.columns[c].push_back(value(variable->data, rows >= columns ? c * rows + r : r * rows + c));
    }
    return matrix;
}

std::vector<Matrix> read_all(const std::filesystem::path& path, Record& record) {
    constexpr std::size_t kVariablesMax = 256;
    const File file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
    if (!file) fail(path, "cannot be opened as a MATLAB file: it is damaged");
    if (Mat_GetVersion(file.get()) != MAT_FT_MAT5)
        fail(path, "a MATLAB file of another level than 5: save it with -v7");
    std::vector<Matrix> matrices;
    std::size_t numbers_left = kNumbersMax;
    for (std::size_t i = 0; i < kVariablesMax; ++i) {
        const Variable variable(Mat_VarReadNextInfo(file.get()));
        if (!variable) break;
        const std::string name = variable->name == nullptr ? "?" : variable->name;
        if (auto matrix = read_matrix(file.get(), variable.get(), numbers_left))
            matrices.push_back(std::move(*matrix));
        else
            record.notes.push_back(fmt::format("variable {}: no real matrix of numbers, passed over", name));
    }
    return matrices;
}

bool is_scalar(const Matrix& matrix) { return matrix.columns.size() == 1 && matrix.columns.front().size() == 1; }

/// dt = 0.01 or fs = 100 beside the vectors.
std::optional<double> scalar_step_s(const std::vector<Matrix>& matrices) {
    for (const Matrix& matrix : matrices) {
        if (!is_scalar(matrix)) continue;
        const std::string name = lower(matrix.name);
        const double value = matrix.columns.front().front();
        if (!(value > 0.0) || !std::isfinite(value)) continue;
        if (name == "dt" || name == "ts" || name == "step" || name == "step_s" || name == "dt_s") return value;
        if (name == "fs" || name == "rate" || name == "rate_hz" || name == "fs_hz") return 1.0 / value;
    }
    return std::nullopt;
}

void require_finite(const TextLines& lines, const Matrix& matrix) {
    for (const std::vector<double>& column : matrix.columns)
        for (std::size_t i = 0; i < column.size(); ++i)
            if (!std::isfinite(column[i]))
                lines.fail(
                    fmt::format("variable {}, row {}: {} is not a finite number", matrix.name, i + 1, column[i]));
}

/// Vectors of one length with a vector of times beside them are columns of one table.
const Matrix* times_of(const std::vector<Matrix>& matrices, std::size_t length) {
    for (const Matrix& matrix : matrices)
        if (matrix.columns.size() == 1 && matrix.columns.front().size() == length &&
            seconds_per_unit_of_time(matrix.name))
            return &matrix;
    return nullptr;
}

/// All vectors of this length as one table, with their times first if there are any.
Columns vectors_of(const std::vector<Matrix>& matrices, std::size_t length, const std::optional<double>& step_s) {
    Columns columns;
    columns.has_names = true;
    const Matrix* times = times_of(matrices, length);
    if (times == nullptr) columns.step_s = step_s;
    const auto add = [&](const Matrix& matrix) {
        columns.names.push_back(matrix.name);
        columns.values.push_back(matrix.columns.front());
    };
    if (times != nullptr) add(*times);
    for (const Matrix& matrix : matrices)
        if (&matrix != times && matrix.columns.size() == 1 && matrix.columns.front().size() == length) add(matrix);
    return columns;
}

}  // namespace

Record read_matlab(const std::filesystem::path& file, const Stated& stated) {
    Record record{file.string(), "MATLAB", {}, {}, {}, {}};
    const TextLines nothing(file.string(), "");
    const std::vector<Matrix> matrices = read_all(file, record);
    const auto step_s = scalar_step_s(matrices);
    std::set<std::size_t> taken;  // lengths of the vectors that have been read
    for (const Matrix& matrix : matrices) {
        const std::size_t length = matrix.columns.front().size(), width = matrix.columns.size();
        if (is_scalar(matrix) || length < 2) continue;
        require_finite(nothing, matrix);
        Columns columns;
        columns.step_s = step_s;
        if (width == 1) {
            if (seconds_per_unit_of_time(matrix.name) || !taken.insert(length).second) continue;
            choose_columns(nothing, 0, vectors_of(matrices, length, step_s), stated, record);
            continue;
        }
        for (std::size_t c = 0; c < width; ++c) columns.names.push_back(fmt::format("{}:{}", matrix.name, c + 1));
        columns.values = matrix.columns;
        choose_columns(nothing, 0, std::move(columns), stated, record);
        if (width == 2 && record.channels.back().has_times() && record.channels.back().name.ends_with(":2")) {
            Channel& channel = record.channels.back();
            channel.name = matrix.name;
            if (const auto unit = unit_of_name(channel.name); unit && !channel.is_si) convert(channel, unit);
        }
    }
    if (record.channels.empty()) fail(file, "no variable of it is a vector or matrix of samples");
    return record;
}

}  // namespace topple::hil::ground_motion
