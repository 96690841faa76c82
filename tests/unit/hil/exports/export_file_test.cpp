#include "hil/exports/export_file.hpp"

#include <matio.h>

#include <nlohmann/json.hpp>

#include "hil/exports/mat_values.hpp"
#include "hil/exports/run_tables.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/unit/hil/run_log/sample_run.hpp"

using namespace topple;
using namespace topple::hil::exports;
using namespace topple::hil::run_log;

namespace {

const RunColumn& column_of(const RunTable& table, const std::string& name) {
    for (const RunColumn& column : table.columns)
        if (column.name == name) return column;
    FAIL("no column " << name);
    std::abort();
}

MatValue text_fields(std::initializer_list<std::pair<const char*, const char*>> fields) {
    MatFields all;
    for (const auto& [name, text] : fields) all.add(name, mat_text(text));
    return all.take("s");
}

}  // namespace

TEST_CASE("a log in which nothing happened is exported in every format") {
    const TemporaryFolder folder;
    { RunLog log(folder.file("run.mcap"), sample_options()); }
    CHECK(std::filesystem::file_size(export_hdf5(folder.path()).place) > 1000);
    CHECK(std::filesystem::file_size(export_mat(folder.path()).place) > 1000);
    CHECK(std::filesystem::exists(export_csv(folder.path()).place / "feedback.csv"));
}

TEST_CASE("MATLAB's metadata holds the hash of the prediction once") {
    const TemporaryFolder folder;
    RunLogOptions options = sample_options();
    options.metadata["prediction_sha256"] = options.prediction_sha256;
    { RunLog log(folder.file("run.mcap"), options); }
    mat_t* file = Mat_Open(export_mat(folder.path()).place.c_str(), MAT_ACC_RDONLY);
    REQUIRE(file);
    const MatValue run(Mat_VarRead(file, "run"));
    Mat_Close(file);
    REQUIRE(run);
    matvar_t* metadata = Mat_VarGetStructFieldByName(run.get(), "metadata", 0);
    REQUIRE(metadata);
    CHECK(Mat_VarGetStructFieldByName(metadata, "prediction_sha256", 0));
    CHECK_FALSE(Mat_VarGetStructFieldByName(metadata, "prediction_sha256_2", 0));
}

TEST_CASE("every column of every table has a unit or is text, and says what it is") {
    RunData run;
    run.feedback.push_back(sample_feedback(1));
    run.setpoints.push_back(sample_setpoint(1));
    for (const RunTable& table : run_tables(run, "nowhere/run.mcap")) {
        REQUIRE(table.columns.size() > 2);
        CHECK(table.columns[0].name == "device_time_us");
        CHECK(table.columns[1].name == "time_s");
        for (const RunColumn& column : table.columns) {
            INFO(table.name << "." << column.name);
            const bool is_number =
                std::holds_alternative<Reals>(column.values) || std::holds_alternative<Wholes>(column.values);
            CHECK(column.unit.empty() != is_number);
            CHECK(column.description.size() > 5);
        }
    }
}

TEST_CASE("without a motion time counts from the first feedback, and before it is negative") {
    RunData run;
    for (const std::size_t tick : {0, 1, 2}) run.feedback.push_back(sample_feedback(tick));
    const auto time_at = [&](std::size_t row) {
        return std::get<Reals>(column_of(run_tables(run, "run.mcap").at(1), "time_s").values).at(row);
    };
    CHECK(time_at(2) == 0.004);
    run.events.push_back({sample_time_us(2), EventKind::motion_start, ""});
    CHECK(time_at(0) == -0.004);
}

TEST_CASE("an axis that some feedback lacks is absent there and a number elsewhere") {
    RunData run;
    for (const std::size_t tick : {0, 1}) run.feedback.push_back(sample_feedback(tick));
    run.feedback[1].axis_count = 2;
    run.feedback[1].axes[1].encoder_count = 77;
    const auto tables = run_tables(run, "run.mcap");
    CHECK(std::holds_alternative<Wholes>(column_of(tables[1], "encoder_x_count").values));
    const auto& y = std::get<Reals>(column_of(tables[1], "encoder_y_count").values);
    CHECK(std::isnan(y.at(0)));
    CHECK(y.at(1) == 77.0);
}

TEST_CASE("names of MATLAB's fields are allowed ones and each its own") {
    MatFields fields;
    const std::string long_name(80, 'a');
    for (const std::string& name : {std::string("experiment.toml"), std::string("experiment toml"), std::string("9 V"),
                                    std::string(), long_name, long_name})
        fields.add(name, mat_reals({1.0}));
    const MatValue made = fields.take("s");
    char* const* names = Mat_VarGetStructFieldnames(made.get());
    CHECK(std::string(names[0]) == "experiment_toml");
    CHECK(std::string(names[1]) == "experiment_toml_2");
    CHECK(std::string(names[2]) == "x_9_V");
    CHECK(std::string(names[3]) == "x_");
    CHECK(std::string(names[4]) == std::string(63, 'a'));
    CHECK(std::string(names[5]) == std::string(61, 'a') + "_2");
}

TEST_CASE("whole numbers become doubles unless a double cannot hold them") {
    CHECK(mat_wholes({1, -5})->class_type == MAT_C_DOUBLE);
    CHECK(mat_wholes({(std::int64_t{1} << 53) + 1})->class_type == MAT_C_INT64);
    CHECK(mat_wholes({std::numeric_limits<std::int64_t>::min()})->class_type == MAT_C_INT64);
}

TEST_CASE("JSON becomes structures, columns, cells and texts") {
    const MatValue made = mat_of_json(nlohmann::ordered_json::parse(
        R"({"a": [1, null, 2.5], "b": [1, "x"], "c": {"d": true}, "e": null, "f": "\u00b5", "g": {}})"));
    const auto field = [&](const char* name) { return Mat_VarGetStructFieldByName(made.get(), name, 0); };
    CHECK(field("a")->dims[0] == 3);
    CHECK(std::isnan(static_cast<const double*>(field("a")->data)[1]));
    CHECK(field("b")->class_type == MAT_C_CELL);
    CHECK(field("c")->class_type == MAT_C_STRUCT);
    CHECK(field("e")->dims[0] == 0);
    CHECK(static_cast<const char16_t*>(field("f")->data)[0] == u'\u00b5');
    CHECK(field("g")->dims[0] == 0);
}

TEST_CASE("bytes that are no UTF-8 become question marks in MATLAB's texts") {
    const MatValue text = mat_text("a\xff\xc3z\xf0\x9f\x98\x80");
    REQUIRE(text->dims[1] == 6);
    const auto* codes = static_cast<const char16_t*>(text->data);
    CHECK(std::u16string(codes, 6) == u"a??z\xD83D\xDE00");
}

TEST_CASE("a value that differs in one number, letter or field is noticed") {
    CHECK(is_same(*mat_reals({1.0, 2.0}), *mat_reals({1.0, 2.0})));
    CHECK_FALSE(is_same(*mat_reals({1.0, 2.0}), *mat_reals({1.0, 2.5})));
    CHECK_FALSE(is_same(*mat_reals({1.0}), *mat_reals({1.0, 2.0})));
    CHECK(is_same(*text_fields({{"a", "x"}, {"b", ""}}), *text_fields({{"a", "x"}, {"b", ""}})));
    CHECK_FALSE(is_same(*text_fields({{"a", "x"}}), *text_fields({{"a", "y"}})));
    CHECK_FALSE(is_same(*text_fields({{"a", "x"}}), *text_fields({{"a", "x"}, {"b", "x"}})));
}
