#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cubefold/embedding/node_sharing.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "plan/vector_plan.hpp"

namespace cubefold::planner {

/// Vectors of these sizes, with equally many ranks on each node of a network.
struct VectorQuestion {
  VectorCollective collective = VectorCollective::allreduce;
  NodeSharing sharing;
  ExchangeModel model;
  std::vector<std::size_t> vector_sizes;
};

/// Times for one size: of the fastest of vector_times_of_mpi(), and of the choice of plan_vector().
struct VectorRow {
  std::size_t vector_bytes = 0;
  double mpi_seconds = 0;
  VectorMethod method;
  double seconds = 0;
  double bound_seconds = 0;

  /// Returns MPI's time over ours, or 1 if both are 0.
  double gain() const { return seconds > 0 ? mpi_seconds / seconds : 1; }
};

struct VectorAdvice {
  VectorQuestion question;
  std::vector<VectorRow> rows;
};

/// Predicts the times, by the model of plan_vector(). Throws what it throws.
VectorAdvice advise_vectors(const VectorQuestion& question);

std::string vector_advice_text(const VectorAdvice& advice);
nlohmann::ordered_json vector_advice_json(const VectorAdvice& advice);

}  // namespace cubefold::planner
