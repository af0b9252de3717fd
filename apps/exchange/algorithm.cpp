#include "exchange/algorithm.hpp"

#include <mpi.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/mpi/executor.hpp"
#include "cubefold/schedule/local_program.hpp"
#include "exchange/forced_alltoall.hpp"

using cubefold::mpi::check;
using cubefold::mpi::Executor;
using cubefold::mpi::message_bytes;
using cubefold::mpi::OwnedComm;
using cubefold::mpi::VirtualComm;

namespace {

void alltoall(const std::byte* send, std::byte* receive, int bytes, MPI_Comm comm) {
  check(MPI_Alltoall(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE, comm), "MPI_Alltoall");
}

void ialltoall(const std::byte* send, std::byte* receive, int bytes, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ialltoall(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE, comm, &request), "MPI_Ialltoall");
  check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
}

std::vector<Algorithm> rival_algorithms(const VirtualComm& comm, const std::vector<Rival>& rivals) {
  std::optional<AlltoallForcer> forcer;
  if (any_forced(rivals)) forcer.emplace();
  std::vector<Algorithm> result;
  for (const Rival& rival : rivals) {
    const auto own = std::make_shared<const OwnedComm>(rival.forced != 0
                                                           ? forcer->duplicate(comm.cart_comm(), rival.forced)
                                                           : OwnedComm::duplicate(comm.cart_comm()));
    const auto run = rival.blocking ? alltoall : ialltoall;
    result.push_back(
        {rival.algorithm, own, [=](const std::byte* send, std::byte* receive, std::size_t block_bytes) {
           run(send, receive, message_bytes(1, block_bytes), own->get());
         }});
  }
  return result;
}

/// Makes what runs our exchanges, all of them on one communicator, as they run one after another.
class OurRunners {
 public:
  OurRunners(const VirtualComm& comm, const cubefold::NetworkRules& network)
      : virtual_(comm),
        network_(network),
        comm_(std::make_shared<const OwnedComm>(OwnedComm::duplicate(comm.virtual_comm()))) {}

  /// Local.
  Algorithm runner(const ExchangeCase& ours) {
    const auto executor = std::make_shared<Executor>(program(ours.ours->method), ours.ours->rules);
    executor->require_countable(ours.block_bytes);
    return {ours.algorithm, comm_,
            [executor, comm = comm_, rank = virtual_.rank()](const std::byte* send, std::byte* receive,
                                                             std::size_t block_bytes) {
              executor->run({send, receive, block_bytes}, rank, comm->get());
            }};
  }

 private:
  const cubefold::LocalProgram& program(const cubefold::ExchangeMethod& method) {
    for (const auto& [known, program] : programs_) {
      if (known == method) return program;
    }
    const auto part = exchange_part(method, virtual_.placement(), network_, virtual_.rank());
    return programs_.emplace_back(method, local_program(part, virtual_.rank())).second;
  }

  const VirtualComm& virtual_;
  cubefold::NetworkRules network_;
  std::shared_ptr<const OwnedComm> comm_;
  std::vector<std::pair<cubefold::ExchangeMethod, cubefold::LocalProgram>> programs_;
};

/// What cubefold_alltoall does.
Algorithm library_algorithm(const std::shared_ptr<cubefold::mpi::ExchangePlans>& plans,
                            const VirtualComm& comm) {
  return {library_name, std::make_shared<const OwnedComm>(OwnedComm::duplicate(comm.virtual_comm())),
          [plans](const std::byte* send, std::byte* receive, std::size_t block_bytes) {
            const int bytes = message_bytes(1, block_bytes);
            plans->for_blocks(block_bytes).run(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE);
          }};
}

const Algorithm& named(const std::vector<Algorithm>& algorithms, const std::string& name) {
  return *std::find_if(algorithms.begin(), algorithms.end(),
                       [&](const Algorithm& algorithm) { return algorithm.name == name; });
}

}  // namespace

bool any_forced(const std::vector<Rival>& rivals) {
  return std::any_of(rivals.begin(), rivals.end(), [](const Rival& rival) { return rival.forced != 0; });
}

std::vector<Algorithm> algorithms(const VirtualComm& comm, const std::vector<ExchangeCase>& cases,
                                  const std::vector<Rival>& rivals, const cubefold::NetworkRules& network,
                                  const std::shared_ptr<cubefold::mpi::ExchangePlans>& plans) {
  auto others = rival_algorithms(comm, rivals);
  if (plans) others.push_back(library_algorithm(plans, comm));
  OurRunners of_ours(comm, network);
  std::vector<Algorithm> result;
  cubefold::mpi::together(comm.virtual_comm(), [&] {
    for (const ExchangeCase& next : cases) {
      message_bytes(1, next.block_bytes);  // MPI_Alltoall counts them by an int
      result.push_back(next.ours ? of_ours.runner(next) : named(others, next.algorithm));
    }
  });
  return result;
}
