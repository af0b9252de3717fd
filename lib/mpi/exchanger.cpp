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

std::uint64_t most_blocks_of_all(const LocalProgram& program, MPI_Comm comm) {
  std::uint64_t most = 0;
  for (const LocalMessage& message : program.sends) most = std::max<std::uint64_t>(most, message.block_count);
  check(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, comm), "MPI_Allreduce");
  return most;
}

TokenProgram tokens_of(const VirtualComm& comm, const ExchangeSetup& setup) {
  if (setup.rules.pacing != Pacing::tokens) return {};
  const Schedule schedule = exchange_schedule(setup.method, comm.placement(), setup.network);
  return token_program(schedule, comm.placement(), setup.network.ports, setup.network.tie, comm.rank());
}

}  // namespace

Exchanger make_exchanger(const VirtualComm& comm, std::shared_ptr<ExchangeSpace> space, ExchangeSetup setup) {
  std::optional<LocalProgram> program;
  TokenProgram tokens;
  together(space->comm(), [&] {
    program =
        local_program(exchange_part(setup.method, comm.placement(), setup.network, comm.rank()), comm.rank());
    tokens = tokens_of(comm, setup);
  });
  setup.rules.most_blocks = most_blocks_of_all(*program, space->comm());
  auto executor =
      std::make_shared<const Executor>(std::move(*program), std::move(setup.rules), std::move(tokens));
  return {std::move(executor), std::move(space), comm.rank(), setup.mover};
}

}  // namespace cubefold::mpi
