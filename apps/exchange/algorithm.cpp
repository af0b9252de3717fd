#include "exchange/algorithm.hpp"

#include <mpi.h>

#include <algorithm>
#include <optional>

#include "cubefold/mpi/error.hpp"
#include "exchange/forced_alltoall.hpp"

using cubefold::mpi::check;
using cubefold::mpi::OwnedComm;

namespace {

void alltoall(const std::byte* send, std::byte* receive, int bytes, MPI_Comm comm) {
  check(MPI_Alltoall(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE, comm), "MPI_Alltoall");
}

void ialltoall(const std::byte* send, std::byte* receive, int bytes, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ialltoall(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE, comm, &request), "MPI_Ialltoall");
  check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
}

}  // namespace

bool any_forced(const std::vector<Rival>& rivals) {
  return std::any_of(rivals.begin(), rivals.end(), [](const Rival& rival) { return rival.forced != 0; });
}

std::vector<Algorithm> algorithms(const cubefold::mpi::VirtualComm& comm, const OurExchanges& exchanges,
                                  const std::vector<Rival>& rivals) {
  std::optional<AlltoallForcer> forcer;
  if (any_forced(rivals)) forcer.emplace();
  std::vector<Algorithm> result;
  for (const auto& [algorithm, exchange] : exchanges) {
    result.push_back({std::string(to_string(algorithm)), algorithm, OwnedComm::duplicate(comm.virtual_comm()),
                      [run = exchange.get()](const std::byte* send, std::byte* receive, int bytes, MPI_Comm) {
                        run->run(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE);
                      }});
  }
  for (const Rival& rival : rivals) {
    auto own = rival.forced != 0 ? forcer->duplicate(comm.cart_comm(), rival.forced)
                                 : OwnedComm::duplicate(comm.cart_comm());
    result.push_back({rival.algorithm, std::nullopt, std::move(own), rival.blocking ? alltoall : ialltoall});
  }
  return result;
}
