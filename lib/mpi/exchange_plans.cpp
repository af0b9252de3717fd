#include "cubefold/mpi/exchange_plans.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "broadcast.hpp"
#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/machine_file.hpp"
#include "cubefold/mpi/run_rules.hpp"

namespace cubefold::mpi {

namespace {

constexpr const char* variable = "CUBEFOLD_ALLTOALL";
constexpr const char* of_mpi = "mpi";

std::string wish_from_environment(MPI_Comm comm) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
  std::string wish = broadcast_text(comm, value == nullptr ? "" : value, 0);
  together(comm, [&] {
    if (!wish.empty() && wish != of_mpi) parse_exchange_method(wish);
  });
  return wish;
}

/// Blocks for MPI's own all-to-all; what cannot be waited for at once goes out at once too.
ExchangeSetup library_setup() {
  return {{ExchangeAlgorithm::linear, {}}, {}, {}, Mover::library};
}

/// Exchanges of setups with the same text are the same, but for blocks.
std::string key_of(const ExchangeSetup& setup) {
  return fmt::format("{} {} {} {}", to_string(setup.method), static_cast<int>(setup.rules.pacing),
                     setup.rules.piece_bytes, static_cast<int>(setup.mover));
}

}  // namespace

ExchangePlans::ExchangePlans(const VirtualComm& comm)
    : comm_(&comm),
      space_(std::make_shared<ExchangeSpace>(comm.virtual_comm())),
      machine_(machine_from_environment(space_->comm(), comm.grid())),
      host_count_(machine_ ? machine_->host_count : host_count(space_->comm())),
      wish_(wish_from_environment(space_->comm())) {}

ExchangePlans::Choice ExchangePlans::choose(std::size_t block_bytes) const {
  if (wish_ == of_mpi) return {library_setup(), fmt::format("MPI's own all-to-all: {} says so\n", variable)};
  if (!wish_.empty()) return planned(block_bytes, {{parse_exchange_method(wish_)}});
  if (host_count_ == 1)
    return {library_setup(), "MPI's own all-to-all: all processes share the memory of one host\n"};
  if (!machine_) {
    return {library_setup(),
            "MPI's own all-to-all: nothing is known of the network; cubefold-calibrate measures it, and "
            "CUBEFOLD_MACHINE "
            "names its file\n"};
  }
  return planned(block_bytes, {});
}

ExchangePlans::Choice ExchangePlans::planned(std::size_t block_bytes,
                                             const ExchangePlanOptions& options) const {
  const ExchangeModel model = machine_ ? exchange_model(*machine_, Tie::balanced) : ExchangeModel{};
  const ExchangePlan plan = plan_exchange(comm_->placement(), block_bytes, model, options);
  ExchangeSetup setup{plan.choice().method, model.network, run_rules(plan)};
  if (machine_) return {std::move(setup), describe(plan)};
  // Without times there is no clock.
  setup.rules = run_rules(plan, Pacing::data);
  return {std::move(setup), fmt::format("{}: {} says so\n", to_string(plan.choice().method), variable)};
}

const ExchangePlans::Choice& ExchangePlans::choice_for(std::size_t block_bytes) {
  const auto found = choices_.find(block_bytes);
  return found != choices_.end() ? found->second
                                 : choices_.emplace(block_bytes, choose(block_bytes)).first->second;
}

CompleteExchange& ExchangePlans::for_blocks(std::size_t block_bytes) {
  const ExchangeSetup& setup = choice_for(block_bytes).setup;
  const std::string key = key_of(setup);
  const auto found = equal_.find(key);
  if (found != equal_.end()) return found->second;
  space_->drain();
  return equal_.emplace(key, CompleteExchange(*comm_, space_, setup)).first->second;
}

UnequalExchange& ExchangePlans::for_unequal_blocks() {
  if (unequal_) return *unequal_;
  space_->drain();
  // Passes no blocks on, and fits every grid.
  constexpr std::size_t typical_bytes = 64 << 10;
  const bool by_library = choice_for(typical_bytes).setup.mover == Mover::library;
  ExchangeSetup setup = planned(typical_bytes, {{{ExchangeAlgorithm::direct, {}}}}).setup;
  if (by_library) setup.mover = Mover::library;
  return unequal_.emplace(*comm_, space_, setup);
}

std::string ExchangePlans::explain(std::size_t block_bytes) {
  for_blocks(block_bytes);
  return fmt::format("{}unequal blocks: direct; {}\n", choice_for(block_bytes).text,
                     for_unequal_blocks().explain());
}

}  // namespace cubefold::mpi
