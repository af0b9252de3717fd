#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/mpi/alltoall_plan.hpp"
#include "cubefold/plan/exchange_plan.hpp"

/// One of our exchanges for one block size, before it runs.
struct PlannedExchange {
  cubefold::mpi::AlltoallSetup setup;
  double predicted_seconds;
};

/// What a plan may choose from, under the name that its choice has in tables: one method, or all that fit the grid.
struct OurAlgorithm {
  std::string name;
  std::vector<cubefold::ExchangeMethod> methods;  ///< none: all
};

/// The name in tables of what cubefold_alltoall does, whatever that is: `alltoall` of --algorithm. It is nothing that a
/// plan of ours predicts.
inline constexpr const char* library_name = "cubefold_alltoall";

/// Those of --algorithm, each once: methods by their texts, `plan`, `alltoall`, and `all` for every one of
/// exchange_methods(). Throws std::invalid_argument for other names.
std::vector<OurAlgorithm> our_algorithms(const std::vector<std::string>& names, const cubefold::Grid& grid);

/// The names. Throws std::invalid_argument for those that our_algorithms() refuses on any grid.
std::vector<std::string> known_algorithms(const std::vector<std::string>& names);

/// As parse_pacing(), and `auto` is nothing: as planned.
std::optional<cubefold::Pacing> read_pacing(std::string_view text);

/// The plan's choice, kept in step as the plan says or as is forced; then the prediction has the barriers of that.
PlannedExchange planned_exchange(const cubefold::ExchangePlan& plan, std::optional<cubefold::Pacing> forced);
