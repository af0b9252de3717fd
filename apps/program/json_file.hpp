#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "files/output.hpp"

namespace cubefold::program {

/// Facts that make a measurement comparable: version of cubefold, MPI library, number of processes.
nlohmann::ordered_json run_facts();

/// The file of a program's --json option, or none. Collective over MPI_COMM_WORLD.
class JsonFile {
 public:
  /// Without a path nothing will be written. Throws what files::Output does on all processes: at once if the path
  /// cannot be written to.
  explicit JsonFile(const std::string& path);

  /// Writes what value() is on process 0, if there was a path; nobody else calls it, so it must not communicate.
  void write(const std::function<nlohmann::ordered_json()>& value);

 private:
  std::optional<files::Output> output_;  ///< on process 0
};

}  // namespace cubefold::program
