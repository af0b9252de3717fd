#include "measured_methods.hpp"

#include <algorithm>

namespace cubefold {
namespace {

constexpr double most_over_best = 1.75;
constexpr double least_startup_share = 0.1;

bool contains(const std::vector<ExchangeCandidate>& methods, const ExchangeMethod& method) {
  return std::ranges::find(methods, method, &ExchangeCandidate::method) != methods.end();
}

void add_best(std::vector<ExchangeCandidate>& methods, const ExchangePlan& plan, std::size_t count) {
  for (const ExchangeCandidate& next : plan.candidates) {
    if (count == 0 || next.oversubscribes || next.seconds > most_over_best * plan.choice().seconds) return;
    if (contains(methods, next.method)) continue;
    methods.push_back(next);
    --count;
  }
}

void add_axes(std::vector<ExchangeCandidate>& methods, const ExchangePlan& plan) {
  for (const ExchangeCandidate& next : plan.candidates) {
    const bool is_axes = next.method.algorithm == ExchangeAlgorithm::axes;
    if (is_axes && !next.oversubscribes && !contains(methods, next.method)) methods.push_back(next);
  }
}

/// Returns the part of the best time that start-ups take. Requires that the gap is alpha.
double startup_share(const ExchangePlan& plan) {
  const std::size_t piece_bytes = std::max<std::size_t>(plan.piece_bytes, 1);
  const std::size_t round_count = (plan.block_bytes + piece_bytes - 1) / piece_bytes;
  const auto startups = static_cast<double>(plan.choice().cost.startup_count() * round_count);
  return startups * plan.model.alpha_seconds / plan.choice().seconds;
}

}  // namespace

std::vector<ExchangeCandidate> measured_methods(const Placement& placement, std::size_t block_bytes,
                                                const ExchangeModel& model, std::size_t count) {
  ExchangeModel careful = model;
  careful.gap_seconds = careful.alpha_seconds;
  std::vector<ExchangeCandidate> methods;
  add_best(methods, plan_exchange(placement, block_bytes, model), count);
  const ExchangePlan plan = plan_exchange(placement, block_bytes, careful);
  if (startup_share(plan) <= least_startup_share) return methods;
  add_best(methods, plan, count);
  add_axes(methods, plan);
  return methods;
}

ExchangeMethod non_forwarding_method(const Grid& grid) {
  const auto methods = compared_methods(grid);
  const ExchangeMethod direct{ExchangeAlgorithm::direct, {}};
  const bool has_direct = std::find(methods.begin(), methods.end(), direct) != methods.end();
  return has_direct ? direct : ExchangeMethod{ExchangeAlgorithm::shifted, {}};
}

}  // namespace cubefold
