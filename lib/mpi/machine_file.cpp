#include "machine_file.hpp"

#include <array>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "hints.hpp"
#include "processes.hpp"

namespace cubefold::mpi {

namespace {

/// Returns `MPICH v4.0.2` for MPICH's `MPICH Version:<tab>4.0.2`, and other texts as they are.
std::string with_plain_version(const std::string& text) {
  const auto label = text.find(" Version");
  const auto number = text.find_first_of("0123456789", label);
  if (label == std::string::npos || number == std::string::npos) return text;
  return text.substr(0, label) + " v" + text.substr(number);
}

}  // namespace

std::string library_name() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
  int length = 0;
  check(MPI_Get_library_version(library.data(), &length), "MPI_Get_library_version");
  const std::string whole(library.data());
  return with_plain_version(whole.substr(0, whole.find_first_of(",\n")));
}

std::optional<Machine> machine_of_root(MPI_Comm comm, const Hints* hints) {
  const std::string file = hint_or_variable(hints, &Hints::machine, "CUBEFOLD_MACHINE", comm);
  if (file.empty()) return std::nullopt;
  const std::string json = text_of_root(comm, [&] { return to_json(read_machine(file)); });
  return agree_on_outcome(comm, [&] { return parse_machine(json, file); });
}

std::optional<Machine> machine_from_environment(MPI_Comm comm, const Grid& grid, const Hints* hints) {
  auto machine = machine_of_root(comm, hints);
  if (!machine) return std::nullopt;
  const std::size_t hosts = host_count(comm);
  agree_on_outcome(comm, [&] { require_fits(*machine, {grid, hosts, library_name()}); });
  return machine;
}

}  // namespace cubefold::mpi
