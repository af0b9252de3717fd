// Programs of 99 calls on simulated networks, whose tuner knows no machine file.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "plan/tuner.hpp"
#include "simulation/packets.hpp"
#include "support/alltoall_jobs.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

constexpr double tau_seconds = 8 / 10e6;
constexpr double cpu_seconds = 20e-6;

/// A network whose queues hold everything, and a program that exchanges blocks of one size on it.
struct Scene {
  const char* grid;
  Ports ports;
  std::size_t block_bytes;
  /// How much longer an exchange takes that sends more than a link can carry, as TCP does where queues are long:
  /// 1.1 on emulated networks.
  double crowding = 1;
};

std::string name_of(const Scene& scene) {
  return std::string(scene.grid) + ", " + std::string(to_string(scene.ports)) + " ports, " +
         std::to_string(scene.block_bytes) + " bytes, crowding " + std::to_string(scene.crowding);
}

/// Simulates exchanges, and keeps their times.
class SimulatedNetwork {
 public:
  explicit SimulatedNetwork(const Scene& scene) : scene_(scene), job_(job_on(scene.grid)), chooser_(job_) {
    network_.tau_seconds_per_byte = {tau_seconds};
    network_.packet_bytes = static_cast<std::uint32_t>(std::max<std::size_t>(1500, scene.block_bytes / 4));
    network_.buffer_packets = unlimited_buffer;
    network_.hop_seconds = cpu_seconds;
    network_.arbitration = Arbitration::voq;
    network_.ports = scene.ports;
    nodes_ = {.post_seconds = cpu_seconds, .complete_seconds = cpu_seconds, .adapter_seconds = cpu_seconds};
  }

  Decision decision() const { return chooser_.decide(CallKind::blocking, sizes()); }

  /// Returns the time of a call with a candidate of the chooser, without noise.
  double seconds_of(const AlltoallCandidate& candidate) { return seconds_of(candidate, chooser_); }

  /// Returns the time of the fastest candidate of a chooser that has a file of the network, and of MPI's algorithms.
  double best_seconds() {
    double best = best_of_mpi();
    const AlltoallChooser calibrated(with_file());
    for (const auto& each : calibrated.decide(CallKind::blocking, sizes()).candidates)
      best = std::min(best, seconds_of(each, calibrated));
    return best;
  }

  double best_of_mpi() {
    return std::min(crowded(MpiAlltoall::linear), simulated(program_of(MpiAlltoall::pairwise)));
  }

 private:
  ExchangeSizes sizes() const { return {scene_.block_bytes, scene_.block_bytes, scene_.block_bytes}; }

  JobFacts with_file() const {
    JobFacts job = job_;
    Machine machine{job.network()};
    machine.alpha_seconds = 5 * cpu_seconds;
    machine.gap_seconds = 2 * cpu_seconds;
    machine.tau_seconds_per_byte = {tau_seconds};
    machine.barrier_seconds = 10 * cpu_seconds;
    machine.ports = scene_.ports;
    machine.host_count = job.host_count;
    job.machine = std::move(machine);
    return job;
  }

  PacketProgram program_of(MpiAlltoall algorithm) const {
    return mpi_program(node_of_rank(job_.placement), algorithm, scene_.block_bytes);
  }

  double simulated(const PacketProgram& program) const {
    return simulate_packets(job_.placement.grid(), network_, nodes_, program).total_seconds;
  }

  double crowded(MpiAlltoall algorithm) const { return scene_.crowding * simulated(program_of(algorithm)); }

  /// Returns the time of MPI's own all-to-all, whose algorithm depends on the size as that of Open MPI does.
  double mpi_seconds() const {
    if (scene_.block_bytes <= 200) return simulated(program_of(MpiAlltoall::bruck));
    if (scene_.block_bytes < 3000) return crowded(MpiAlltoall::linear);
    return simulated(program_of(MpiAlltoall::pairwise));
  }

  double seconds_of(const AlltoallCandidate& candidate, const AlltoallChooser& chooser) {
    const double tau = candidate.slot_tau_seconds.value_or(0);
    const auto [known, is_new] = seconds_.try_emplace({to_string(candidate), tau, &chooser != &chooser_}, 0);
    if (is_new) known->second = simulated_seconds(candidate, chooser);
    return known->second;
  }

  double simulated_seconds(const AlltoallCandidate& candidate, const AlltoallChooser& chooser) const {
    if (candidate.backend == Backend::mpi) return mpi_seconds();
    if (candidate.method == linear) return crowded(MpiAlltoall::linear);
    const AlltoallSetup setup = chooser.setup_of(candidate, scene_.block_bytes);
    const Schedule schedule = exchange_schedule(setup.method, job_.placement, setup.network);
    if (setup.sync == StepSync::clock) return clocked_seconds(setup, schedule);
    const bool is_at_once = setup.send_window_steps >= schedule.steps.size();
    const std::size_t window = is_at_once ? 0 : setup.send_window_steps;
    const double seconds = simulated(program_by_data(job_.placement, schedule, scene_.block_bytes, {window}));
    return is_at_once ? scene_.crowding * seconds : seconds;
  }

  double clocked_seconds(const AlltoallSetup& setup, const Schedule& schedule) const {
    PacketProgram program = program_by_data(job_.placement, schedule, scene_.block_bytes);
    StepSlots slots(setup.times, scene_.block_bytes, 0);
    std::vector<std::vector<double>> begins(schedule.rank_count);  // of the messages of each rank
    for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
      slots.go_to(0, step);
      for (const Message& message : schedule.steps[step])
        begins[label(message.from)].push_back(slots.begin());
    }
    std::size_t next = 0;
    for (const auto& of_rank : begins)
      for (const double begin : of_rank) program.messages[next++].not_before_seconds = begin;
    const double bound = complete_exchange_bound(job_.placement.grid(), scene_.block_bytes,
                                                 {0, {tau_seconds}, 0, scene_.ports})
                             .seconds();
    const bool is_crowded = setup.times.seconds(scene_.block_bytes, 0) < bound;
    return (is_crowded ? scene_.crowding : 1) * simulated(program);
  }

  Scene scene_;
  JobFacts job_;
  AlltoallChooser chooser_;
  PacketNetwork network_;
  PacketNodes nodes_;
  std::map<std::tuple<std::string, double, bool>, double> seconds_;
};

/// Multiplies times by up to 1 + `noise`, and one in 100 by 3.
class Noise {
 public:
  Noise(double noise, std::uint32_t seed) : noise_(noise), random_(seed) {}

  double operator()(double seconds) {
    const double share = static_cast<double>(random_() % 1000) / 1000;
    return seconds * (1 + noise_ * share) * (random_() % 100 == 0 ? 3 : 1);
  }

 private:
  double noise_;
  std::mt19937 random_;
};

/// The outcome of a program of 99 calls.
struct ProgramResult {
  double final_seconds = 0;  ///< of a call with the last choice, without noise
  double slowest_trial = 0;
  std::string fault = {};  ///< a broken rule of the limit of trials
};

template <typename AnyTuner>
ProgramResult play(SimulatedNetwork& network, AnyTuner tuner, std::size_t block_bytes, Noise noise) {
  ProgramResult result;
  std::size_t late_trials = 0;
  for (std::size_t call = 1; call <= 99; ++call) {
    const Tuner::NextCall next = tuner.next(block_bytes);
    if (!next.is_measured) continue;
    late_trials += call > 10 && !tuner.is_decided() ? 1U : 0U;
    if (10 * late_trials > call)
      result.fault = std::to_string(late_trials) + " by call " + std::to_string(call);
    const double seconds = noise(network.seconds_of(tuner.candidates()[next.candidate]));
    result.slowest_trial = std::max(result.slowest_trial, seconds);
    tuner.record(seconds);
  }
  result.final_seconds = network.seconds_of(tuner.candidates()[tuner.best()]);
  return result;
}

/// Calls every candidate in turn, and leaves none out.
class TunerOfAll {
 public:
  explicit TunerOfAll(Decision decision)
      : candidates_(std::move(decision.candidates)), seconds_(candidates_.size(), 0) {
    for (AlltoallCandidate& each : candidates_)
      if (each.has_no_slots_yet()) each.slot_tau_seconds = tau_seconds;
  }

  Tuner::NextCall next(std::uint64_t /*bytes*/) { return {call_count_++ % candidates_.size(), true}; }
  void record(double seconds) { seconds_[(call_count_ - 1) % candidates_.size()] = seconds; }
  bool is_decided() const { return false; }
  std::size_t best() const {
    return static_cast<std::size_t>(std::ranges::min_element(seconds_) - seconds_.begin());
  }
  const std::vector<AlltoallCandidate>& candidates() const { return candidates_; }

 private:
  std::vector<AlltoallCandidate> candidates_;
  std::vector<double> seconds_;
  std::size_t call_count_ = 0;
};

Tuner tuner_of(const SimulatedNetwork& network) {
  return {CallKind::blocking, network.decision()};
}

/// The noise of each seed is 2 to 10 %.
constexpr std::uint32_t most_seeds = 5;

Noise noise_of(std::uint32_t seed) {
  return {0.02 * seed, seed};
}

/// Programs on one grid with one kind of ports, and what is expected of them.
class TuningProgramsOn : public testing::TestWithParam<std::tuple<const char*, Ports>> {
 protected:
  std::vector<Scene> all_scenes() const {
    const auto& [grid, ports] = GetParam();
    std::vector<Scene> result;
    for (const std::size_t bytes : {256U, 2048U, 65536U, 1048576U}) {
      const bool takes_long = parse_grid(grid).node_count() > 24 && bytes != 2048;
      for (const double crowding : {1.0, 1.1})
        if (!takes_long) result.push_back({grid, ports, bytes, crowding});
    }
    return result;
  }
};

TEST_P(TuningProgramsOn, end_within_5_percent_of_what_a_machine_file_gives_and_of_the_best_of_mpi) {
  for (const Scene& scene : some_of(all_scenes(), 1)) {
    SimulatedNetwork network(scene);
    for (std::uint32_t seed = 1; seed <= most_seeds; ++seed) {
      const ProgramResult result = play(network, tuner_of(network), scene.block_bytes, noise_of(seed));
      EXPECT_LE(result.final_seconds, 1.05 * network.best_seconds()) << name_of(scene) << ", seed " << seed;
      EXPECT_LE(result.final_seconds, network.best_of_mpi() / 0.95) << name_of(scene) << ", seed " << seed;
      EXPECT_EQ(result.fault, "") << name_of(scene);
    }
  }
}

/// Returns the mean over programs of the slowest trial over the time of MPI's own all-to-all.
template <typename MakeTuner>
double mean_of_slowest_trials(const std::vector<Scene>& scenes, MakeTuner make_tuner) {
  double sum = 0;
  for (const Scene& scene : scenes) {
    SimulatedNetwork network(scene);
    const double mpi = network.seconds_of(network.decision().candidates.front());
    for (std::uint32_t seed = 1; seed <= most_seeds; ++seed)
      sum += play(network, make_tuner(network), scene.block_bytes, noise_of(seed)).slowest_trial / mpi;
  }
  return sum / (static_cast<double>(scenes.size()) * most_seeds);
}

TEST_P(TuningProgramsOn, try_nothing_in_the_mean_that_takes_more_than_twice_mpis_time) {
  EXPECT_LE(mean_of_slowest_trials(all_scenes(), tuner_of), 2);
}

INSTANTIATE_TEST_SUITE_P(Networks, TuningProgramsOn,
                         testing::Combine(testing::Values("torus:4x4", "torus:2x3x2x2", "ring:16",
                                                          "torus:8x8"),
                                          testing::Values(Ports::one, Ports::all)));

TEST(TuningPrograms, are_broken_by_a_tuner_that_leaves_nothing_out) {
  const Scene scene{"torus:4x4", Ports::one, 2048};
  SimulatedNetwork network(scene);
  EXPECT_NE(play(network, TunerOfAll(network.decision()), 2048, noise_of(1)).fault, "");
  EXPECT_GT(mean_of_slowest_trials({scene}, [](const auto& each) { return TunerOfAll(each.decision()); }), 2);
}

}  // namespace
}  // namespace cubefold
