#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cubefold/simulation/machine.hpp"
#include "cubefold/transform/plan_options.hpp"
#include "transform/alternatives.hpp"

namespace cubefold::planner {

/// A transform of complex double-precision points, or of real ones, with one rank on each node of a network.
struct TransformQuestion {
  std::vector<std::size_t> lengths;
  fft::PlanOptions options;
  Machine machine;                ///< the network and its times
  double flops_per_second = 6e9;  ///< rate of a rank's local transforms, which count as 5 n log2 n operations
};

/// The time of one way to perform the transform.
struct TransformRow {
  fft::Alternative way;
  double local_seconds = 0;

  /// These return the times of the exchanges in the routers that take least and most.
  double least_exchange_seconds() const;
  double most_exchange_seconds() const;
};

/// The predictions, the fastest way first.
struct TransformAdvice {
  TransformQuestion question;
  std::vector<TransformRow> rows;
};

/// Predicts a transform of N points on p ranks: 5 N log2 N / (p flops) for the local work, half of it for real numbers,
/// and the exchanges as fft::choose() does. Local work and exchanges do not overlap here. Throws std::invalid_argument
/// for lengths and options that do not fit.
TransformAdvice advise_transform(const TransformQuestion& question);

std::string transform_advice_text(const TransformAdvice& advice);
nlohmann::ordered_json transform_advice_json(const TransformAdvice& advice);

}  // namespace cubefold::planner
