#pragma once

#include <string>

namespace cubefold::mpi {

/// While this object lives, MPI takes the processes of the world for those of several hosts: this process is on the
/// given host, whose name is "n" and the number. All processes must construct and destroy it.
class SeveralHosts {
 public:
  explicit SeveralHosts(int own_host) { host = own_host; }
  SeveralHosts(const SeveralHosts&) = delete;
  SeveralHosts& operator=(const SeveralHosts&) = delete;
  ~SeveralHosts() { host = none; }

  static constexpr int none = -1;
  static inline int host = none;
};

}  // namespace cubefold::mpi
