#pragma once

#include <mpi.h>

#include <string>

#include "sent_messages.hpp"

namespace cubefold::profile {

/// Collective over `comm`, whose ranks are those of MPI_COMM_WORLD: writes what all processes have sent into one file,
/// as JSON with the keys `ranks` and `sent`, an array of SentMessages::rows(). Each process writes its own rows. Throws
/// on all processes if one fails, and then there is no file.
void write_profile(MPI_Comm comm, const std::string& path, const SentMessages& sent);

}  // namespace cubefold::profile
