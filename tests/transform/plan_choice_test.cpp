// Plans choose algorithms by a machine file. Every process counts as a separate host.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>

#include "fft/whole_plan.hpp"
#include "mpi/job_files.hpp"
#include "support/several_hosts.hpp"
#include "support/variable.hpp"
#include "transform/alternatives.hpp"

namespace cubefold::fft {
namespace {

/// Sets a machine file while the object lives. A start-up costs `alpha` microseconds, a byte `tau` microseconds.
class OnMachine {
 public:
  OnMachine(const Grid& grid, double alpha, double tau) : trials_("CUBEFOLD_TRIALS", "0"), machine_{grid} {
    machine_.alpha_seconds = machine_.gap_seconds = alpha * 1e-6;
    machine_.tau_seconds_per_byte = {tau * 1e-6};
    for (int axis = 0; axis < grid.axis_count(); ++axis) machine_.wraps.push_back(grid.has_wrap_link(axis));
    machine_.mpi_library = mpi::library_name();
    machine_.host_count = grid.node_count();
    int id = static_cast<int>(getpid());
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path_ = std::filesystem::temp_directory_path() / fmt::format("plan-choice-{}.json", id);
    if (mpi::world_rank() == 0) std::ofstream(path_) << to_json(machine_);
    file_.emplace("CUBEFOLD_MACHINE", path_);
  }
  OnMachine(const OnMachine&) = delete;
  OnMachine& operator=(const OnMachine&) = delete;
  ~OnMachine() {
    file_.reset();
    if (mpi::world_rank() == 0) std::filesystem::remove(path_);
  }

  Network network(const Placement& placement) const { return {placement, machine_, machine_.host_count}; }

 private:
  mpi::SeveralHosts hosts_{mpi::world_rank()};
  mpi::Variable trials_;
  Machine machine_;
  std::string path_;
  std::optional<mpi::Variable> file_;
};

class PlanChoice : public testing::Test {
 protected:
  OnMachine slow_to_start() const { return {comm.grid(), 10000, 0.001}; }
  OnMachine slow_to_send() const { return {comm.grid(), 1, 1}; }

  /// Expects that a plan has the options that choose() returns, that is_right() accepts them, and that its transform is
  /// correct.
  template <typename Use>
  void expect(const OnMachine& machine, const std::vector<std::size_t>& lengths, const PlanOptions& options,
              Use&& is_right) {
    Plan<double> plan(comm, lengths, options);
    const Choice choice =
        choose(lengths, options, sizeof(std::complex<double>), machine.network(comm.placement()));
    EXPECT_EQ(plan.options().algorithm, choice.taken().algorithm);
    EXPECT_EQ(plan.options().decomposition, choice.taken().decomposition);
    is_right(plan.options());
    std::size_t n = 1;
    for (const std::size_t length : lengths) n *= length;
    const auto x = random_complex<double>(n, 4);
    EXPECT_LE(error_of(transformed(plan, comm, x), long_dft(widened(x), lengths, -1)),
              error_limit<double>(n));
  }

  VirtualComm comm{MPI_COMM_WORLD, mpi::world_size() == 16 ? "torus:4x4" : "torus:2x2", "xor"};
};

constexpr auto block = Distribution::block;
constexpr auto cyclic = Distribution::cyclic;

TEST_F(PlanChoice, is_butterflies_where_messages_are_slow_to_start) {
  const OnMachine machine = slow_to_start();
  expect(machine, {1024}, line_options(block, cyclic, Transform::forward),
         [](const PlanOptions& chosen) { EXPECT_EQ(chosen.algorithm, Algorithm::binary_exchange); });
}

TEST_F(PlanChoice, is_exchanges_where_bytes_are_slow) {
  const OnMachine machine = slow_to_send();
  for (const auto input : {block, cyclic})
    expect(machine, {16384}, line_options(input, cyclic, Transform::forward),
           [](const PlanOptions& chosen) { EXPECT_EQ(chosen.algorithm, Algorithm::transposed); });
}

TEST_F(PlanChoice, is_slabs_unless_there_are_too_few_planes) {
  const OnMachine machine = slow_to_send();
  expect(machine, {16, 16, 16}, {},
         [](const PlanOptions& chosen) { EXPECT_EQ(chosen.decomposition, Decomposition::slab); });
  expect(machine, {2, 16, 16}, {},
         [](const PlanOptions& chosen) { EXPECT_EQ(chosen.decomposition, Decomposition::pencil); });
}

/// Returns the sum of the predicted times in milliseconds over the lines of `text` that start with `begin`.
double predicted_sum(const std::string& text, const std::string& begin) {
  const std::regex line("(^|\n)" + begin + "predicted ([0-9.e+-]+) ms, the bound");
  double sum = 0;
  for (auto found = std::sregex_iterator(text.begin(), text.end(), line); found != std::sregex_iterator();
       ++found)
    sum += std::stod((*found)[2]);
  return sum;
}

TEST_F(PlanChoice, adds_up_the_times_of_all_exchanges) {
  const OnMachine machine = slow_to_send();
  for (const auto& lengths : std::vector<std::vector<std::size_t>>{{4096}, {96, 5, 20}, {2, 16, 16}, {97}}) {
    const std::string text = Plan<double>(comm, lengths).explain();
    const double sum = predicted_sum(text, "all exchanges: ");
    EXPECT_GT(sum, 0) << text;
    EXPECT_NEAR(predicted_sum(text, "  "), sum, 1e-3 * sum) << text;
  }
}

TEST_F(PlanChoice, says_the_time_of_an_exchange_once_and_indents_how_it_is_done) {
  const OnMachine machine = slow_to_send();
  const std::string text = Plan<double>(comm, {2, 16, 16}).explain();
  const std::size_t begin = text.find("exchange over process axis ");
  ASSERT_NE(begin, std::string::npos) << text;
  const std::regex indented("[^\n]*\n((?:  [^\n]*\n)*)([a-z]*)");
  std::smatch found;
  ASSERT_TRUE(
      std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), found, indented));
  const std::string how = found[1];
  EXPECT_NE(how.find("\n  predicted "), std::string::npos) << text;
  EXPECT_EQ(how.find("\n  predicted "), how.rfind("\n  predicted ")) << text;
  EXPECT_TRUE(found[2] == "forward" || found[2] == "exchange" || found[2] == "all") << text;
}

TEST_F(PlanChoice, is_for_halves_cut_into_the_packets_that_take_least) {
  const OnMachine machine = slow_to_send();
  PlanOptions options = line_options(cyclic, cyclic, Transform::forward);
  options.algorithm = Algorithm::half_exchange;
  Plan<double> plan(comm, {16384}, options);
  const auto taken = choose({16384}, options, 16, machine.network(comm.placement())).taken();
  EXPECT_NE(plan.explain().find(fmt::format("\n{} packets a stage", taken.packet_count)), std::string::npos)
      << plan.explain();
  const auto x = random_complex<double>(16384, 4);
  EXPECT_LE(error_of(transformed(plan, comm, x), long_dft(widened(x), -1)), error_limit<double>(16384));
}

}  // namespace
}  // namespace cubefold::fft
