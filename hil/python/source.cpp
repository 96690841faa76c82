#include "hil/python/source.hpp"

#include "hil/experiment/models.hpp"

namespace topple::hil::python {

experiment::Experiment Source::read(const std::string& model) const {
    if (!model.empty()) experiment::model_named(model);  // an unknown name is refused before the file is read
    return is_file ? experiment::read_experiment_for(name, model) : experiment::read_experiment_text(text, name, model);
}

}  // namespace topple::hil::python
