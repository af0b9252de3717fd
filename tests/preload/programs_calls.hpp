#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "preload/interception.hpp"
#include "preload/progress_thread.hpp"
#include "preload/world.hpp"
#include "support/several_hosts.hpp"
#include "support/variable.hpp"
#include "support/world.hpp"

namespace cubefold::preload {

/// Gathers what MPI_Init would gather in the environment of the test.
inline void gather_world_anew() {
  const InsideLibrary inside;
  gather_world();
}

/// A communicator of a test, which is freed at the end. Its processes know the environment of the test, and have a
/// progress thread if they may.
class Comm {
 public:
  static Comm dup() {
    gather_world_anew();
    Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made.comm_);
    prepare_progress_thread(made.comm_);
    return made;
  }
  static Comm split(int color, int key) {
    gather_world_anew();
    Comm made;
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &made.comm_);
    prepare_progress_thread(made.comm_);
    return made;
  }
  Comm() = default;
  Comm(Comm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  Comm(const Comm&) = delete;
  Comm& operator=(const Comm&) = delete;
  ~Comm() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }

  MPI_Comm get() const { return comm_; }
  MPI_Comm* out() { return &comm_; }
  std::size_t size() const {
    int size = 0;
    MPI_Comm_size(comm_, &size);
    return static_cast<std::size_t>(size);
  }
  int rank() const {
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    return rank;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Says which calls were replaced since the last question.
struct Counted {
  CallCount& count;
  std::uint64_t ours = count.ours;
  std::uint64_t passed_on = count.passed_on;

  bool are_ours(std::uint64_t calls) const {
    return count.ours == ours + calls && count.passed_on == passed_on;
  }
  bool are_passed_on(std::uint64_t calls) const {
    return count.ours == ours && count.passed_on == passed_on + calls;
  }
};

/// Every process is on a host of its own, on a ring, and the given method exchanges blocks.
class OnARing : public testing::Test {
 protected:
  OnARing() { gather_world_anew(); }

  void exchange_by(const std::string& method) {
    method_.emplace("CUBEFOLD_ALLTOALL", method, everywhere);
    gather_world_anew();
  }

  static constexpr auto everywhere = mpi::Variable::Where::everywhere;

 private:
  mpi::SeveralHosts hosts_{mpi::world_rank()};
  mpi::Variable grid_{"CUBEFOLD_GRID", mpi::ring_of_world(), everywhere};
  std::optional<mpi::Variable> method_;
};

}  // namespace cubefold::preload
