#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "cubefold/export.h"
#include "cubefold/mpi/complete_exchange.hpp"
#include "cubefold/mpi/exchange_space.hpp"
#include "cubefold/mpi/unequal_exchange.hpp"
#include "cubefold/mpi/virtual_comm.hpp"

namespace cubefold::mpi {

/// The exchanges of one set of processes, each planned when it is first asked for and then kept: the one place that says how
/// blocks of a size are exchanged. All share one space.
class CUBEFOLD_API ExchangePlans {
 public:
  /// Collective: duplicates the communicator. `comm` lives as long as this.
  explicit ExchangePlans(const VirtualComm& comm);

  /// Collective where it plans; then it first waits for all that is under way. Throws as make_exchanger().
  CompleteExchange& for_blocks(std::size_t block_bytes);
  UnequalExchange& for_unequal_blocks();

  /// What for_blocks() chooses and what for_unequal_blocks() does, for people. Collective as they are.
  std::string explain(std::size_t block_bytes);

 private:
  const VirtualComm* comm_;
  std::shared_ptr<ExchangeSpace> space_;
  std::optional<CompleteExchange> equal_;
  std::optional<UnequalExchange> unequal_;
};

}  // namespace cubefold::mpi
