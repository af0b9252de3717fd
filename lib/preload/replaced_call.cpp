#include "replaced_call.hpp"

#include <stdexcept>

#include "mpi/device_memory.hpp"
#include "progress_thread.hpp"

namespace cubefold::preload {

bool pass_on_as_chosen() {
  note_reason("MPI's own exchange is the choice, as where all processes share one host");
  return false;
}

bool is_on_device(const CommState& state, std::initializer_list<const void*> buffers) {
  int is_device = 0;
  for (const void* memory : buffers)
    if (!mpi::device_that_holds(memory).empty()) is_device = 1;
  if (!state.has_devices) {
    if (is_device == 0) return false;
    throw std::invalid_argument(
        "the driver of a device was loaded after the first call on this communicator");
  }
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &is_device, 1, MPI_INT, MPI_MAX, state.exchanges->context().comm()),
             "MPI_Allreduce");
  report().with_device_memory += is_device != 0 ? 1 : 0;
  return is_device != 0;
}

void prepare_first_exchange(MPI_Comm comm, bool is_first) {
  if (is_first) prepare_progress_thread(comm);
}

}  // namespace cubefold::preload
