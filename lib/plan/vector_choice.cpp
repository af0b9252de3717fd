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

/// Returns the method with the least predicted time of those that give all ranks the same bits.
const VectorCandidate& fastest(const std::vector<VectorCandidate>& candidates, std::size_t vector_bytes,
                               Exactness exactness) {
  return *std::ranges::min_element(candidates, {}, [&](const VectorCandidate& each) {
    return gives_equal_bits(each.method.algorithm, exactness) ? each.time.seconds(vector_bytes)
                                                              : std::numeric_limits<double>::infinity();
  });
}

double least_seconds(const std::vector<LinearTime>& times, std::size_t vector_bytes) {
  double least = std::numeric_limits<double>::infinity();
  for (const LinearTime& time : times) least = std::min(least, time.seconds(vector_bytes));
  return least;
}

}  // namespace

bool gives_equal_bits(VectorAlgorithm algorithm, Exactness exactness) {
  switch (exactness) {
    case Exactness::exact:
      return true;
    case Exactness::rounded:
      return algorithm != VectorAlgorithm::whole_swing;
    case Exactness::unknown:
      break;
  }
  return !is_whole(algorithm);
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
    made.ours = plan_vector(collective, sharing, 0, model).candidates;
    made.of_mpi = vector_times_of_mpi(collective, sharing, model);
  }
  prepared_.at(static_cast<std::size_t>(collective)) = std::move(made);
}

std::optional<VectorMethod> VectorChooser::method_for(VectorCollective collective, std::size_t vector_bytes,
                                                      Exactness exactness) const {
  const auto& [requested, ours, of_mpi] = prepared(collective);
  if (requested && gives_equal_bits(requested->algorithm, exactness)) return requested;
  if (ours.empty()) return std::nullopt;
  const auto& best = fastest(ours, vector_bytes, exactness);
  if (best.time.seconds(vector_bytes) * least_gain > least_seconds(of_mpi, vector_bytes)) return std::nullopt;
  return best.method;
}

VectorDecision VectorChooser::decide(VectorCollective collective, std::size_t vector_bytes,
                                     Exactness exactness) {
  if (rule_) return {std::nullopt, *rule_};
  prepare(collective);
  const auto method = method_for(collective, vector_bytes, exactness);
  const std::string name = method ? to_string(*method) : by_mpi;
  const auto& [requested, ours, of_mpi] = prepared(collective);
  if (method && method == requested) return {method, fmt::format("{}: {} says so", name, vector_variable)};
  if (ours.empty()) return {method, fmt::format("{}: {}", name, unplanned_)};
  const auto& best = fastest(ours, vector_bytes, exactness);
  return {method, fmt::format("{}: {} is predicted to take {:.4g} ms, and MPI's own function {:.4g} ms", name,
                              to_string(best.method), best.time.seconds(vector_bytes) * 1e3,
                              least_seconds(of_mpi, vector_bytes) * 1e3)};
}

std::optional<std::size_t> VectorChooser::least_bytes(VectorCollective collective) const {
  if (prepared(collective).requested) return 0;
  for (std::size_t bytes = 1; bytes <= std::size_t{1} << 40; bytes *= 2)
    if (method_for(collective, bytes, Exactness::exact)) return bytes;
  return std::nullopt;
}

}  // namespace cubefold
