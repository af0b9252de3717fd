#include "job_files.hpp"

#include <array>
#include <filesystem>
#include <new>
#include <system_error>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "processes.hpp"
#include "settings.hpp"

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

std::shared_ptr<TuningStore> TuningStore::from_environment(MPI_Comm comm, const Grid& grid,
                                                           const Hints* hints,
                                                           std::optional<std::size_t> hosts) {
  const std::string file = hint_or_variable(hints, &Hints::tuning, "CUBEFOLD_TUNING", comm);
  if (file.empty()) return nullptr;
  if (!hosts) hosts = host_count(comm);
  const bool is_root = rank_in(comm) == 0;
  const auto place = [&] { return MachineUse{grid, *hosts, library_name()}; };
  const std::string json = text_of_root(comm, [&] {
    const TuningTable table = read_tuning(file, place());
    if (std::error_code ignored; !std::filesystem::exists(file, ignored)) write_tuning(file, table);
    return to_json(table);
  });
  std::shared_ptr<TuningStore> store;
  agree_on_outcome(
      comm, [&] { store = std::make_shared<TuningStore>(file, parse_tuning(json, place(), file), is_root); });
  return store;
}

void TuningStore::add(const TunedExchange& exchange, const AlltoallCandidate& candidate, double seconds,
                      std::size_t block_bytes) noexcept {
  failure_.clear();
  try {
    const TunedChoice choice{exchange, candidate, seconds, block_bytes};
    table_.add(choice);
    if (is_writer_) add_to_file(file_, table_.place, choice);
  } catch (...) {
    try {
      failure_ = current_failure().text;
    } catch (const std::bad_alloc&) {
      failure_.clear();
    }
  }
}

}  // namespace cubefold::mpi
