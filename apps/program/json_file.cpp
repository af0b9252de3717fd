#include "program/json_file.hpp"

#include <mpi.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/machine_file.hpp"
#include "cubefold/version.h"

namespace cubefold::program {

nlohmann::ordered_json run_facts() {
  int process_count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &process_count);
  return {{"cubefold", CUBEFOLD_VERSION}, {"mpi", mpi::library_name()}, {"processes", process_count}};
}

JsonFile::JsonFile(const std::string& path) {
  if (path.empty()) return;
  mpi::on_first(MPI_COMM_WORLD, [&] { file_.emplace(path, static_cast<int>(getpid())); });
}

void JsonFile::write(const std::function<nlohmann::ordered_json()>& value) {
  mpi::on_first(MPI_COMM_WORLD, [&] {
    if (!file_) return;
    const std::string text = value().dump(2) + '\n';
    file_->begin(text, text.size());
    file_->commit();
  });
}

}  // namespace cubefold::program
