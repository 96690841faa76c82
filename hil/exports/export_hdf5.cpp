#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <utility>

#include "hil/exports/one_file.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::exports {
namespace {

constexpr hsize_t kChunkRows = 16384;
constexpr unsigned kDeflateLevel = 1;            // higher ones cost several times more and save little
constexpr std::size_t kAttributeBytes = 60'000;  // 64 KiB are the format's limit

/// Throws where the library refuses.
hid_t require(hid_t id, const char* what) {
    if (id < 0) throw files::OutputError(fmt::format("HDF5: {} cannot be written", what));
    return id;
}

/// An object of the library, closed when it goes.
class Object {
  public:
    Object(hid_t id, herr_t (*close)(hid_t), const char* what) : id_(require(id, what)), close_(close) {}
    ~Object() {
        if (id_ >= 0) close_(id_);
    }
    Object(Object&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Object& operator=(const Object&) = delete;
    operator hid_t() const noexcept { return id_; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// Texts as strings of variable length in UTF-8.
Object text_type() {
    Object type(H5Tcopy(H5T_C_S1), H5Tclose, "a type");
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

void add_attribute(hid_t object, const std::string& name, const std::string& text) {
    const Object type = text_type();
    const Object space(H5Screate(H5S_SCALAR), H5Sclose, "an attribute");
    const Object attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                           "an attribute");
    const char* const value = text.c_str();
    require(H5Awrite(attribute, type, &value), "an attribute");
}

Object add_group(hid_t parent, const std::string& name) {
    return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "a group"};
}

/// One text as a dataset.
Object add_text(hid_t group, const std::string& name, const std::string& text) {
    const Object type = text_type();
    const Object space(H5Screate(H5S_SCALAR), H5Sclose, "a text");
    Object dataset(H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
                   "a text");
    const char* const value = text.c_str();
    require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), "a text");
    return dataset;
}

/// A dataset of so many values, compressed.
Object add_series(hid_t group, const RunColumn& column, hid_t type, std::size_t row_count) {
    const hsize_t rows = row_count, chunk = std::min<hsize_t>(rows, kChunkRows);
    const Object space(H5Screate_simple(1, &rows, nullptr), H5Sclose, "a dataset");
    const Object how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "a dataset");
    if (rows > 0) {
        H5Pset_chunk(how, 1, &chunk);
        H5Pset_shuffle(how);
        H5Pset_deflate(how, kDeflateLevel);
    }
    return {H5Dcreate2(group, column.name.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose,
            column.name.c_str()};
}

void fill(hid_t dataset, hid_t type, const void* values) {
    require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "a dataset");
}

struct ColumnWriter {
    hid_t group;
    const RunColumn& column;
    std::size_t row_count;

    Object operator()(const Reals& reals) const {
        Object dataset = add_series(group, column, H5T_IEEE_F64LE, row_count);
        fill(dataset, H5T_NATIVE_DOUBLE, values_of<double>(reals, row_count).data());
        return dataset;
    }
    Object operator()(const Wholes& wholes) const {
        Object dataset = add_series(group, column, H5T_STD_I64LE, row_count);
        fill(dataset, H5T_NATIVE_INT64, values_of<std::int64_t>(wholes, row_count).data());
        return dataset;
    }
    /// An enumeration, so that readers show the words; an unnamed word is "unknown".
    Object operator()(const Words& words) const {
        const Object type(H5Tenum_create(H5T_STD_U8LE), H5Tclose, "an enumeration");
        for (std::size_t i = 0; i < words.words.size(); ++i) {
            const auto code = static_cast<std::uint8_t>(i);
            H5Tenum_insert(type, words.words[i].empty() ? "unknown" : words.words[i].c_str(), &code);
        }
        Object dataset = add_series(group, column, type, row_count);
        fill(dataset, type, values_of<std::uint8_t>(words, row_count).data());
        return dataset;
    }
    Object operator()(const Texts& texts) const {
        const Object type = text_type();
        Object dataset = add_series(group, column, type, row_count);
        std::vector<std::string> values;
        for (std::size_t row = 0; row < row_count; ++row) values.push_back(texts.at(row));
        std::vector<const char*> pointers;
        for (const std::string& value : values) pointers.push_back(value.c_str());
        fill(dataset, type, pointers.data());
        return dataset;
    }
};

void add_table(hid_t file, const RunTable& table) {
    const Object group = add_group(file, table.name);
    add_attribute(group, "description", table.description);
    for (const RunColumn& column : table.columns) {
        const Object dataset = std::visit(ColumnWriter{group, column, table.row_count}, column.values);
        if (!column.unit.empty()) add_attribute(dataset, "unit", column.unit);
        add_attribute(dataset, "description", column.description);
    }
}

void add_head(hid_t file, const ExportedRun& run) {
    add_attribute(file, "schema", "topple.run_export/1");
    add_attribute(file, "remark", kExportRemark);
    add_attribute(file, "prediction_sha256", run.data.prediction_sha256);
    add_attribute(file, "data_whole", run.data.data_whole ? "true" : "false");
    std::string damage;
    for (const std::string& one : run.data.damage) damage += one + '\n';
    if (!damage.empty()) add_attribute(file, "damage", damage.substr(0, kAttributeBytes));
}

void add_metadata(hid_t file, const ExportedRun& run) {
    const Object group = add_group(file, "metadata");
    add_attribute(group, "description", "What the log says of the run: versions, seeds, hashes, scales");
    for (const auto* entries : {&run.data.metadata, &run.data.clock})
        for (const auto& [key, value] : *entries) {
            if (key.empty() || H5Aexists(group, key.c_str()) > 0) continue;
            add_attribute(group, key, value.substr(0, kAttributeBytes));
        }
}

void fill_file(hid_t file, const ExportedRun& run) {
    add_head(file, run);
    add_metadata(file, run);
    const Object documents = add_group(file, "documents");
    add_attribute(documents, "description", "Files of the run's folder, as they are");
    for (const Document& document : run.documents)
        add_attribute(add_text(documents, document.file, document.text), "sha256", document.sha256);
    for (const RunTable& table : run.tables) add_table(file, table);
}

/// In memory first: after a failed write the library keeps the file open, and crashes when the program ends.
void write_file(const ExportedRun& run, files::UnfinishedFile& to) {
    constexpr std::size_t kGrow_bytes = std::size_t{1} << 20;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are ours to tell
    const Object access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "the file");
    require(H5Pset_fapl_core(access, kGrow_bytes, false), "the file");
    const Object file(H5Fcreate("run.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "the file");
    fill_file(file, run);
    require(H5Fflush(file, H5F_SCOPE_LOCAL), "the file");
    const ssize_t size = H5Fget_file_image(file, nullptr, 0);
    require(size, "the file");
    std::string image(static_cast<std::size_t>(size), '\0');
    require(H5Fget_file_image(file, image.data(), image.size()), "the file");
    to.append(image);
}

}  // namespace

Exported export_hdf5(const std::filesystem::path& run, const ExportTarget& target) {
    return export_as_file(run, target, "run.h5", write_file);
}

}  // namespace topple::hil::exports
