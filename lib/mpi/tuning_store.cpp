#include "tuning_store.hpp"

#include <filesystem>
#include <new>
#include <system_error>

#include "agreement.hpp"
#include "hints.hpp"
#include "machine_file.hpp"
#include "processes.hpp"

namespace cubefold::mpi {

std::shared_ptr<TuningStore> TuningStore::from_environment(MPI_Comm comm, const Grid& grid,
                                                           const Hints* hints) {
  const std::string file = hint_or_variable(hints, &Hints::tuning, "CUBEFOLD_TUNING", comm);
  if (file.empty()) return nullptr;
  const std::size_t hosts = host_count(comm);
  const bool is_root = rank_in(comm) == 0;
  const auto place = [&] { return MachineUse{grid, hosts, library_name()}; };
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
