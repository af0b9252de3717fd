#include "exchange/cases.hpp"

std::vector<ExchangeCase> cases_of(const Contest& contest, const cubefold::Placement& placement,
                                   const cubefold::ExchangeModel& model) {
  std::vector<ExchangeCase> cases;
  for (const std::size_t block_bytes : contest.block_sizes) {
    for (const OurAlgorithm& algorithm : contest.ours) {
      const auto plan = plan_exchange(placement, block_bytes, model, {.methods = algorithm.methods});
      cases.push_back({block_bytes, algorithm.name, plan.bound.seconds(), std::nullopt});
      if (algorithm.name != library_name) cases.back().ours = planned_exchange(plan, contest.pacing);
    }
    const double bound_seconds = cases.back().bound_seconds;
    for (const Rival& rival : contest.rivals)
      cases.push_back({block_bytes, rival.algorithm, bound_seconds, std::nullopt});
  }
  return cases;
}
