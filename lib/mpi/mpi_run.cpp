#include "mpi_run.hpp"

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

MpiArguments::MpiArguments(const VectorArguments& arguments, bool outlives_types)
    : arguments_(arguments),
      counts_(arguments.counts.begin(), arguments.counts.end()),
      displacements_(arguments.displacements.begin(), arguments.displacements.end()) {
  arguments_.counts = counts_;
  arguments_.displacements = displacements_;
  if (!outlives_types || arguments.reduces()) return;
  type_.emplace(OwnedType::duplicate(arguments.type));
  arguments_.type = type_->get();
  if (arguments.is_in_place()) return;
  send_type_.emplace(OwnedType::duplicate(arguments.send_type));
  arguments_.send_type = send_type_->get();
}

MpiRun::MpiRun(const VectorArguments& arguments, const TagRange& tags)
    : Run(tags.number), name_(name_of_mpi(arguments.function, false)) {
  check(arguments.pass_to(NonBlockingFunctionsOfMpi(), tags.comm, &request_), name_);
}

bool MpiRun::move(unsigned /*most_polls*/) {
  int is_complete =
      static_cast<int>(request_ == MPI_REQUEST_NULL);  // SimGrid's MPI_Test does not set it then
  check(MPI_Test(&request_, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
  if (is_complete == 0) return false;
  end();
  return true;
}

}  // namespace cubefold::mpi
