#include "vector_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

namespace cubefold {

namespace {

constexpr const char* by_mpi = "MPI's own function";

/// Returns the reason why calls are left to MPI unless a method is requested, or an empty text.
std::string reason_for_mpi(const JobFacts& facts) {
  if (facts.host_count == 1) return "all processes share the memory of one host";
  if (!facts.knows_network) return facts.source;
  return vector_methods(VectorCollective::allreduce, facts.network(), facts.ports).empty()
             ? fmt::format("{} has no axes", to_string(facts.network()))
             : "";
}

ExchangeModel model_of(const JobFacts& facts) {
  if (facts.machine) return exchange_model(*facts.machine, Tie::balanced);
  ExchangeModel model = typical_network();
  model.network.ports = facts.ports;
  return model;
}

/// Returns why a method does not fit, or an empty text.
std::string misfit(VectorCollective collective, const VectorMethod& method, const Placement& placement) {
  try {
    vector_parts(collective, method, placement);
    return "";
  } catch (const std::invalid_argument& unfit) {
    return unfit.what();
  }
}

}  // namespace

VectorChooser::VectorChooser(JobFacts facts) : facts_(std::move(facts)) {
  const RequestedVectorMethod& requested = facts_.requests.vector_method;
  const std::string reason = reason_for_mpi(facts_);
  is_planned_ = reason.empty();
  if (requested.is_mpi) {
    rule_ = fmt::format("{}: {} says so", by_mpi, vector_variable);
  } else if (facts_.sharing) {
    rule_ = fmt::format("{}: several ranks share a node", by_mpi);
  } else if (!requested.method && !is_planned_) {
    rule_ = fmt::format("{}: {}", by_mpi, reason);
  }
}

std::string VectorChooser::refusal(VectorCollective collective) const {
  const RequestedVectorMethod& requested = facts_.requests.vector_method;
  if (!requested.method || rule_) return "";
  const std::string reason = misfit(collective, *requested.method, facts_.placement);
  return reason.empty() ? "" : fmt::format("{} '{}' is ignored: {}", vector_variable, requested.text, reason);
}

bool VectorChooser::is_requested(VectorCollective collective) const {
  return !rule_ && facts_.requests.vector_method.method && refusal(collective).empty();
}

const VectorChooser::Times& VectorChooser::times_of(VectorCollective collective) {
  auto& times = times_.at(static_cast<std::size_t>(collective));
  if (!times) {
    const ExchangeModel model = model_of(facts_);
    times = Times{plan_vector(collective, facts_.placement, 0, model).candidates,
                  vector_times_of_mpi(collective, facts_.placement, model)};
  }
  return *times;
}

VectorDecision VectorChooser::decide(VectorCollective collective, std::size_t vector_bytes, bool is_exact) {
  if (rule_) return {std::nullopt, *rule_};
  if (is_requested(collective)) {
    const VectorMethod& method = *facts_.requests.vector_method.method;
    if (is_exact || method.algorithm != VectorAlgorithm::whole_swing)
      return {method, fmt::format("{}: {} says so", to_string(method), vector_variable)};
  }
  if (!is_planned_) return {std::nullopt, fmt::format("{}: {}", by_mpi, reason_for_mpi(facts_))};
  const auto& [ours, of_mpi] = times_of(collective);
  const auto at_size = [&](const LinearTime& time) { return time.seconds(vector_bytes); };
  const VectorCandidate& best =
      *std::ranges::min_element(ours, {}, [&](const VectorCandidate& each) { return at_size(each.time); });
  const double seconds = at_size(best.time);
  const double seconds_of_mpi = at_size(*std::ranges::min_element(of_mpi, {}, at_size));
  const std::string times = fmt::format("{} is predicted to take {:.4g} ms, and MPI's own function {:.4g} ms",
                                        to_string(best.method), seconds * 1e3, seconds_of_mpi * 1e3);
  if (seconds * least_gain > seconds_of_mpi) return {std::nullopt, fmt::format("{}: {}", by_mpi, times)};
  return {best.method, fmt::format("{}: {}", to_string(best.method), times)};
}

std::optional<std::size_t> VectorChooser::least_bytes(VectorCollective collective) {
  if (rule_) return std::nullopt;
  if (is_requested(collective)) return 0;
  for (std::size_t bytes = 1; bytes <= std::size_t{1} << 40; bytes *= 2)
    if (!decide(collective, bytes, true).is_mpi()) return bytes;
  return std::nullopt;
}

}  // namespace cubefold
