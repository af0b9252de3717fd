#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "preload/programs_calls.hpp"
#include "support/persistent_exchanges.hpp"
#include "support/variable.hpp"

namespace cubefold::preload {

/// Neighbours exchange blocks by the method that the test names.
class NeighboursOnARing : public OnARing {
 protected:
  void exchange_with_neighbours_by(const std::string& method) {
    method_.reset();
    method_.emplace("CUBEFOLD_NEIGHBORS", method, everywhere);
    gather_world_anew();
  }

 private:
  std::optional<mpi::Variable> method_;
};

/// A ring on which every process has the neighbours at distances 0 to 4, itself among them, as far as they differ:
/// versions of MPI differ in which of two blocks from one process is which.
class Ring {
 public:
  Ring() {
    gather_world_anew();
    const int count = std::min(mpi::world_size(), 5);
    for (int distance = 0; distance < count; ++distance) {
      to_.push_back(at(distance));
      from_.push_back(at(-distance));
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, from_.data(), MPI_UNWEIGHTED, count, to_.data(),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, comm_.out());
  }

  MPI_Comm get() const { return comm_.get(); }
  std::size_t degree() const { return from_.size(); }
  const std::vector<int>& sources() const { return from_; }

 private:
  static int at(int distance) {
    const int p = mpi::world_size();
    return ((mpi::world_rank() + distance) % p + p) % p;
  }

  std::vector<int> to_;
  std::vector<int> from_;
  Comm comm_;
};

/// One call of each function for neighbours on a ring, whose blocks of several sizes have other sizes in each round.
class RingBlocks {
 public:
  RingBlocks(const Ring& ring, int round) : ring_(ring) {
    const int own = mpi::world_rank();
    for (std::size_t i = 0; i < ring.degree(); ++i) {
      const int distance = static_cast<int>(i);
      places_.push_back(4 * distance);
      far_.push_back(static_cast<MPI_Aint>(4 * i * sizeof(int)));
      sent_counts_.push_back(count(own, distance, round));
      received_counts_.push_back(count(ring.sources()[i], distance, round));
      for (int k = 0; k < 4; ++k) {
        sent_.push_back(value(own, distance, k));
        all_.push_back(value(ring.sources()[i], distance, k));
        some_.push_back(k < received_counts_.back() ? all_.back() : -1);
        first_.push_back(k == 0 ? ring.sources()[i] : -1);
      }
    }
    large_.sent.assign(sent_counts_.begin(), sent_counts_.end());
    large_.received.assign(received_counts_.begin(), received_counts_.end());
    large_.ones.assign(ones_.begin(), ones_.end());
    large_.places.assign(places_.begin(), places_.end());
  }
  RingBlocks(const RingBlocks&) = delete;
  RingBlocks& operator=(const RingBlocks&) = delete;
  ~RingBlocks() {
    for (MPI_Request& request : requests_)
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }

  void exchange() {
    MPI_Comm comm = ring_.get();
    MPI_Neighbor_alltoall(sent_.data(), 4, MPI_INT, equal_.data(), 4, MPI_INT, comm);
    MPI_Neighbor_alltoallv(sent_.data(), sent_counts_.data(), places_.data(), MPI_INT, unequal_.data(),
                           received_counts_.data(), places_.data(), MPI_INT, comm);
    MPI_Neighbor_alltoallw(sent_.data(), sent_counts_.data(), far_.data(), types_.data(), typed_.data(),
                           received_counts_.data(), far_.data(), types_.data(), comm);
    MPI_Neighbor_allgather(&own_, 1, MPI_INT, gathered_.data(), 1, MPI_INT, comm);
    MPI_Neighbor_allgatherv(&own_, 1, MPI_INT, spread_.data(), ones_.data(), places_.data(), MPI_INT, comm);
  }

  void start() {
    MPI_Comm comm = ring_.get();
    MPI_Ineighbor_alltoall(sent_.data(), 4, MPI_INT, equal_.data(), 4, MPI_INT, comm, &requests_[0]);
    MPI_Ineighbor_alltoallv(sent_.data(), sent_counts_.data(), places_.data(), MPI_INT, unequal_.data(),
                            received_counts_.data(), places_.data(), MPI_INT, comm, &requests_[1]);
    MPI_Ineighbor_alltoallw(sent_.data(), sent_counts_.data(), far_.data(), types_.data(), typed_.data(),
                            received_counts_.data(), far_.data(), types_.data(), comm, &requests_[2]);
    MPI_Ineighbor_allgather(&own_, 1, MPI_INT, gathered_.data(), 1, MPI_INT, comm, &requests_[3]);
    MPI_Ineighbor_allgatherv(&own_, 1, MPI_INT, spread_.data(), ones_.data(), places_.data(), MPI_INT, comm,
                             &requests_[4]);
  }

  void make_persistent() {
    MPI_Comm comm = ring_.get();
    MPI_Neighbor_alltoall_init(sent_.data(), 4, MPI_INT, equal_.data(), 4, MPI_INT, comm, MPI_INFO_NULL,
                               &requests_[0]);
    MPI_Neighbor_alltoallv_init(sent_.data(), sent_counts_.data(), places_.data(), MPI_INT, unequal_.data(),
                                received_counts_.data(), places_.data(), MPI_INT, comm, MPI_INFO_NULL,
                                &requests_[1]);
    MPI_Neighbor_alltoallw_init(sent_.data(), sent_counts_.data(), far_.data(), types_.data(), typed_.data(),
                                received_counts_.data(), far_.data(), types_.data(), comm, MPI_INFO_NULL,
                                &requests_[2]);
    MPI_Neighbor_allgather_init(&own_, 1, MPI_INT, gathered_.data(), 1, MPI_INT, comm, MPI_INFO_NULL,
                                &requests_[3]);
    MPI_Neighbor_allgatherv_init(&own_, 1, MPI_INT, spread_.data(), ones_.data(), places_.data(), MPI_INT,
                                 comm, MPI_INFO_NULL, &requests_[4]);
  }

#if MPI_VERSION >= 4
  void exchange_large() {
    MPI_Comm comm = ring_.get();
    MPI_Neighbor_alltoall_c(sent_.data(), 4, MPI_INT, equal_.data(), 4, MPI_INT, comm);
    MPI_Neighbor_alltoallv_c(sent_.data(), large_.sent.data(), large_.places.data(), MPI_INT, unequal_.data(),
                             large_.received.data(), large_.places.data(), MPI_INT, comm);
    MPI_Neighbor_alltoallw_c(sent_.data(), large_.sent.data(), far_.data(), types_.data(), typed_.data(),
                             large_.received.data(), far_.data(), types_.data(), comm);
    MPI_Neighbor_allgather_c(&own_, 1, MPI_INT, gathered_.data(), 1, MPI_INT, comm);
    MPI_Neighbor_allgatherv_c(&own_, 1, MPI_INT, spread_.data(), large_.ones.data(), large_.places.data(),
                              MPI_INT, comm);
  }

  void start_large() {
    MPI_Comm comm = ring_.get();
    MPI_Ineighbor_alltoall_c(sent_.data(), 4, MPI_INT, equal_.data(), 4, MPI_INT, comm, &requests_[0]);
    MPI_Ineighbor_alltoallv_c(sent_.data(), large_.sent.data(), large_.places.data(), MPI_INT,
                              unequal_.data(), large_.received.data(), large_.places.data(), MPI_INT, comm,
                              &requests_[1]);
    MPI_Ineighbor_alltoallw_c(sent_.data(), large_.sent.data(), far_.data(), types_.data(), typed_.data(),
                              large_.received.data(), far_.data(), types_.data(), comm, &requests_[2]);
    MPI_Ineighbor_allgather_c(&own_, 1, MPI_INT, gathered_.data(), 1, MPI_INT, comm, &requests_[3]);
    MPI_Ineighbor_allgatherv_c(&own_, 1, MPI_INT, spread_.data(), large_.ones.data(), large_.places.data(),
                               MPI_INT, comm, &requests_[4]);
  }

  void make_large_persistent() {
    MPI_Comm comm = ring_.get();
    MPI_Neighbor_alltoall_init_c(sent_.data(), 4, MPI_INT, equal_.data(), 4, MPI_INT, comm, MPI_INFO_NULL,
                                 &requests_[0]);
    MPI_Neighbor_alltoallv_init_c(sent_.data(), large_.sent.data(), large_.places.data(), MPI_INT,
                                  unequal_.data(), large_.received.data(), large_.places.data(), MPI_INT,
                                  comm, MPI_INFO_NULL, &requests_[1]);
    MPI_Neighbor_alltoallw_init_c(sent_.data(), large_.sent.data(), far_.data(), types_.data(), typed_.data(),
                                  large_.received.data(), far_.data(), types_.data(), comm, MPI_INFO_NULL,
                                  &requests_[2]);
    MPI_Neighbor_allgather_init_c(&own_, 1, MPI_INT, gathered_.data(), 1, MPI_INT, comm, MPI_INFO_NULL,
                                  &requests_[3]);
    MPI_Neighbor_allgatherv_init_c(&own_, 1, MPI_INT, spread_.data(), large_.ones.data(),
                                   large_.places.data(), MPI_INT, comm, MPI_INFO_NULL, &requests_[4]);
  }
#endif

  /// Does what MPI forbids while an exchange is under way.
  void overwrite_arrays() {
    std::ranges::fill(types_, MPI_DATATYPE_NULL);
    for (auto* array : {&sent_counts_, &received_counts_, &places_, &ones_})
      std::ranges::fill(*array, 0x7f7f7f7f);
    std::ranges::fill(far_, -1);
    for (auto* array : {&large_.sent, &large_.received, &large_.ones}) std::ranges::fill(*array, -1);
    std::ranges::fill(large_.places, -1);
  }

  void forget() {
    for (auto* array : {&equal_, &unequal_, &typed_, &gathered_, &spread_}) std::ranges::fill(*array, -1);
  }

  std::array<MPI_Request, 5>& requests() {
    return requests_;
  }
  int wait() {
    return MPI_Waitall(5, requests_.data(), MPI_STATUSES_IGNORE);
  }

  void expect_arrived() const {
    EXPECT_EQ(equal_, all_);
    EXPECT_EQ(unequal_, some_);
    EXPECT_EQ(typed_, some_);
    EXPECT_EQ(gathered_, ring_.sources());
    EXPECT_EQ(spread_, first_);
  }

 private:
  /// The arrays of functions with large counts.
  struct Large {
    std::vector<MPI_Count> sent;
    std::vector<MPI_Count> received;
    std::vector<MPI_Count> ones;
    std::vector<MPI_Aint> places;
  };

  static int count(int from, int distance, int round) {
    return (from + distance + round) % 5;
  }
  static int value(int from, int distance, int k) {
    return 1000 * from + 10 * distance + k;
  }

  const Ring& ring_;
  int own_ = mpi::world_rank();
  std::vector<int> sent_;
  std::vector<int> sent_counts_;
  std::vector<int> received_counts_;
  std::vector<int> places_;
  std::vector<MPI_Aint> far_;
  std::vector<MPI_Datatype> types_ = std::vector<MPI_Datatype>(ring_.degree(), MPI_INT);
  std::vector<int> ones_ = std::vector<int>(ring_.degree(), 1);
  Large large_;
  std::vector<int> equal_ = std::vector<int>(4 * ring_.degree(), -1);
  std::vector<int> unequal_ = equal_;
  std::vector<int> typed_ = equal_;
  std::vector<int> gathered_ = std::vector<int>(ring_.degree(), -1);
  std::vector<int> spread_ = equal_;
  std::vector<int> all_;    ///< what the functions for blocks of one size bring
  std::vector<int> some_;   ///< what those for blocks of several sizes bring
  std::vector<int> first_;  ///< what allgatherv brings
  std::array<MPI_Request, 5> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                                       MPI_REQUEST_NULL};
};

}  // namespace cubefold::preload
