// The functions of MPI 4 by which a program asks for the network. Programs of tests that count communicators do not
// link this file.

#include <mpi.h>

#if MPI_VERSION >= 4

#include <string>
#include <string_view>

#include "cubefold/mpi/error.hpp"
#include "interception.hpp"
#include "network_resources.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"
#include "report_line.hpp"

namespace cubefold::preload {

namespace {

/// Returns the name of the resource of our network by which a program splits a communicator, or an empty text.
std::string resource_asked_for(int split_type, MPI_Info info) {
  const bool is_guided = split_type == MPI_COMM_TYPE_HW_GUIDED
#if MPI_VERSION > 4 || MPI_SUBVERSION >= 1
                         || split_type == MPI_COMM_TYPE_RESOURCE_GUIDED
#endif
      ;
  if (!is_guided || info == MPI_INFO_NULL) return "";
  std::string value(MPI_MAX_INFO_VAL + 1, '\0');
  int length = static_cast<int>(value.size());
  int is_there = 0;
  mpi::check(PMPI_Info_get_string(info, "mpi_hw_resource_type", &length, value.data(), &is_there),
             "MPI_Info_get_string");
  const std::string_view text = value.c_str();
  if (is_there == 0 || !text.starts_with(resource_scheme)) return "";
  return std::string(text.substr(std::string_view(resource_scheme).size()));
}

/// A process that passes MPI_UNDEFINED does not know by what the others split, so all ask each other.
int split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made, Name name) {
  const auto next = [&] {
    const int code =
        pass_on(name, [&](const NextMpi& mpi) { return mpi.Comm_split_type(comm, type, key, info, made); });
    return code == MPI_SUCCESS ? with_progress_thread(comm, made) : code;
  };
  if (!may_replace() || made == nullptr) return next();
  try {
    bool is_made = false;
    {
      const InsideLibrary inside;
      is_made = is_on_network(comm) && split_by_resource(comm, resource_asked_for(type, info), key, made);
    }
    return is_made ? with_progress_thread(comm, made) : next();
  } catch (...) {
    return report_failure(comm, "MPI_Comm_split_type");
  }
}

#if MPI_VERSION > 4 || MPI_SUBVERSION >= 1
int get_resources(MPI_Info* info, Name name) {
  const int code = pass_on(name, [&](const NextMpi& mpi) { return mpi.Get_hw_resource_info(info); });
  if (code != MPI_SUCCESS || !may_replace()) return code;
  try {
    add_resources(*info);
    return code;
  } catch (...) {
    return report_failure(MPI_COMM_SELF, "MPI_Get_hw_resource_info");
  }
}
#endif

}  // namespace

}  // namespace cubefold::preload

CUBEFOLD_REPLACE(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
                 cubefold::preload::split_type(comm, type, key, info, made, name))
#if MPI_VERSION > 4 || MPI_SUBVERSION >= 1
CUBEFOLD_REPLACE(Get_hw_resource_info, (MPI_Info * info), cubefold::preload::get_resources(info, name))
#endif
#endif
