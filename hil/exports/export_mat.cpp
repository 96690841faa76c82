#include <fmt/format.h>
#include <matio.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "hil/exports/mat_values.hpp"
#include "hil/exports/one_file.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::exports {
namespace {

constexpr matio_compression kCompression = MAT_COMPRESSION_NONE;  // compressing takes four times as long
constexpr double kBytesMax = 2.0e9;                               // a variable of level 5 states its size in 32 bits

struct CloseMat {
    void operator()(mat_t* mat) const { Mat_Close(mat); }
};

MatValue column_value(const RunColumn& column, std::size_t row_count) {
    struct {
        std::size_t row_count;
        MatValue operator()(const Reals& reals) const { return mat_reals(values_of<double>(reals, row_count)); }
        MatValue operator()(const Wholes& wholes) const {
            return mat_wholes(values_of<std::int64_t>(wholes, row_count));
        }
        MatValue operator()(const Words& words) const { return mat_reals(values_of<double>(words, row_count)); }
        MatValue operator()(const Texts& texts) const {
            std::vector<MatValue> cells;
            for (std::size_t row = 0; row < row_count; ++row) cells.push_back(mat_text(texts.at(row)));
            return mat_cells(std::move(cells));
        }
    } const make{row_count};
    return std::visit(make, column.values);
}

/// run.feedback and so on, and the same structure with units, descriptions and words in place of the values.
void add_table(const RunTable& table, MatFields& run, MatFields& units, MatFields& descriptions, MatFields& words) {
    MatFields values, units_here, descriptions_here, words_here;
    for (const RunColumn& column : table.columns) {
        values.add(column.name, column_value(column, table.row_count));
        units_here.add(column.name, mat_text(column.unit));
        descriptions_here.add(column.name, mat_text(column.description));
        const auto* named = std::get_if<Words>(&column.values);
        if (!named) continue;
        std::vector<MatValue> cells;
        for (const std::string& word : named->words) cells.push_back(mat_text(word.empty() ? "unknown" : word));
        words_here.add(column.name, mat_cells(std::move(cells)));
    }
    run.add(table.name, values.take());
    units.add(table.name, units_here.take());
    descriptions.add(table.name, descriptions_here.take());
    if (!words_here.empty()) words.add(table.name, words_here.take());
}

/// The document as a structure; none if it is missing or no JSON.
void add_parsed(MatFields& run, const char* field, const std::string& text) {
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (json.is_object()) run.add(field, mat_of_json(json));
}

MatValue run_value(const ExportedRun& exported) {
    MatFields run, units, descriptions, words, documents, metadata;
    run.add("schema", mat_text("topple.run_export/1"));
    run.add("remark", mat_text(kExportRemark));
    for (const RunTable& table : exported.tables) add_table(table, run, units, descriptions, words);
    run.add("units", units.take());
    run.add("descriptions", descriptions.take());
    run.add("words", words.take());
    add_parsed(run, "blind_prediction", exported.text_of("prediction.json"));
    add_parsed(run, "summary", exported.text_of("summary.json"));
    run.add("experiment", mat_text(exported.text_of("experiment.toml")));
    for (const Document& document : exported.documents) documents.add(document.name, mat_text(document.text));
    run.add("documents", documents.take());
    metadata.add("prediction_sha256", mat_text(exported.data.prediction_sha256));
    for (const auto* entries : {&exported.data.metadata, &exported.data.clock})
        for (const auto& [key, value] : *entries)
            if (key != "prediction_sha256") metadata.add(key, mat_text(value));
    for (const Document& document : exported.documents)
        metadata.add("sha256_of_" + document.name, mat_text(document.sha256));
    run.add("metadata", metadata.take());
    std::vector<MatValue> damage;
    for (const std::string& one : exported.data.damage) damage.push_back(mat_text(one));
    run.add("damage", mat_cells(std::move(damage)));
    return run.take("run");
}

void require_size(const ExportedRun& exported, const std::filesystem::path& log) {
    double bytes = 0.0;
    for (const RunTable& table : exported.tables)
        bytes += static_cast<double>(sizeof(double) * table.row_count * table.columns.size());
    if (bytes > kBytesMax)
        throw files::InputError(fmt::format(
            "{}: {:.1f} GB of numbers; a variable of MATLAB level 5 holds at most {:.1f} GB: use --format hdf5",
            log.string(), bytes / 1e9, kBytesMax / 1e9));
}

[[noreturn]] void refuse(const std::filesystem::path& file) {
    throw files::OutputError(file.string() + ": cannot be written; is the disk full?");
}

/// libmatio does not look whether what it writes arrives, so it is read back.
void require_whole(const std::filesystem::path& file, const matvar_t& written) {
    const std::unique_ptr<mat_t, CloseMat> mat(Mat_Open(file.c_str(), MAT_ACC_RDONLY));
    const MatValue read(mat ? Mat_VarRead(mat.get(), written.name) : nullptr);
    if (!read || !is_same(*read, written)) refuse(file);
}

void write_file(const ExportedRun& exported, files::UnfinishedFile& to) {
    require_size(exported, exported.log);
    const MatValue run = run_value(exported);
    {
        const std::unique_ptr<mat_t, CloseMat> mat(
            Mat_CreateVer(to.name().c_str(), "MATLAB 5.0 MAT-file, by Topple", MAT_FT_MAT5));
        if (!mat) refuse(to.name());
        if (Mat_VarWrite(mat.get(), run.get(), kCompression) != 0) refuse(to.name());
    }
    require_whole(to.name(), *run);
}

}  // namespace

Exported export_mat(const std::filesystem::path& run, const ExportTarget& target) {
    return export_as_file(run, target, "run.mat", write_file);
}

}  // namespace topple::hil::exports
