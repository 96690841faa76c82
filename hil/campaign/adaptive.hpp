// The adaptive protocol: the next test is where it is expected to tell most about the boundary.
#pragma once

#include <memory>
#include <vector>

#include "hil/campaign/boundary_belief.hpp"
#include "hil/campaign/protocol.hpp"

namespace topple::hil::campaign {

/// Boundaries of the members of the ensemble: [row][specimen][member], way along the search. Members of the same index
/// are the same in every row. No members: the prior is even.
using MemberBoundaries = std::vector<std::vector<std::vector<double>>>;

std::unique_ptr<Protocol> adaptive_protocol(const experiment::CampaignSection& campaign, std::size_t specimens,
                                            MemberBoundaries members);

}  // namespace topple::hil::campaign
