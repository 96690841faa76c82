#include "hil/vendor_files/mat_file.hpp"

#include <fmt/format.h>
#include <matio.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/scratch_folder.hpp"

namespace topple::hil::vendor_files {
namespace {

constexpr std::size_t kHeader_bytes = 128;
constexpr std::size_t kNumbersMax = 20'000'000;
constexpr int kDepthMax = 4;  // of structures within structures

struct CloseMat {
    void operator()(mat_t* mat) const { Mat_Close(mat); }
};
struct FreeVariable {
    void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using OpenMat = std::unique_ptr<mat_t, CloseMat>;
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

std::size_t count_of(const matvar_t& variable) {
    double count = 1.0;
    for (int i = 0; i < variable.rank; ++i) count *= static_cast<double>(variable.dims[i]);
    return count > static_cast<double>(kNumbersMax) ? kNumbersMax + 1 : static_cast<std::size_t>(count);
}

/// Number `index` of a numeric variable; NaN for a class that holds none.
double number_at(const matvar_t& variable, std::size_t index) {
    const auto as = [&](auto type) {
        return static_cast<double>(static_cast<const decltype(type)*>(variable.data)[index]);
    };
    switch (variable.class_type) {
        case MAT_C_DOUBLE: return as(double{});
        case MAT_C_SINGLE: return as(float{});
        case MAT_C_INT8: return as(mat_int8_t{});
        case MAT_C_UINT8: return as(mat_uint8_t{});
        case MAT_C_INT16: return as(mat_int16_t{});
        case MAT_C_UINT16: return as(mat_uint16_t{});
        case MAT_C_INT32: return as(mat_int32_t{});
        case MAT_C_UINT32: return as(mat_uint32_t{});
        case MAT_C_INT64: return as(mat_int64_t{});
        case MAT_C_UINT64: return as(mat_uint64_t{});
        default: return std::nan("");
    }
}

bool is_numeric(const matvar_t& variable) {
    switch (variable.class_type) {
        case MAT_C_DOUBLE:
        case MAT_C_SINGLE:
        case MAT_C_INT8:
        case MAT_C_UINT8:
        case MAT_C_INT16:
        case MAT_C_UINT16:
        case MAT_C_INT32:
        case MAT_C_UINT32:
        case MAT_C_INT64:
        case MAT_C_UINT64: return true;
        default: return false;
    }
}

void add_column(RawTable& table, std::string name, std::vector<double> values) {
    if (table.columns.size() == kColumnsMax)
        throw files::InputError(fmt::format("{}: more than {} columns", table.file, kColumnsMax));
    table.names.push_back(std::move(name));
    table.units.emplace_back();
    table.columns.push_back(std::move(values));
}

/// A vector is one column; of a matrix the longer side is time.
void add_numbers(RawTable& table, const std::string& name, const matvar_t& variable) {
    const std::size_t rows = variable.dims[0], columns = variable.dims[1];
    const bool lies = columns > rows;
    const std::size_t length = lies ? columns : rows, series = lies ? rows : columns;
    for (std::size_t k = 0; k < series; ++k) {
        std::vector<double> values(length);
        for (std::size_t i = 0; i < length; ++i) values[i] = number_at(variable, lies ? k + i * rows : i + k * rows);
        add_column(table, series == 1 ? name : fmt::format(fmt::runtime(lies ? "{}({},:)" : "{}(:,{})"), name, k + 1),
                   std::move(values));
    }
}

void add_variable(RawTable& table, const std::string& name, const matvar_t* variable, int depth) {
    if (variable == nullptr) return;
    if (variable->class_type == MAT_C_STRUCT && depth < kDepthMax && count_of(*variable) == 1) {
        const unsigned fields = Mat_VarGetNumberOfFields(const_cast<matvar_t*>(variable));
        char* const* field_names = Mat_VarGetStructFieldnames(variable);
        for (unsigned i = 0; i < fields && field_names != nullptr; ++i)
            add_variable(table, fmt::format("{}.{}", name, field_names[i]),
                         Mat_VarGetStructFieldByIndex(const_cast<matvar_t*>(variable), i, 0), depth + 1);
        return;
    }
    const std::size_t count = count_of(*variable);
    if (count > kNumbersMax)
        throw files::InputError(fmt::format("{}: variable {} has more than {} numbers", table.file, name, kNumbersMax));
    if (!is_numeric(*variable) || variable->isComplex || variable->rank != 2 || count < 2 ||
        variable->data == nullptr) {
        table.notes.push_back(fmt::format("variable {} is no series of real numbers: left out", name));
        return;
    }
    add_numbers(table, name, *variable);
}

}  // namespace

bool is_mat_file(std::string_view bytes) noexcept {
    return bytes.size() >= kHeader_bytes &&
           (bytes.starts_with("MATLAB 5.0 MAT-file") || bytes.starts_with("MATLAB 7.3 MAT-file"));
}

RawTable read_mat_file(const std::filesystem::path& file) {
    RawTable table;
    table.file = file.string();
    table.format = "MATLAB v5";
    const OpenMat mat(Mat_Open(file.c_str(), MAT_ACC_RDONLY));
    if (!mat) throw files::InputError(fmt::format("{}: looks like a MATLAB file, but cannot be read", table.file));
    if (Mat_GetVersion(mat.get()) == MAT_FT_MAT73)
        throw files::InputError(
            fmt::format("{}: a MATLAB file of version 7.3 (HDF5): save it by save(..., \"-v7\")", table.file));
    while (const Variable info{Mat_VarReadNextInfo(mat.get())}) {
        const std::string name = info->name == nullptr ? "(no name)" : info->name;
        if (info->class_type != MAT_C_STRUCT && count_of(*info) > kNumbersMax)
            throw files::InputError(
                fmt::format("{}: variable {} has more than {} numbers", table.file, name, kNumbersMax));
        const Variable variable(Mat_VarRead(mat.get(), name.c_str()));
        if (!variable) throw files::InputError(fmt::format("{}: variable {} is damaged", table.file, name));
        add_variable(table, name, variable.get(), 0);
    }
    if (table.columns.empty())
        throw files::InputError(fmt::format("{}: no variable with a series of real numbers", table.file));
    return table;
}

void write_mat_file(const std::filesystem::path& file, const std::vector<MatVariable>& variables,
                    files::Overwrite overwrite) {
    const files::ScratchFolder folder;  // libmatio writes by name
    const std::filesystem::path draft = folder.path() / "draft.mat";
    {
        const OpenMat mat(Mat_CreateVer(draft.c_str(), nullptr, MAT_FT_MAT5));
        if (!mat) throw files::OutputError(fmt::format("{}: cannot be created", draft.string()));
        for (const MatVariable& variable : variables) {
            std::size_t dims[2] = {variable.values.size(), 1};
            const Variable made(Mat_VarCreate(variable.name.c_str(), MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims,
                                              const_cast<double*>(variable.values.data()), MAT_F_DONT_COPY_DATA));
            if (!made || Mat_VarWrite(mat.get(), made.get(), MAT_COMPRESSION_ZLIB) != 0)
                throw files::OutputError(
                    fmt::format("{}: variable {} cannot be written", file.string(), variable.name));
        }
    }
    files::write_file(file, files::read_text_file(draft), overwrite);
}

}  // namespace topple::hil::vendor_files
