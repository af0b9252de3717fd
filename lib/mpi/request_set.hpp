#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

/// The set of messages under way, each with a value that describes it.
template <typename What>
class RequestSet {
 public:
  RequestSet() = default;
  RequestSet(const RequestSet&) = delete;
  RequestSet& operator=(const RequestSet&) = delete;

  /// Ends the requests that a failed run leaves behind. Receives that no message has matched are cancelled. The
  /// destructor waits for the other receives, because MPI writes to their memory until they are complete. Sends cannot
  /// be cancelled and may never be matched, so their memory must outlive this set.
  ~RequestSet() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i] == MPI_REQUEST_NULL) continue;
      if (messages_[i].is_receive) {
        MPI_Cancel(&requests_[i]);
        MPI_Wait(&requests_[i], MPI_STATUS_IGNORE);
      } else {
        MPI_Request_free(&requests_[i]);
      }
    }
  }

  /// Takes memory for `count` messages under way at once. More are possible.
  void reserve(std::size_t count) {
    requests_.reserve(count);
    messages_.reserve(count);
    over_.reserve(count);
    statuses_.reserve(count);
  }

  bool empty() const { return requests_.empty(); }

  /// Returns the values of the messages under way, in any order.
  std::vector<What> under_way() const {
    std::vector<What> result;
    for (const Message& message : messages_) result.push_back(message.what);
    return result;
  }

  void receive(const What& what, void* buffer, int bytes, int source, int tag, MPI_Comm comm) {
    check(MPI_Irecv(buffer, bytes, MPI_BYTE, source, tag, comm, add(what, true)), "MPI_Irecv");
  }
  void send(const What& what, const void* buffer, int bytes, int destination, int tag, MPI_Comm comm) {
    check(MPI_Isend(buffer, bytes, MPI_BYTE, destination, tag, comm, add(what, false)), "MPI_Isend");
  }

  /// Returns the place of a request that the caller posts next.
  MPI_Request* add(const What& what, bool is_receive) {
    messages_.push_back({what, is_receive});
    return &requests_.emplace_back(MPI_REQUEST_NULL);
  }

  /// Calls ended(what, status) for every message that is complete, and returns whether there was any. Polls MPI until
  /// there is one, but at most `most_polls` times.
  template <typename Ended>
  bool end_some(Ended ended, unsigned most_polls = 1) {
    if (requests_.empty()) return false;
    auto over = test();
    for (unsigned polls = 1; over.empty() && polls < most_polls; ++polls) over = test();
    for (std::size_t i = 0; i < over.size(); ++i)
      ended(messages_[static_cast<std::size_t>(over[i])].what, statuses_[i]);
    drop(over);
    return !over.empty();
  }

 private:
  std::span<int> test() {
    int count = 0;
    if (over_.size() < requests_.size()) {
      over_.resize(requests_.size());
      statuses_.resize(requests_.size());
    }
    const int code = MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, over_.data(),
                                  statuses_.data());
    if (code == MPI_ERR_IN_STATUS) {
      for (int i = 0; i < count; ++i) check(statuses_[static_cast<std::size_t>(i)].MPI_ERROR, "MPI_Testsome");
    }
    check(code, "MPI_Testsome");
    return std::span(over_).first(static_cast<std::size_t>(std::max(count, 0)));
  }

  void drop(std::span<int> places) {
    if (!std::ranges::is_sorted(places)) std::ranges::sort(places);
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
      const auto i = static_cast<std::size_t>(*place);
      requests_[i] = requests_.back();
      messages_[i] = messages_.back();
      requests_.pop_back();
      messages_.pop_back();
    }
  }

  struct Message {
    What what;
    bool is_receive;
  };

  std::vector<MPI_Request> requests_;
  std::vector<Message> messages_;  ///< those of the requests
  std::vector<int> over_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace cubefold::mpi
