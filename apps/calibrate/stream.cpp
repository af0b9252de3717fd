#include "calibrate/stream.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "timing/runs.hpp"

using cubefold::mpi::check;

namespace {

/// The most bytes by which a sender is ahead of the receiver.
constexpr std::size_t bytes_ahead = std::size_t{4} << 20;
constexpr std::size_t most_messages_ahead = 1024;
constexpr std::size_t receives_posted = 32;

std::size_t messages_ahead(std::size_t message_bytes) {
  return std::clamp(bytes_ahead / message_bytes, receives_posted, most_messages_ahead);
}

/// One end of one stream. Its requests form a ring: the oldest is awaited before its place is used again.
class StreamEnd {
 public:
  StreamEnd(MPI_Comm comm, bool sends, int peer, const Streams& streams)
      : comm_(comm),
        sends_(sends),
        peer_(peer),
        message_bytes_(static_cast<int>(streams.message_bytes)),
        message_count_(streams.message_count),
        requests_(sends ? messages_ahead(streams.message_bytes) : receives_posted),
        bytes_(streams.message_bytes * (sends ? 1 : receives_posted)) {}

  void post_all_that_fit() {
    while (posted_ < message_count_ && posted_ - done_ < requests_.size()) {
      post(posted_ % requests_.size());
      ++posted_;
    }
  }

  bool finished() const { return done_ == message_count_; }
  MPI_Request& oldest() { return requests_[done_ % requests_.size()]; }
  void oldest_is_done() { ++done_; }

 private:
  void post(std::size_t place) {
    if (sends_) {
      // One message in each round is sent synchronously, so that an eager sender cannot fill the memory of the
      // receiver.
      const auto send = place == 0 ? MPI_Issend : MPI_Isend;
      check(send(bytes_.data(), message_bytes_, MPI_BYTE, peer_, 0, comm_, &requests_[place]), "MPI_Isend");
    } else {
      std::byte* const to = bytes_.data() + place * static_cast<std::size_t>(message_bytes_);
      check(MPI_Irecv(to, message_bytes_, MPI_BYTE, peer_, 0, comm_, &requests_[place]), "MPI_Irecv");
    }
  }

  MPI_Comm comm_;
  bool sends_;
  int peer_;
  int message_bytes_;
  std::size_t message_count_;
  std::size_t posted_ = 0;
  std::size_t done_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<std::byte> bytes_;
};

/// All memory that streams need. None is allocated while messages are under way.
struct StreamEnds {
  std::vector<StreamEnd> ends;
  std::vector<MPI_Request> oldest;  ///< oldest request of each end
};

StreamEnds ends_here(MPI_Comm comm, const std::vector<Streams>& sets) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  const auto here = static_cast<cubefold::GridNode>(rank);
  std::vector<StreamEnd> ends;
  for (const Streams& streams : sets) {
    for (const auto& [from, to] : streams.pairs) {
      if (to == here) ends.emplace_back(comm, false, static_cast<int>(from), streams);
      if (from == here) ends.emplace_back(comm, true, static_cast<int>(to), streams);
    }
  }
  std::vector<MPI_Request> oldest(ends.size());
  return {std::move(ends), std::move(oldest)};
}

void run(StreamEnds& streams) {
  auto& [ends, oldest] = streams;
  while (!ends.empty()) {
    oldest.clear();
    for (StreamEnd& end : ends) {
      end.post_all_that_fit();
      oldest.push_back(end.oldest());
    }
    int which = 0;
    check(MPI_Waitany(static_cast<int>(oldest.size()), oldest.data(), &which, MPI_STATUS_IGNORE),
          "MPI_Waitany");
    const auto done = ends.begin() + which;
    done->oldest() = MPI_REQUEST_NULL;
    done->oldest_is_done();
    if (done->finished()) ends.erase(done);
  }
}

}  // namespace

std::size_t message_count_lasting(double seconds, double message_seconds) {
  constexpr double most = 1e8;
  return static_cast<std::size_t>(std::max(4.0, std::ceil(std::min(most, seconds / message_seconds))));
}

double stream_seconds(MPI_Comm comm, const std::vector<Streams>& sets) {
  StreamEnds streams;
  cubefold::mpi::collective_try(comm, [&] { streams = ends_here(comm, sets); });
  return cubefold::timing::time_of_slowest(comm, [&] { run(streams); });
}
