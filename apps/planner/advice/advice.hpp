#pragma once

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/plan/exchange_plan.hpp"
#include "planner/planning/exchange_groups.hpp"

namespace cubefold::planner {

struct AdviceQuestion {
  ExchangeGroups groups;  ///< of which one is looked at
  ExchangeModel model;    ///< has one tau
  std::vector<std::size_t> block_sizes;
};

/// A predicted time. It is the least that the algorithm can take if the algorithm sends more at once than queues hold.
struct PredictedTime {
  std::string algorithm;
  double seconds = 0;
  bool is_lower_bound = false;
  RouterSeconds routers = {};  ///< if queues are lossless; `seconds` is that of transit then
};

/// How many times as fast cubefold is as the fastest of MPI's algorithms, over the kinds of routers.
struct GainRange {
  double least;
  double most;
};

/// The predictions for one block size.
struct AdviceRow {
  std::size_t block_bytes = 0;
  std::vector<PredictedTime> mpi;
  PredictedTime ours;  ///< of the planner's choice
  std::string placement;
  double bound_seconds = 0;  ///< no exchange takes less

  /// Returns the fastest of MPI's algorithms. One whose time is a lower bound comes after all others.
  const PredictedTime& fastest_of_mpi() const;

  /// Returns how many times as fast as the fastest of MPI's algorithms our choice is, or 1 if it takes no time.
  double gain() const;

  /// Returns the range of the gain over routers if queues are lossless, and else gain() twice.
  GainRange gains() const;

  /// Returns the gain if queues hold all messages and algorithms take no longer than their lower bounds.
  double gain_with_long_queues() const;

  /// Returns whether the gain is more than the model can be wrong about: 10 %. With lossless queues no kind of routers
  /// may lose.
  bool is_worth_it() const { return gain() >= 1.1 && gains().least >= 1; }
};

struct Advice {
  AdviceQuestion question;
  std::vector<AdviceRow> rows;
};

/// Says how many times the predicted time was measured, over blocks of 8 KiB and more on the emulated networks of
/// docs/performance.md. A test compares these numbers with docs/performance/report.json.
struct ModelError {
  std::string_view algorithm;
  double least;
  double most;
};
inline constexpr std::array<ModelError, 3> model_errors{
    {{"cubefold", 1.01, 1.06}, {"pairwise", 1.03, 1.62}, {"linear", 1.03, 2.72}}};

/// Predicts the times of MPI's algorithms and of the planner's choice. With several ranks on a node, ours is an
/// exchange of nodes, and messages within a node cost nothing. Throws what plan_exchange() throws.
Advice advise(const AdviceQuestion& question);

/// Returns one sentence: which blocks gain how much, or why nothing is to be gained.
std::string verdict(const Advice& advice);

std::string advice_text(const Advice& advice);
nlohmann::ordered_json advice_json(const Advice& advice);

/// Returns a chart of all predicted times over block sizes, both on logarithmic scales. Requires rows with times.
std::string advice_svg(const Advice& advice);

}  // namespace cubefold::planner
