#include "cubefold/simulation/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "step_model.hpp"

namespace cubefold {

namespace {

void require_time(const char* function, const char* name, double seconds) {
  if (std::isfinite(seconds) && seconds >= 0) return;
  throw std::invalid_argument(fmt::format("{}: {} {} is not a time", function, name, seconds));
}

}  // namespace

void require_fit(const char* function, const StepModel& model, const Grid& grid) {
  require_time(function, "alpha", model.alpha_seconds);
  require_time(function, "barrier", model.barrier_seconds);
  for (const double tau : model.tau_seconds_per_byte) require_time(function, "tau", tau);
  const std::size_t tau_count = model.tau_seconds_per_byte.size();
  const bool has_axes = grid.route_table() == nullptr;
  if (tau_count == 1 || (has_axes && tau_count == grid.axes().size() && tau_count > 0)) return;
  throw std::invalid_argument(fmt::format("{}: {} taus on {}; it takes one{}", function, tau_count,
                                          to_string(grid), has_axes ? ", or one per axis" : ""));
}

namespace {

/// Holds the work of one link or port in the current step.
struct Work {
  std::uint64_t bytes = 0;
  std::uint64_t message_count = 0;
  double seconds = 0;
};

/// Holds the work of all links or ports. A step uses few of them, and only those are cleared after it.
class Workload {
 public:
  explicit Workload(std::size_t count) : work_(count) {}

  void add(std::size_t index, std::uint64_t bytes, double seconds) {
    Work& work = work_[index];
    if (work.message_count == 0) used_.push_back(index);
    work.bytes += bytes;
    work.seconds += seconds;
    ++work.message_count;
  }

  /// Returns the largest value of each member, not necessarily of the same link or port.
  Work busiest() const {
    Work most;
    for (const std::size_t index : used_) {
      most.bytes = std::max(most.bytes, work_[index].bytes);
      most.message_count = std::max(most.message_count, work_[index].message_count);
      most.seconds = std::max(most.seconds, work_[index].seconds);
    }
    return most;
  }

  void clear() {
    for (const std::size_t index : used_) work_[index] = Work{};
    used_.clear();
  }

 private:
  std::vector<Work> work_;
  std::vector<std::size_t> used_;
};

/// Throws std::invalid_argument if the schedule has more than 2^64 - 1 bytes. All sums of bytes then fit into 64 bits.
void require_countable(const Schedule& schedule, std::size_t block_bytes) {
  std::size_t block_count = 0;
  for (const Step& step : schedule.steps) {
    for (const Message& message : step) block_count += message.blocks.size();
  }
  if (block_count == 0 || block_bytes <= std::numeric_limits<std::uint64_t>::max() / block_count) return;
  throw std::invalid_argument(fmt::format(
      "simulate_steps: {} blocks of {} bytes are more than 2^64 - 1 bytes", block_count, block_bytes));
}

class StepSimulator {
 public:
  StepSimulator(const Placement& placement, std::size_t block_bytes, const StepModel& model)
      : placement_(placement),
        grid_(placement.grid()),
        block_bytes_(block_bytes),
        model_(model),
        links_(link_index_count(grid_)),
        send_ports_(port_count()),
        receive_ports_(port_count()),
        link_bytes_(link_index_count(grid_)) {}

  StepCost cost(const Step& step) {
    StepCost result{};
    for (const Message& message : step) result.message_count += add(message) ? 1U : 0U;
    const Work link = links_.busiest();
    const Work send = send_ports_.busiest();
    const Work receive = receive_ports_.busiest();
    result.busiest_link_bytes = link.bytes;
    result.startup_count = std::max(send.message_count, receive.message_count);
    result.seconds =
        model_.alpha_seconds * static_cast<double>(result.startup_count) +
        std::max({link.seconds, send.seconds, receive.seconds, std::exchange(longest_message_seconds_, 0)}) +
        model_.barrier_seconds;
    for (Workload* workload : {&links_, &send_ports_, &receive_ports_}) workload->clear();
    return result;
  }

  std::vector<std::uint64_t> link_bytes() && { return std::move(link_bytes_); }

 private:
  std::size_t port_count() const {
    return model_.ports == Ports::one ? grid_.node_count() : link_index_count(grid_);
  }

  std::size_t port(GridNode node, const Link& link) const {
    return model_.ports == Ports::one ? static_cast<std::size_t>(node) : link_index(grid_, link);
  }

  GridNode node_of(Rank rank) const {
    if (label(rank) < placement_.rank_count()) return placement_.node_of(rank);
    throw std::invalid_argument(
        fmt::format("simulate_steps: rank {} is not below {}, the number of nodes of {}", label(rank),
                    placement_.rank_count(), to_string(grid_)));
  }

  /// Adds the message to its links and ports. Returns whether it travels at all.
  bool add(const Message& message) {
    const GridNode from = node_of(message.from);
    const GridNode to = node_of(message.to);
    const auto links = route(grid_, from, to, model_.tie);
    if (links.empty()) return false;

    const std::uint64_t bytes = message.blocks.size() * block_bytes_;
    double slowest_tau = 0;
    for (const Link& link : links) {
      const double tau = tau_of(link);
      links_.add(link_index(grid_, link), bytes, static_cast<double>(bytes) * tau / rate_of(grid_, link));
      link_bytes_[link_index(grid_, link)] += bytes;
      slowest_tau = std::max(slowest_tau, tau);
    }
    const double seconds = static_cast<double>(bytes) * slowest_tau;
    longest_message_seconds_ = std::max(longest_message_seconds_, seconds);
    const double port_seconds = model_.ports == Ports::one ? seconds : 0;
    send_ports_.add(port(from, links.front()), bytes, port_seconds);
    receive_ports_.add(port(to, links.back()), bytes, port_seconds);
    return true;
  }

  /// Returns the tau of a link of rate 1. The links of a route table have no axis.
  double tau_of(const Link& link) const { return model_.tau(grid_.route_table() == nullptr ? link.axis : 0); }

  const Placement& placement_;
  const Grid& grid_;
  std::size_t block_bytes_;
  const StepModel& model_;
  Workload links_;
  Workload send_ports_;
  Workload receive_ports_;
  std::vector<std::uint64_t> link_bytes_;
  double longest_message_seconds_ = 0;  ///< of the current step
};

}  // namespace

StepSimulation simulate_steps(const Placement& placement, const Schedule& schedule, std::size_t block_bytes,
                              const StepModel& model) {
  require_fit("simulate_steps", model, placement.grid());
  if (schedule.rank_count != placement.rank_count()) {
    throw std::invalid_argument(fmt::format("simulate_steps: a schedule of {} ranks on the {} nodes of {}",
                                            schedule.rank_count, placement.rank_count(),
                                            to_string(placement.grid())));
  }
  require_countable(schedule, block_bytes);
  StepSimulator simulator(placement, block_bytes, model);
  StepSimulation result{};
  for (const Step& step : schedule.steps) {
    result.steps.push_back(simulator.cost(step));
    result.total_seconds += result.steps.back().seconds;
  }
  result.link_bytes = std::move(simulator).link_bytes();
  return result;
}

}  // namespace cubefold
