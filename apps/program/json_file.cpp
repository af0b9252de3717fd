#include "program/json_file.hpp"

#include <mpi.h>

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
  mpi::root_try(MPI_COMM_WORLD, [&] { output_ = files::open_output(path); });
}

void JsonFile::write(const std::function<nlohmann::ordered_json()>& value) {
  mpi::root_try(MPI_COMM_WORLD, [&] {
    if (output_) output_->write(value().dump(2) + '\n');
  });
}

}  // namespace cubefold::program
