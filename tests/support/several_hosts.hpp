#pragma once

#include <utility>

namespace cubefold::mpi {

/// While this object lives, MPI takes the processes of the world for those of several hosts: this process is on the
/// given host, whose name is "n" and the number. All processes must construct and destroy it.
class SeveralHosts {
 public:
  explicit SeveralHosts(int own_host) : before_(std::exchange(host, own_host)) {}
  SeveralHosts(const SeveralHosts&) = delete;
  SeveralHosts& operator=(const SeveralHosts&) = delete;
  ~SeveralHosts() { host = before_; }

  static constexpr int none = -1;
  static inline int host = none;

 private:
  int before_;
};

/// While this object lives, all processes of the world are on one host, also under SimGrid, where each has its own.
struct OneHost {
  const SeveralHosts host{0};
};

}  // namespace cubefold::mpi
