#include "alltoall_candidate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace cubefold {

namespace {

constexpr const char* mpis_own = "MPI's own all-to-all";

/// Returns the part of a candidate's name that follows its method, without its ports.
std::string suffix_of_steps(const AlltoallCandidate& candidate) {
  switch (candidate.backend) {
    case Backend::nodes:
      return " between nodes";
    case Backend::slots:
      return " between slots";
    case Backend::by_size:
      return " by size";
    case Backend::schedule:
    case Backend::mpi:
      break;
  }
  if (candidate.window_steps == unlimited_steps) return " at once";
  if (candidate.window_steps && *candidate.window_steps != short_window_steps)
    return fmt::format(" with {} steps ahead", *candidate.window_steps);
  return candidate.sync ? fmt::format(" by {}", to_string(*candidate.sync)) : "";
}

std::string suffix(const AlltoallCandidate& candidate) {
  return suffix_of_steps(candidate) + (candidate.ports == Ports::all ? " on all ports" : "");
}

}  // namespace

const char* to_string(CallKind kind) {
  switch (kind) {
    case CallKind::blocking:
      return "blocking";
    case CallKind::overlapped:
      return "overlapped";
    case CallKind::unequal:
      return "unequal";
    case CallKind::typed:
      return "typed";
    case CallKind::vector:
      break;
  }
  return "vector";
}

CallClass class_of(CallKind kind, const ExchangeSizes& sizes) {
  const auto width = [](std::uint64_t bytes) { return static_cast<std::size_t>(std::bit_width(bytes)); };
  const std::size_t largest = width(sizes.largest_bytes);
  if (!have_several_sizes(kind)) return {kind, largest};
  const std::size_t process = width(sizes.process_bytes);
  return {kind, largest, process, width(sizes.sent_bytes) <= largest + 1 && process <= largest + 3};
}

std::string to_string(const AlltoallCandidate& candidate) {
  if (candidate.vector_method) return to_string(*candidate.vector_method);
  if (candidate.neighbour_method) return std::string(to_string(*candidate.neighbour_method));
  return candidate.method ? to_string(*candidate.method) + suffix(candidate) : mpis_own;
}

// Names begin with the text of a method, which has no blanks.
AlltoallCandidate parse_candidate(const std::string& name) {
  if (name == mpis_own) return {.backend = Backend::mpi};
  const std::size_t end = std::min(name.find(' '), name.size());
  const ExchangeMethod method = parse_exchange_method(name.substr(0, end));
  for (const std::optional<Ports> ports : {std::optional<Ports>(), std::optional(Ports::all)}) {
    for (AlltoallCandidate candidate : {AlltoallCandidate{method},
                                        {method, 0, Backend::schedule, StepSync::data},
                                        {method, 0, Backend::schedule, StepSync::clock},
                                        {method, 0, Backend::nodes},
                                        {method, 0, Backend::slots},
                                        {method, 0, Backend::by_size},
                                        {method, 0, Backend::schedule, std::nullopt, unlimited_steps},
                                        {method, 0, Backend::schedule, std::nullopt, long_window_steps}}) {
      candidate.ports = ports;
      if (suffix(candidate) == name.substr(end)) return candidate;
    }
  }
  throw std::invalid_argument(fmt::format("'{}' is no way to exchange blocks", name));
}

}  // namespace cubefold
