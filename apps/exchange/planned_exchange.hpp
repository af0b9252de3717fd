#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/mpi/alltoall_plan.hpp"
#include "cubefold/plan/exchange_plan.hpp"

/// One exchange of cubefold for one block size, before it runs.
struct PlannedExchange {
  cubefold::mpi::AlltoallSetup setup;
  double predicted_seconds;
};

/// The methods that a plan may choose from, and the name of the choice in tables. It has one method, or all that fit
/// the grid.
struct OurAlgorithm {
  std::string name;
  std::vector<cubefold::ExchangeMethod> methods;  ///< empty: all methods
};

/// The name of cubefold_alltoall in tables, which is `alltoall` in --algorithm. No plan predicts its time, because it
/// chooses by trials.
inline constexpr const char* library_name = "cubefold_alltoall";

/// Returns the algorithms that --algorithm names, each once: methods by their texts, `plan`, `alltoall`, and `all` for
/// every method of exchange_methods(). Throws std::invalid_argument for other names.
std::vector<OurAlgorithm> our_algorithms(const std::vector<std::string>& names, const cubefold::Grid& grid);

/// Returns the names. Throws std::invalid_argument for names that our_algorithms() refuses on any grid.
std::vector<std::string> known_algorithms(const std::vector<std::string>& names);

/// Reads a value as parse_pacing() does. `auto` returns nothing, which means the plan's synchronisation.
std::optional<cubefold::Pacing> read_pacing(std::string_view text);

/// Returns the plan's choice. Steps are synchronised as the plan says, or as is forced; the prediction then includes
/// the barriers of the forced synchronisation.
PlannedExchange planned_exchange(const cubefold::ExchangePlan& plan, std::optional<cubefold::Pacing> forced);
