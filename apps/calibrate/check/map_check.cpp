#include "calibrate/check/map_check.hpp"

#include <utility>

#include "calibrate/check/plan.hpp"

namespace cubefold::map_check {

namespace {

constexpr std::uint64_t most_plans = 3;

bool is_final(const Judgement& judgement) {
  return judgement.verdict == Verdict::agrees || judgement.swaps.size() == 1;
}

}  // namespace

MapCheck::MapCheck(Grid network, NodeOfHost node_of_host)
    : network_(std::move(network)), node_of_host_(std::move(node_of_host)) {}

std::vector<Round> MapCheck::next_rounds() {
  asked_.clear();
  if (plan_count_ == 0) return planned_rounds();
  std::vector<Round> doubtful = doubtful_rounds();
  if (!doubtful.empty() || plan_count_ == most_plans || is_final(judgement())) return doubtful;
  return planned_rounds();
}

std::vector<Round> MapCheck::planned_rounds() {
  std::vector<Round> rounds = plan_rounds(network_, node_of_host_, ++plan_count_);
  for (std::size_t i = 0; i < rounds.size(); ++i) asked_.push_back(observations_.size() + i);
  return rounds;
}

std::vector<Round> MapCheck::doubtful_rounds() {
  std::vector<Round> rounds;
  for (const std::size_t i : contradicting(network_, node_of_host_, observations_)) {
    if (is_confirmed_[i]) continue;
    is_confirmed_[i] = true;
    asked_.push_back(i);
    rounds.push_back(observations_[i].round);
  }
  return rounds;
}

void MapCheck::add(std::vector<Observation> observations) {
  if (asked_.empty()) return;
  if (asked_.back() >= observations_.size()) {
    observations_.resize(asked_.back() + 1);
    is_confirmed_.resize(observations_.size());
  }
  for (std::size_t i = 0; i < asked_.size(); ++i) observations_[asked_[i]] = std::move(observations[i]);
}

}  // namespace cubefold::map_check
