#pragma once

#include <array>

#include "cubefold/plan/mapping.hpp"

namespace cubefold {

inline constexpr std::array all_objectives{
    MappingObjective::busiest_links, MappingObjective::busiest_link_together, MappingObjective::hop_bytes};

}  // namespace cubefold
