#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "files/whole_file.hpp"

namespace cubefold::program {

/// Facts that make a measurement comparable: version of cubefold, MPI library, number of processes.
nlohmann::ordered_json run_facts();

/// The file of a program's --json option, or none. Collective over MPI_COMM_WORLD.
class JsonFile {
 public:
  /// Without a path nothing will be written. Throws what WholeFile does on all processes: at once if the path cannot be
  /// written.
  explicit JsonFile(const std::string& path);

  /// Writes the value of process 0, if there was a path.
  void write(const nlohmann::ordered_json& value);

 private:
  std::optional<files::WholeFile> file_;  ///< on process 0
};

}  // namespace cubefold::program
