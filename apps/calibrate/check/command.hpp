#pragma once

#include <optional>
#include <string>

namespace cubefold::map_check {

/// Holds the options of cubefold-calibrate --check.
struct CheckOptions {
  std::string file;
  std::string json;  ///< empty for no file
  bool table = false;
  int repetitions = 3;
  double stream_seconds = 0.03;  ///< about how long a stream lasts alone
};

/// Measures whether a map of hosts is true, and prints the answer. Returns the exit status: 0 if the measurements agree
/// with the map, and 1 if not. Throws what hosts_of_job() and program::JsonFile throw. All processes of MPI_COMM_WORLD
/// must call this.
int check_hosts(const CheckOptions& options);

}  // namespace cubefold::map_check
