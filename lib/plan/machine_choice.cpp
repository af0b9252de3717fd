#include "machine_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "lossless_gain.hpp"

namespace cubefold {

namespace {

/// A choice that is predicted to take more than so many times the lower bound is not taken without a comparison.
constexpr double most_over_bound = 1.2;

/// A method is chosen in place of one whose time was measured if it is predicted to gain so much.
constexpr double least_promised_gain = 1.05;

/// The times of methods with blocks of one size.
class MethodTimes {
 public:
  explicit MethodTimes(const ExchangeSetups& setups) : setups_(setups), model_(setups.model()) {}

  /// Returns the predicted time with message_seconds() in place of the start-ups where these take less.
  double seconds(const ExchangeCandidate& candidate) const {
    const StepTimes times{candidate.cost.groups, model_.alpha_seconds, model_.gap_seconds, 0};
    const double startup_seconds = times.seconds(0, 0);
    return candidate.seconds + std::max(message_seconds(candidate.method) - startup_seconds, 0.0);
  }

  /// Returns the method of a plan with the least time.
  ExchangeMethod fastest(const ExchangePlan& plan) const {
    const ExchangeCandidate* fastest = &plan.choice();
    double least_seconds = seconds(*fastest);
    for (const ExchangeCandidate& next : plan.candidates) {
      if (next.seconds >= least_seconds || next.oversubscribes != fastest->oversubscribes) continue;
      const double next_seconds = seconds(next);
      if (next_seconds >= least_seconds) continue;
      fastest = &next;
      least_seconds = next_seconds;
    }
    return fastest->method;
  }

 private:
  /// Returns the time in which a process sends and receives the messages of a method while all others do so, whatever
  /// their blocks. It is that of `linear` with the shortest blocks of the machine file, less that of their bytes on
  /// links, for as many messages: the file's gap is that of a single stream. Returns 0 if the file has no such time.
  double message_seconds(const ExchangeMethod& method) const {
    const auto& known = setups_.facts().machine->plain_exchanges;
    if (known.empty()) return 0;
    const auto bytes = static_cast<double>(known.front().block_bytes);
    const double link_seconds =
        setups_.load_of(linear_method, model_.network.ports).blocks * bytes * model_.slowest_tau();
    const double all_seconds = std::max(known.front().linear_seconds - link_seconds, 0.0);
    return all_seconds * setups_.load_of(method, Ports::one).startups /
           setups_.load_of(linear_method, Ports::one).startups;
  }

  const ExchangeSetups& setups_;
  ExchangeModel model_;
};

Decision decision_on_lossless_network(const ExchangeSetups& setups, const ExchangePlan& plan) {
  const LosslessGain gain = lossless_gain(plan, setups.facts().placement, *setups.facts().machine);
  const ExchangeMethod& best = plan.choice().method;
  const std::string gains = fmt::format("{} is predicted to be {:.2f} to {:.2f} times as fast; {}",
                                        to_string(best), gain.least, gain.most, plan.why);
  if (best != linear_method && gain.least >= least_promised_gain)
    return Decision::by_rule(setups.candidate_of(plan), describe(plan) + fmt::format("MPI: {}\n", gains));
  if (gain.is_linear_fastest) return Decision::by_rule({linear_method}, fmt::format("linear: {}\n", gains));
  return Decision::by_rule(mpi_candidate, fmt::format("MPI's own all-to-all: {}\n", gains));
}

}  // namespace

Decision decision_by_machine(const ExchangeSetups& setups, std::size_t block_bytes) {
  const JobFacts& facts = setups.facts();
  ExchangePlan plan = setups.plan_on(facts.placement, block_bytes, {});
  if (facts.queues() == Queues::lossless) return decision_on_lossless_network(setups, plan);
  const MethodTimes method_times(setups);
  const ExchangeMethod method = method_times.fastest(plan);
  if (method != plan.choice().method) plan = setups.plan_on(facts.placement, block_bytes, {{method}});
  const double seconds = method_times.seconds(plan.choice());
  const std::string name = to_string(method);
  const auto times = plain_exchange_times(*facts.machine, block_bytes);
  if (!times && seconds > most_over_bound * plan.bound.seconds()) {
    return Decision::by_rule(
        mpi_candidate,
        fmt::format("MPI's own all-to-all: {} is predicted to take {:.3g} times the bound, and the "
                    "machine file has no times of MPI_Alltoall to compare with\n",
                    name, seconds / plan.bound.seconds()));
  }
  if (!times || seconds * least_promised_gain <= std::min(times->alltoall_seconds, times->linear_seconds))
    return Decision::by_rule(setups.candidate_of(plan), describe(plan));
  const auto reason = [&](double measured) {
    return fmt::format("{:.4g} ms by the machine file; {} is predicted to take {:.4g} ms", measured * 1e3,
                       name, seconds * 1e3);
  };
  if (times->alltoall_seconds <= times->linear_seconds) {
    return Decision::by_rule(mpi_candidate,
                             fmt::format("MPI's own all-to-all: {}\n", reason(times->alltoall_seconds)));
  }
  return Decision::by_rule({linear_method}, fmt::format("linear: {}\n", reason(times->linear_seconds)));
}

}  // namespace cubefold
