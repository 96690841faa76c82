// One command on several ranks: a step that fails anywhere ends it everywhere.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "hil/cluster/work_shares.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::cli {

/// A step that each rank takes on its own. If it fails on any, all throw the failure of the lowest of them: InputError,
/// or OutputError where that was its kind.
template <typename Step>
auto on_all(cluster::WorkShares& shares, const Step& step) {
    std::optional<decltype(step())> result;
    std::string failure;
    bool is_output = false;
    try {
        result = step();
    } catch (const files::OutputError& error) {
        failure = error.what();
        is_output = true;
    } catch (const std::exception& error) {
        failure = error.what();
    }
    const std::string first = shares.first_failure(failure);
    if (first.empty()) return std::move(*result);
    if (is_output) throw files::OutputError(first);
    throw files::InputError(first);
}

}  // namespace topple::hil::cli
