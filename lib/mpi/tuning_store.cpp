#include "tuning_store.hpp"

#include <exception>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "machine_file.hpp"

namespace cubefold::mpi {

std::shared_ptr<TuningStore> TuningStore::from_environment(MPI_Comm comm, const Grid& grid) {
  const std::string file = variable_of_root("CUBEFOLD_TUNING", comm);
  if (file.empty()) return nullptr;
  const std::size_t hosts = host_count(comm);
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  const auto place = [&] { return MachineUse{grid, hosts, library_name()}; };
  const std::string json = text_of_root(comm, [&] {
    const TuningTable table = read_tuning(file, place());
    if (table.choices.empty()) write_tuning(file, table);
    return to_json(table);
  });
  std::shared_ptr<TuningStore> store;
  collective_try(comm, [&] {
    store = std::make_shared<TuningStore>(file, parse_tuning(json, place(), file), rank == 0);
  });
  return store;
}

void TuningStore::add(const TunedChoice& choice) {
  try {
    failure_.clear();
    table_.add(choice);
    if (is_writer_) add_to_file(file_, table_.place, choice);
  } catch (const std::exception& error) {
    failure_ = error.what();
  }
}

}  // namespace cubefold::mpi
