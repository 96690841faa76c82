// The compiled part of the Python package `topple`; topple/__init__.py is its face.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>

#include "hil/conclude/conclude_run.hpp"
#include "hil/experiment/models.hpp"
#include "hil/exports/exported_run.hpp"
#include "hil/files/errors.hpp"
#include "hil/host/version.hpp"
#include "hil/plan/assembly_prediction.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/plan/prediction_json.hpp"
#include "hil/python/interruptible.hpp"
#include "hil/python/many_predictions.hpp"
#include "hil/python/source.hpp"
#include "hil/python/wave_map.hpp"

namespace py = pybind11;

namespace topple::hil::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using StopFlag = std::atomic<bool>;

std::span<const double> span_of(const Numbers& numbers) {
    return {numbers.data(), static_cast<std::size_t>(numbers.size())};
}

template <typename To, typename From>
py::array_t<To> array_of(const std::vector<From>& values) {
    py::array_t<To> array(static_cast<py::ssize_t>(values.size()));
    std::copy(values.begin(), values.end(), array.mutable_data());
    return array;
}

py::list texts_of(const std::vector<std::string>& texts) {
    py::list list;
    for (const std::string& text : texts) list.append(py::bytes(text).attr("decode")("utf-8", "replace"));
    return list;
}

/// The document of `predict --json --all-impacts` and the CSV of `--history` for each specimen.
py::tuple predict(const Source& source, plan::PredictionRequest request, bool history, bool all_impacts) {
    struct Result {
        std::string json;
        std::vector<std::string> histories;
    };
    const Result result = interruptible([&](const StopFlag& stop) {
        const experiment::Experiment experiment = source.read(request.model);
        if (experiment.assembly && (!request.model.empty() || request.ensemble > 0 || request.after_validity))
            throw files::InputError(source.name + ": an assembly has equations of its own and no ensemble");
        if (history) request.history_step_s = plan::history_step_s(experiment);
        request.stop = &stop;
        const plan::ExperimentPrediction prediction = plan::predict_experiment(experiment, request);
        Result made{plan::prediction_json(experiment, prediction,
                                          all_impacts ? std::numeric_limits<std::size_t>::max() : plan::kImpactsListed),
                    {}};
        if (history && prediction.assembly)
            made.histories.push_back(
                plan::assembly_history_csv(*prediction.assembly, experiment.assembly->blocks.size()));
        for (const plan::SpecimenPrediction& one : prediction.specimens)
            if (history) made.histories.push_back(plan::history_csv(one.prediction));
        return made;
    });
    return py::make_tuple(result.json, result.histories);
}

py::dict outcome_map(const Source& source, const Numbers& frequency_ratio, const Numbers& amplitude_ratio,
                     WaveMapRequest request) {
    request.frequency_ratio = span_of(frequency_ratio);
    request.amplitude_ratio = span_of(amplitude_ratio);
    const WaveMap map =
        interruptible([&](const StopFlag& stop) { return solve_wave_map(source.read(request.model), request, stop); });
    const auto grid = [&](auto value) {
        py::array_t<decltype(value(map.cells[0]))> array({frequency_ratio.size(), amplitude_ratio.size()});
        std::transform(map.cells.begin(), map.cells.end(), array.mutable_data(), value);
        return array;
    };
    py::dict result;
    result["outcome"] = grid([](const study::MapCell& cell) {
        return cell.outcome_code == solver::kFailedCode ? kNoOutcome : static_cast<std::int8_t>(cell.outcome_code);
    });
    result["direction"] = grid([](const study::MapCell& cell) { return static_cast<std::int8_t>(cell.direction); });
    result["blocks_overturned"] =
        grid([](const study::MapCell& cell) { return static_cast<std::int8_t>(cell.blocks); });
    result["impacts_before_overturning"] =
        grid([](const study::MapCell& cell) { return static_cast<std::uint16_t>(cell.impacts); });
    result["frequency_parameter_rad_s"] = map.frequency_parameter_rad_s;
    result["amplitude_unit_m_s2"] = map.amplitude_unit_m_s2;
    return result;
}

py::dict many(const Source& source, const std::vector<Numbers>& values, ManyRequest request) {
    for (const Numbers& one : values) request.values.push_back(span_of(one));
    request.count = values.empty() ? 0 : request.values.front().size();
    const ManyPredictions all =
        interruptible([&](const StopFlag& stop) { return predict_many(source.read(request.model), request, stop); });
    py::dict result;
    result["outcome"] = array_of<std::int8_t>(all.outcome);
    result["direction"] = array_of<std::int8_t>(all.direction);
    result["peak_rotation_rad"] =
        array_of<double>(all.peak_rotation_rad).attr("reshape")(request.count, all.block_count);
    result["overturn_time_s"] = array_of<double>(all.overturn_time_s);
    result["settled_time_s"] = array_of<double>(all.settled_time_s);
    result["refused"] = array_of<bool>(all.is_refused);
    result["first_refusal"] = all.first_refusal;
    return result;
}

/// (array, words): a column's values; with words they are indices of them, of texts they are a list.
struct ColumnValues {
    std::size_t rows;
    py::tuple operator()(const exports::Reals& reals) const {
        return py::make_tuple(array_of<double>(exports::values_of<double>(reals, rows)), py::none());
    }
    py::tuple operator()(const exports::Wholes& wholes) const {
        return py::make_tuple(array_of<std::int64_t>(exports::values_of<std::int64_t>(wholes, rows)), py::none());
    }
    py::tuple operator()(const exports::Words& words) const {
        return py::make_tuple(array_of<std::uint8_t>(exports::values_of<std::uint8_t>(words, rows)),
                              texts_of(words.words));
    }
    py::tuple operator()(const exports::Texts& texts) const {
        std::vector<std::string> all;
        for (std::size_t row = 0; row < rows; ++row) all.push_back(texts.at(row));
        return py::make_tuple(texts_of(all), py::none());
    }
};

py::dict read_run(const std::string& run) {
    exports::ExportedRun exported;
    interruptible([&](const StopFlag&) { return exports::read_exported_run(run, exported), 0; });
    py::dict tables, documents, metadata;
    for (const exports::RunTable& table : exported.tables) {
        py::list columns;
        for (const exports::RunColumn& column : table.columns)
            columns.append(py::make_tuple(column.name, column.unit, column.description,
                                          std::visit(ColumnValues{table.row_count}, column.values)));
        tables[table.name.c_str()] = columns;
    }
    for (const exports::Document& document : exported.documents)
        documents[document.file.c_str()] = texts_of({document.text})[0];
    for (const auto& [key, value] : exported.data.metadata) metadata[key.c_str()] = texts_of({value})[0];
    py::dict result;
    result["tables"] = tables;
    result["documents"] = documents;
    result["metadata"] = metadata;
    result["prediction_sha256"] = exported.data.prediction_sha256;
    result["damage"] = texts_of(exported.data.damage);
    result["data_whole"] = exported.data.data_whole;
    return result;
}

std::string summary(const std::string& folder) {
    return interruptible([&](const StopFlag&) { return conclude::read_summary(folder); });
}

py::tuple outcome_names() {
    py::list names;
    for (unsigned code = 0; solver::outcome_of_code(code); ++code)
        names.append(std::string(solver::name(solver::outcome_of_code(code))));
    return py::tuple(names);
}

void define(py::module_& m) {
    py::register_exception<files::InputError>(m, "InputError", PyExc_ValueError);
    py::register_exception<files::OutputError>(m, "OutputError", PyExc_OSError);
    m.attr("OUTCOMES") = outcome_names();
    m.attr("MODELS") = py::tuple(py::cast(experiment::model_names()));
    m.attr("VERSION") = std::string(host::version());
    using namespace py::literals;
    m.def(
        "predict",
        [](const std::string& text, const std::string& name, bool is_file, const std::string& model,
           std::size_t ensemble, std::optional<std::uint64_t> seed, unsigned threads, bool after_validity, bool history,
           bool all_impacts) {
            plan::PredictionRequest request{model, ensemble, seed, threads};
            request.after_validity = after_validity;
            return predict({text, name, is_file}, request, history, all_impacts);
        },
        "text"_a, "name"_a, "is_file"_a, "model"_a, "ensemble"_a, "seed"_a, "threads"_a, "after_validity"_a,
        "history"_a, "all_impacts"_a);
    m.def(
        "outcome_map",
        [](const std::string& text, const std::string& name, bool is_file, const Numbers& frequency_ratio,
           const Numbers& amplitude_ratio, bool by_angle, std::optional<double> initial_rotation_rad,
           const std::string& model, std::size_t specimen, unsigned threads) {
            return outcome_map({text, name, is_file}, frequency_ratio, amplitude_ratio,
                               {{}, {}, by_angle, initial_rotation_rad, model, specimen, threads});
        },
        "text"_a, "name"_a, "is_file"_a, "frequency_ratio"_a, "amplitude_ratio"_a, "by_angle"_a,
        "initial_rotation_rad"_a, "model"_a, "specimen"_a, "threads"_a);
    m.def(
        "predict_many",
        [](const std::string& text, const std::string& name, bool is_file, const std::vector<std::string>& keys,
           const std::vector<Numbers>& values, const std::string& model, std::size_t specimen, bool outcome_only,
           unsigned threads) {
            return many({text, name, is_file}, values, {keys, {}, 0, model, specimen, outcome_only, threads});
        },
        "text"_a, "name"_a, "is_file"_a, "keys"_a, "values"_a, "model"_a, "specimen"_a, "outcome_only"_a, "threads"_a);
    m.def("read_run", &read_run, "run"_a);
    m.def("summary", &summary, "folder"_a);
}

}  // namespace
}  // namespace topple::hil::python

PYBIND11_MODULE(_core, m) { topple::hil::python::define(m); }
