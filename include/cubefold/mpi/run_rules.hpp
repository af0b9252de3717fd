#pragma once

#include <optional>

#include "cubefold/export.h"
#include "cubefold/mpi/executor.hpp"
#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold::mpi {

/// How to run the plan's choice: kept in step as the plan says, or as is forced.
CUBEFOLD_API RunRules run_rules(const ExchangePlan& plan, std::optional<Pacing> forced = {});

}  // namespace cubefold::mpi
