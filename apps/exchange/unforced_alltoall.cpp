#include <stdexcept>

#include "exchange/forced_alltoall.hpp"
#include "mpi/agreement.hpp"

// This file replaces forced_alltoall.cpp if MPI has no tools interface, as in SimGrid.

namespace {

void refuse() {
  cubefold::mpi::agree_on_outcome(MPI_COMM_WORLD, [] {
    throw std::invalid_argument(
        "cannot force algorithms of MPI_Alltoall: this MPI has no control variables; SimGrid's smpirun takes "
        "--cfg=smpi/alltoall:NAME");
  });
}

}  // namespace

struct ControlVariable {};

void allow_forcing() {}

AlltoallForcer::AlltoallForcer(const char* /*control_variable*/) {
  refuse();
}

AlltoallForcer::~AlltoallForcer() = default;

cubefold::mpi::OwnedComm AlltoallForcer::duplicate(MPI_Comm comm, int /*algorithm*/) {
  return cubefold::mpi::OwnedComm::duplicate(comm);
}

MpichForcer::MpichForcer(const std::string& /*algorithm*/) {
  refuse();
}

MpichForcer::~MpichForcer() = default;

void MpichForcer::run(const std::function<void()>& exchange) const {
  exchange();
}
