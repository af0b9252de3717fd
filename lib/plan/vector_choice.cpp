#include "vector_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

namespace cubefold {

namespace {

constexpr const char* by_mpi = "MPI's own function";

/// Returns the reason why calls are left to MPI unless a method is requested, or an empty text.
std::string reason_for_mpi(const JobFacts& facts) {
  if (facts.host_count == 1) return "all processes share the memory of one host";
  return facts.knows_network ? "" : facts.source;
}

ExchangeModel model_of(const JobFacts& facts) {
  if (facts.machine) return exchange_model(*facts.machine, Tie::balanced);
  ExchangeModel model = typical_network();
  model.network.ports = facts.ports;
  return model;
}

/// Returns the ranks on each node, also if it is one.
NodeSharing ranks_on_nodes(const JobFacts& facts) {
  return facts.sharing ? *facts.sharing : NodeSharing(facts.placement, 1);
}

/// Returns why a method does not fit, or an empty text.
std::string misfit(VectorCollective collective, const VectorMethod& method, const NodeSharing& sharing) {
  try {
    vector_parts(collective, method, sharing);
    return "";
  } catch (const std::invalid_argument& unfit) {
    return unfit.what();
  }
}

/// Returns the methods that keep the order of the ranks, with their times.
std::vector<VectorCandidate> candidates_in_order(VectorCollective collective, const Placement& placement,
                                                 const ExchangeModel& model) {
  auto methods = vector_methods(collective, placement.grid(), model.network.ports);
  std::erase_if(methods, [](const VectorMethod& each) { return !keeps_order(each.algorithm); });
  if (methods.empty()) return {};
  return plan_vector(collective, placement, 0, model, methods).candidates;
}

/// Returns the method with the least predicted time of those that are right for the operation.
const VectorCandidate& fastest(const std::vector<VectorCandidate>& candidates, std::size_t vector_bytes,
                               Exactness exactness) {
  return *std::ranges::min_element(candidates, {}, [&](const VectorCandidate& each) {
    return is_right_for(each.method.algorithm, exactness) ? each.time.seconds(vector_bytes)
                                                          : std::numeric_limits<double>::infinity();
  });
}

double least_seconds(const std::vector<LinearTime>& times, std::size_t vector_bytes) {
  double least = std::numeric_limits<double>::infinity();
  for (const LinearTime& time : times) least = std::min(least, time.seconds(vector_bytes));
  return least;
}

}  // namespace

bool is_right_for(VectorAlgorithm algorithm, Exactness exactness) {
  switch (exactness) {
    case Exactness::exact:
      return true;
    case Exactness::rounded:
      return algorithm != VectorAlgorithm::whole_swing;
    case Exactness::unknown:
      return !is_whole(algorithm) || keeps_order(algorithm);
    case Exactness::ordered:
      break;
  }
  return keeps_order(algorithm);
}

VectorChooser::VectorChooser(JobFacts facts) : facts_(std::move(facts)), unplanned_(reason_for_mpi(facts_)) {
  const RequestedVectorMethod& requested = facts_.requests.vector_method;
  if (requested.is_mpi) {
    rule_ = fmt::format("{}: {} says so", by_mpi, vector_variable);
  } else if (!requested.method && !unplanned_.empty()) {
    rule_ = fmt::format("{}: {}", by_mpi, unplanned_);
  }
}

std::string VectorChooser::refusal(VectorCollective collective) const {
  const RequestedVectorMethod& requested = facts_.requests.vector_method;
  if (!requested.method || rule_) return "";
  const std::string reason = misfit(collective, *requested.method, ranks_on_nodes(facts_));
  return reason.empty() ? "" : fmt::format("{} '{}' is ignored: {}", vector_variable, requested.text, reason);
}

bool VectorChooser::is_prepared(VectorCollective collective) const {
  return prepared_.at(static_cast<std::size_t>(collective)).has_value();
}

void VectorChooser::prepare(VectorCollective collective) {
  if (is_prepared(collective)) return;
  Prepared made;
  if (!rule_ && refusal(collective).empty()) made.requested = facts_.requests.vector_method.method;
  if (!rule_ && unplanned_.empty()) {
    const ExchangeModel model = model_of(facts_);
    const NodeSharing sharing = ranks_on_nodes(facts_);
    made.in_any_order = {plan_vector(collective, sharing, 0, model).candidates,
                         vector_times_of_mpi(collective, sharing, model)};
    if (!facts_.sharing) {
      made.in_order = {candidates_in_order(collective, facts_.placement, model),
                       vector_times_of_mpi(collective, sharing, model, true)};
    }
  }
  prepared_.at(static_cast<std::size_t>(collective)) = std::move(made);
}

std::optional<VectorMethod> VectorChooser::method_for(VectorCollective collective, std::size_t vector_bytes,
                                                      Exactness exactness) const {
  const auto& requested = prepared(collective).requested;
  if (requested && is_right_for(requested->algorithm, exactness)) return requested;
  const auto& ours = prepared(collective).compared(exactness).ours;
  if (ours.empty()) return std::nullopt;
  const auto& best = fastest(ours, vector_bytes, exactness);
  const double seconds_of_mpi = this->seconds_of_mpi(collective, vector_bytes, exactness);
  if (best.time.seconds(vector_bytes) * least_gain > seconds_of_mpi) return std::nullopt;
  return best.method;
}

std::optional<double> VectorChooser::measured_seconds_of_mpi(VectorCollective collective,
                                                             std::size_t vector_bytes,
                                                             Exactness exactness) const {
  if (collective != VectorCollective::allreduce || exactness == Exactness::ordered) return std::nullopt;
  if (!facts_.machine || facts_.sharing) return std::nullopt;
  return plain_allreduce_seconds(*facts_.machine, vector_bytes);
}

double VectorChooser::seconds_of_mpi(VectorCollective collective, std::size_t vector_bytes,
                                     Exactness exactness) const {
  const auto measured = measured_seconds_of_mpi(collective, vector_bytes, exactness);
  return measured ? *measured : least_seconds(prepared(collective).compared(exactness).of_mpi, vector_bytes);
}

bool VectorChooser::is_measured(VectorCollective collective, std::size_t vector_bytes,
                                Exactness exactness) const {
  const auto& requests = facts_.requests;
  if (prepared(collective).requested || requests.round_count == 0) return false;
  if (requests.vector_method.is_tuned) return !prepared(collective).compared(exactness).ours.empty();
  return exactness == Exactness::exact && method_for(collective, vector_bytes, exactness);
}

Decision VectorChooser::measured_candidates(VectorCollective collective, std::size_t vector_bytes,
                                            Exactness exactness) const {
  if (!is_measured(collective, vector_bytes, exactness)) return {};
  const auto& ours = prepared(collective).compared(exactness).ours;
  const auto seconds_of = [&](const VectorCandidate& each) { return each.time.seconds(vector_bytes); };
  const double most = most_longer * seconds_of(fastest(ours, vector_bytes, exactness));
  std::vector<VectorCandidate> near;
  std::ranges::copy_if(ours, std::back_inserter(near), [&](const VectorCandidate& each) {
    return is_right_for(each.method.algorithm, exactness) && seconds_of(each) <= most;
  });
  std::ranges::stable_sort(near, {}, seconds_of);
  Decision decision{.candidates = {{.backend = Backend::mpi}},
                    .round_count = facts_.requests.round_count.value_or(least_rounds)};
  for (const VectorCandidate& each : near) {
    decision.candidates.push_back(
        {.predicted_seconds = facts_.machine ? seconds_of(each) : 0, .vector_method = each.method});
  }
  return decision;
}

std::string VectorChooser::reason_for(const std::optional<VectorMethod>& method, VectorCollective collective,
                                      std::size_t vector_bytes, Exactness exactness) const {
  if (rule_) return *rule_;
  const std::string name = method ? fmt::format("{}, {}", to_string(*method), description(*method)) : by_mpi;
  if (method && method == prepared(collective).requested)
    return fmt::format("{}: {} says so", name, vector_variable);
  const auto& ours = prepared(collective).compared(exactness).ours;
  if (ours.empty() && unplanned_.empty()) {
    return fmt::format("{}: the operation does not commute, and ranks share nodes", name);
  }
  if (ours.empty()) return fmt::format("{}: {}", name, unplanned_);
  const auto& best = fastest(ours, vector_bytes, exactness);
  const bool is_measured = measured_seconds_of_mpi(collective, vector_bytes, exactness).has_value();
  return fmt::format("{}: {} is predicted to take {:.4g} ms, and MPI's own function {}{:.4g} ms", name,
                     to_string(best.method), best.time.seconds(vector_bytes) * 1e3,
                     is_measured ? "takes by the machine file " : "",
                     seconds_of_mpi(collective, vector_bytes, exactness) * 1e3);
}

VectorDecision VectorChooser::decide(VectorCollective collective, std::size_t vector_bytes,
                                     Exactness exactness) const {
  const auto method = method_for(collective, vector_bytes, exactness);
  const std::string reason = reason_for(method, collective, vector_bytes, exactness);
  const auto& requested = prepared(collective).requested;
  std::string ignored = refusal(collective);
  if (requested && method != requested) {
    ignored = fmt::format("{} '{}' is ignored: {}", vector_variable, to_string(*requested),
                          exactness == Exactness::ordered ? "it does not keep the order of operands"
                                                          : "ranks might get different bits by it");
  }
  return {method, ignored.empty() ? reason : fmt::format("{}; {}", reason, ignored)};
}

std::optional<std::size_t> VectorChooser::least_bytes(VectorCollective collective) const {
  if (prepared(collective).requested) return 0;
  if (facts_.requests.vector_method.is_tuned && !prepared(collective).in_any_order.ours.empty()) return 1;
  for (std::size_t bytes = 1; bytes <= std::size_t{1} << 40; bytes *= 2)
    if (method_for(collective, bytes, Exactness::exact)) return bytes;
  return std::nullopt;
}

}  // namespace cubefold
