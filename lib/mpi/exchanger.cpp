#include "cubefold/mpi/exchanger.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/schedule/local_program.hpp"
#include "cubefold/schedule/tokens.hpp"

namespace cubefold::mpi {

namespace {

std::uint64_t most_blocks_of_all(const Executor& executor, MPI_Comm comm) {
  std::uint64_t most = 0;
  for (const LocalMessage& message : executor.program().sends)
    most = std::max<std::uint64_t>(most, message.block_count);
  check(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, comm), "MPI_Allreduce");
  return most;
}

TokenProgram tokens_of(const VirtualComm& comm, const ExchangeSetup& setup) {
  if (setup.rules.pacing != Pacing::tokens) return {};
  const Schedule schedule = exchange_schedule(setup.method, comm.placement(), setup.network);
  return token_program(schedule, comm.placement(), setup.network.ports, setup.network.tie, comm.rank());
}

}  // namespace

Exchanger make_exchanger(const VirtualComm& comm, std::shared_ptr<ExchangeSpace> space,
                         const ExchangeSetup& setup) {
  std::shared_ptr<Executor> executor;
  together(space->comm(), [&] {
    const Schedule part = exchange_part(setup.method, comm.placement(), setup.network, comm.rank());
    executor =
        std::make_shared<Executor>(local_program(part, comm.rank()), setup.rules, tokens_of(comm, setup));
  });
  executor->set_most_blocks(most_blocks_of_all(*executor, space->comm()));
  return {std::move(executor), std::move(space), comm.rank(), setup.mover};
}

}  // namespace cubefold::mpi
