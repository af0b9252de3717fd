#include "calibrate/stream.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "cubefold/mpi/error.hpp"
#include "mpi/agreement.hpp"
#include "timing/runs.hpp"

using cubefold::mpi::check;

namespace {

/// Limits the bytes by which a sender may be ahead of the receiver.
constexpr std::size_t bytes_ahead = std::size_t{4} << 20;
constexpr std::size_t most_messages_ahead = 1024;
constexpr std::size_t receives_posted = 32;

std::size_t messages_ahead(std::size_t message_bytes) {
  return std::clamp(bytes_ahead / message_bytes, receives_posted, most_messages_ahead);
}

/// Runs one end of one stream. The requests form a ring: the oldest request is awaited before its place is used again.
class StreamEnd {
 public:
  StreamEnd(MPI_Comm comm, bool sends, std::size_t pair, const Streams& streams)
      : comm_(comm),
        sends_(sends),
        pair_(pair),
        peer_(static_cast<int>(sends ? streams.pairs[pair].to : streams.pairs[pair].from)),
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

  bool receives() const { return !sends_; }
  std::size_t pair() const { return pair_; }
  int peer() const { return peer_; }
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
  std::size_t pair_;  ///< position of the pair among those of the streams
  int peer_;
  int message_bytes_;
  std::size_t message_count_;
  std::size_t posted_ = 0;
  std::size_t done_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<std::byte> bytes_;
};

/// Holds all memory that streams need. No memory is allocated while messages are under way.
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
    for (std::size_t i = 0; i < streams.pairs.size(); ++i) {
      if (streams.pairs[i].to == here) ends.emplace_back(comm, false, i, streams);
      if (streams.pairs[i].from == here) ends.emplace_back(comm, true, i, streams);
    }
  }
  std::vector<MPI_Request> oldest(ends.size());
  return {std::move(ends), std::move(oldest)};
}

/// Runs all streams to their ends, and calls on_end() for each one that has ended here.
template <typename OnEnd>
void run(StreamEnds& streams, OnEnd on_end) {
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
    if (!done->finished()) continue;
    on_end(*done);
    ends.erase(done);
  }
}

}  // namespace

std::size_t message_count_lasting(double seconds, double message_seconds) {
  constexpr double most = 1e8;
  return static_cast<std::size_t>(std::max(4.0, std::ceil(std::min(most, seconds / message_seconds))));
}

double stream_seconds(MPI_Comm comm, const std::vector<Streams>& sets) {
  StreamEnds streams = cubefold::mpi::agree_on_outcome(comm, [&] { return ends_here(comm, sets); });
  return cubefold::timing::time_of_slowest(comm, [&] { run(streams, [](const StreamEnd&) {}); });
}

namespace {

constexpr int ready_tag = 1;

/// Lets no sender start before its receiver is ready, so that no stream appears shorter than it is.
void await_receivers(MPI_Comm comm, const StreamEnds& streams) {
  for (const StreamEnd& end : streams.ends) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (!end.receives()) continue;
    check(MPI_Isend(nullptr, 0, MPI_BYTE, end.peer(), ready_tag, comm, &request), "MPI_Isend");
    check(MPI_Request_free(&request), "MPI_Request_free");
  }
  for (const StreamEnd& end : streams.ends) {
    if (end.receives()) continue;
    check(MPI_Recv(nullptr, 0, MPI_BYTE, end.peer(), ready_tag, comm, MPI_STATUS_IGNORE), "MPI_Recv");
  }
}

}  // namespace

std::vector<double> stream_times(MPI_Comm comm, const Streams& streams) {
  StreamEnds own;
  std::vector<double> seconds;
  cubefold::mpi::agree_on_outcome(comm, [&] {
    own = ends_here(comm, {streams});
    seconds.resize(streams.pairs.size());
  });
  check(MPI_Barrier(comm), "MPI_Barrier");
  const double start = MPI_Wtime();
  await_receivers(comm, own);
  run(own, [&](const StreamEnd& end) {
    if (end.receives()) seconds[end.pair()] = MPI_Wtime() - start;
  });
  check(MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX,
                      comm),
        "MPI_Allreduce");
  return seconds;
}
