#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "plan/alltoall_choice.hpp"

namespace cubefold::fftw_mpi {

/// CUBEFOLD_FFTW names the plans that run.
enum class Wanted : std::uint8_t {
  fastest,   ///< unset: what is measured or predicted to be faster
  cubefold,  ///< wherever cubefold has the same plan
  fftw,
};

/// A communicator on which the program has made plans. All its processes have the same values.
struct CommState {
  std::string reason{};  ///< why all plans are FFTW's, or empty. Then there is more only if it is empty
  Wanted wanted = Wanted::fastest;
  std::vector<int> processes{};  ///< ranks in MPI_COMM_WORLD; those of other worlds are MPI_UNDEFINED
  std::optional<mpi::VirtualComm> comm{};  ///< its virtual ranks are the ranks of the program
  std::optional<AlltoallChooser> chooser{};
  bool has_several_threads = false;  ///< more than one thread may call MPI at a time

  /// Returns whether cubefold exchanges blocks of this size, as between hosts of a known network, and does not leave
  /// them to MPI's own all-to-all.
  bool exchanges(std::size_t block_bytes) const;
};

/// Returns the state of a communicator, which is freed with it; plans may keep it longer. All processes of the
/// communicator must call this. The first call communicates. Throws mpi::Error if MPI fails.
std::shared_ptr<const CommState> state_of(MPI_Comm comm);

/// Keeps the states of communicators that are not freed, because MPI_Finalize is next.
void keep_states();

}  // namespace cubefold::fftw_mpi
