#include "hil/exports/mat_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "hil/files/errors.hpp"

namespace topple::hil::exports {
namespace {

constexpr std::size_t kNameMax = 63;                       // of MATLAB's names
constexpr std::int64_t kExactMax = std::int64_t{1} << 53;  // of whole numbers in a double
constexpr char16_t kReplacement = u'?';

MatValue made(matvar_t* value) {
    if (value == nullptr) throw files::OutputError("MATLAB file: no memory for its values");
    return MatValue(value);
}

/// libmatio copies the values.
MatValue column(matio_classes kind, matio_types type, std::size_t count, const void* values) {
    std::size_t dims[2] = {count, count == 0 ? std::size_t{0} : std::size_t{1}};
    return made(Mat_VarCreate(nullptr, kind, type, 2, dims, const_cast<void*>(values), 0));
}

/// Length of the sequence that begins with this byte; 0: none does.
std::size_t sequence_length(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first < 0xE0) return 2;
    if (first >= 0xE0 && first < 0xF0) return 3;
    return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

/// The code at `at`, which moves behind it; an unsound byte is a replacement.
char32_t next_code(const std::string& text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = sequence_length(byte(at));
    bool is_sound = length > 0 && at + length <= text.size();
    char32_t code = length <= 1 ? byte(at) : byte(at) & (0xFFu >> (length + 1));
    for (std::size_t i = 1; is_sound && i < length; ++i) {
        is_sound = (byte(at + i) & 0xC0) == 0x80;
        code = code << 6 | (byte(at + i) & 0x3Fu);
    }
    at += is_sound ? length : 1;
    return is_sound ? code : kReplacement;
}

std::u16string utf16(const std::string& text) {
    std::u16string out;
    for (std::size_t at = 0; at < text.size();) {
        char32_t code = next_code(text, at);
        if (code > 0xFFFF) {
            code -= 0x10000;
            out += static_cast<char16_t>(0xD800 | code >> 10);
            code = 0xDC00 | (code & 0x3FF);
        }
        out += static_cast<char16_t>(code);
    }
    return out;
}

bool is_number_or_null(const nlohmann::ordered_json& json) { return json.is_number() || json.is_null(); }

MatValue mat_of_array(const nlohmann::ordered_json& json) {
    if (std::all_of(json.begin(), json.end(), is_number_or_null)) {
        std::vector<double> numbers;
        for (const auto& one : json) numbers.push_back(one.is_null() ? std::nan("") : one.get<double>());
        return mat_reals(numbers);
    }
    std::vector<MatValue> elements;
    for (const auto& one : json) elements.push_back(mat_of_json(one));
    return mat_cells(std::move(elements));
}

}  // namespace

MatValue mat_reals(const std::vector<double>& values) {
    return column(MAT_C_DOUBLE, MAT_T_DOUBLE, values.size(), values.data());
}

MatValue mat_wholes(const std::vector<std::int64_t>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (!values.empty() && (*least < -kExactMax || *most > kExactMax))
        return column(MAT_C_INT64, MAT_T_INT64, values.size(), values.data());
    return mat_reals({values.begin(), values.end()});
}

MatValue mat_text(const std::string& utf8) {
    const std::u16string text = utf16(utf8);
    std::size_t dims[2] = {text.empty() ? std::size_t{0} : std::size_t{1}, text.size()};
    return made(Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UTF16, 2, dims, const_cast<char16_t*>(text.data()), 0));
}

MatValue mat_cells(std::vector<MatValue> elements) {
    std::size_t dims[2] = {elements.size(), elements.empty() ? std::size_t{0} : std::size_t{1}};
    MatValue cells = made(Mat_VarCreate(nullptr, MAT_C_CELL, MAT_T_CELL, 2, dims, nullptr, 0));
    for (std::size_t i = 0; i < elements.size(); ++i)
        Mat_VarSetCell(cells.get(), static_cast<int>(i), elements[i].release());
    return cells;
}

MatValue mat_of_json(const nlohmann::ordered_json& json) {
    if (json.is_object()) {
        MatFields fields;
        for (const auto& [key, value] : json.items()) fields.add(key, mat_of_json(value));
        return fields.take();
    }
    if (json.is_array()) return mat_of_array(json);
    if (json.is_string()) return mat_text(json.get<std::string>());
    if (json.is_boolean()) return mat_reals({json.get<bool>() ? 1.0 : 0.0});
    return json.is_number() ? mat_reals({json.get<double>()}) : mat_reals({});
}

bool is_same(const matvar_t& a, const matvar_t& b) {
    if (a.class_type != b.class_type || a.rank != b.rank || !std::equal(a.dims, a.dims + a.rank, b.dims)) return false;
    const std::size_t count = std::accumulate(a.dims, a.dims + a.rank, std::size_t{1}, std::multiplies<>());
    if (count == 0) return true;
    if (a.data == nullptr || b.data == nullptr) return a.data == b.data;
    if (a.class_type != MAT_C_STRUCT && a.class_type != MAT_C_CELL)
        return a.nbytes == b.nbytes && std::memcmp(a.data, b.data, a.nbytes) == 0;
    if (a.nbytes != b.nbytes) return false;  // of pointers: as many fields
    const auto *mine = static_cast<matvar_t*const*>(a.data), *theirs = static_cast<matvar_t*const*>(b.data);
    return std::equal(mine, mine + a.nbytes / sizeof(matvar_t*), theirs, [](const matvar_t* x, const matvar_t* y) {
        return x != nullptr && y != nullptr && is_same(*x, *y);
    });
}

void MatFields::add(const std::string& name, MatValue value) {
    std::string allowed;
    for (const char c : name) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (allowed.empty() && !is_letter) allowed = "x_";
        allowed += is_letter || (c >= '0' && c <= '9') ? c : '_';
    }
    if (allowed.empty()) allowed = "x_";
    allowed.resize(std::min(allowed.size(), kNameMax));
    for (int number = 2; !taken_.insert(allowed).second; ++number) {
        const std::string end = fmt::format("_{}", number);
        allowed = allowed.substr(0, kNameMax - end.size()) + end;
    }
    names_.push_back(allowed);
    values_.push_back(std::move(value));
}

MatValue MatFields::take(const char* name) {
    if (names_.empty()) return mat_reals({});
    std::vector<const char*> names;
    for (const std::string& one : names_) names.push_back(one.c_str());
    std::size_t dims[2] = {1, 1};
    MatValue made_of = made(Mat_VarCreateStruct(name, 2, dims, names.data(), static_cast<unsigned>(names.size())));
    for (std::size_t i = 0; i < values_.size(); ++i)
        Mat_VarSetStructFieldByIndex(made_of.get(), i, 0, values_[i].release());
    return made_of;
}

}  // namespace topple::hil::exports
