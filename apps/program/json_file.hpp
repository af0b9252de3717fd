#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "files/output.hpp"

namespace cubefold::program {

/// Returns facts that make measurements comparable: version of cubefold, MPI library, number of processes.
nlohmann::ordered_json run_facts();

/// The file of a program's --json option, if there is one. All processes of MPI_COMM_WORLD must call each function.
class JsonFile {
 public:
  /// Opens the output. With an empty path nothing will be written. Throws as files::Output does, on all processes, and
  /// at once if the path cannot be written.
  explicit JsonFile(const std::string& path);

  /// Writes value() on process 0, if there was a path. Only process 0 calls value(), so it must not communicate.
  void write(const std::function<nlohmann::ordered_json()>& value);

 private:
  std::optional<files::Output> output_;  ///< exists on process 0
};

}  // namespace cubefold::program
