#include "machine_file.hpp"

#include <array>
#include <cstdlib>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/mpi/owned_comm.hpp"

namespace cubefold::mpi {

std::string library_name() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
  int length = 0;
  check(MPI_Get_library_version(library.data(), &length), "MPI_Get_library_version");
  const std::string whole(library.data());
  return whole.substr(0, whole.find_first_of(",\n"));
}

std::size_t host_count(MPI_Comm comm) {
  MPI_Comm mates = MPI_COMM_NULL;
  check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &mates), "MPI_Comm_split_type");
  const OwnedComm on_this_host = OwnedComm::adopt(mates);
  int rank = 0;
  check(MPI_Comm_rank(on_this_host.get(), &rank), "MPI_Comm_rank");
  int count = rank == 0 ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, comm), "MPI_Allreduce");
  return static_cast<std::size_t>(count);
}

std::string variable_of_root(const char* name, MPI_Comm comm) {
  return text_of_root(comm, [&] {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
    return std::string(value == nullptr ? "" : value);
  });
}

std::optional<Machine> machine_from_environment(MPI_Comm comm, const Grid& grid) {
  const std::string file = variable_of_root("CUBEFOLD_MACHINE", comm);
  if (file.empty()) return std::nullopt;
  const std::size_t hosts = host_count(comm);
  const std::string json = text_of_root(comm, [&] {
    const Machine machine = read_machine(file);
    require_fits(machine, {grid, hosts, library_name()});
    return to_json(machine);
  });
  std::optional<Machine> machine;
  collective_try(comm, [&] { machine = parse_machine(json, file); });
  return machine;
}

}  // namespace cubefold::mpi
