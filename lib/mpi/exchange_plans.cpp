#include "cubefold/mpi/exchange_plans.hpp"

#include <fmt/format.h>

#include <bit>

namespace cubefold::mpi {

namespace {

ExchangeSetup setup_for(const Grid& grid) {
  const bool is_cube = std::has_single_bit(grid.node_count());
  return {{is_cube ? ExchangeAlgorithm::cc_cube : ExchangeAlgorithm::direct, {}}, {}, {}};
}

/// Passes no blocks on, and fits every grid.
ExchangeSetup setup_for_unequal() {
  return {{ExchangeAlgorithm::direct, {}}, {}, {}};
}

}  // namespace

ExchangePlans::ExchangePlans(const VirtualComm& comm)
    : comm_(&comm), space_(std::make_shared<ExchangeSpace>(comm.virtual_comm())) {}

CompleteExchange& ExchangePlans::for_blocks(std::size_t) {
  if (equal_) return *equal_;
  space_->drain();
  return equal_.emplace(*comm_, space_, setup_for(comm_->grid()));
}

UnequalExchange& ExchangePlans::for_unequal_blocks() {
  if (unequal_) return *unequal_;
  space_->drain();
  return unequal_.emplace(*comm_, space_, setup_for_unequal());
}

std::string ExchangePlans::explain(std::size_t block_bytes) {
  const LocalProgram& program = for_blocks(block_bytes).exchanger().executor->program();
  return fmt::format("blocks of {} bytes: {}, {} steps\nunequal blocks: {}; {}\n", block_bytes,
                     to_string(setup_for(comm_->grid()).method), program.step_count,
                     to_string(setup_for_unequal().method), for_unequal_blocks().explain());
}

}  // namespace cubefold::mpi
