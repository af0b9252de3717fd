#include "recorder.hpp"

#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "cubefold/mpi/error.hpp"

namespace cubefold::profile {

namespace {

using mpi::check;

/// Holds what a process knows of a communicator of the program.
struct CommRanks {
  std::string text;        ///< among whom messages travel
  int rank = 0;            ///< of this process
  std::vector<int> world;  ///< the rank in MPI_COMM_WORLD of each rank

  int size() const { return static_cast<int>(world.size()); }
};

std::vector<int> world_ranks(MPI_Comm comm, int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  int likeness = MPI_UNEQUAL;
  check(MPI_Comm_compare(comm, MPI_COMM_WORLD, &likeness), "MPI_Comm_compare");
  if (likeness == MPI_IDENT || likeness == MPI_CONGRUENT) return ranks;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  check(MPI_Comm_group(comm, &group), "MPI_Comm_group");
  check(MPI_Comm_group(MPI_COMM_WORLD, &all), "MPI_Comm_group");
  std::vector<int> world(ranks.size());
  check(MPI_Group_translate_ranks(group, size, ranks.data(), all, world.data()), "MPI_Group_translate_ranks");
  MPI_Group_free(&group);
  MPI_Group_free(&all);
  return world;
}

/// Returns the distance between consecutive ranks, if all of them have the same.
std::optional<int> stride_of(const std::vector<int>& world) {
  if (world.size() < 2) return std::nullopt;
  const int stride = world[1] - world[0];
  for (std::size_t i = 2; i < world.size(); ++i)
    if (world[i] - world[i - 1] != stride) return std::nullopt;
  return stride;
}

std::string text_of(const std::vector<int>& world) {
  int all = 0;
  check(MPI_Comm_size(MPI_COMM_WORLD, &all), "MPI_Comm_size");
  const auto stride = stride_of(world);
  if (world.size() == static_cast<std::size_t>(all))
    return fmt::format("among all {} ranks{}", all, stride == 1 ? "" : " in another order");
  return fmt::format("among {} of {} ranks, {}", world.size(), all,
                     stride ? fmt::format("stride {}", *stride) : "scattered");
}

CommRanks ranks_on(MPI_Comm comm) {
  CommRanks ranks;
  int size = 0;
  check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  check(MPI_Comm_rank(comm, &ranks.rank), "MPI_Comm_rank");
  ranks.world = world_ranks(comm, size);
  ranks.text = text_of(ranks.world);
  return ranks;
}

int forget(MPI_Comm /*comm*/, int /*key*/, void* value, void* /*extra*/) {
  delete static_cast<CommRanks*>(value);
  return MPI_SUCCESS;
}

int attribute_key() {
  static const int made = [] {
    int key = MPI_KEYVAL_INVALID;
    check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, nullptr), "MPI_Comm_create_keyval");
    return key;
  }();
  return made;
}

std::uint64_t bytes_of(int count, MPI_Datatype type) {
  MPI_Count size = 0;
  check(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
  return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

/// Returns what is known of a communicator, or null for an inter-communicator.
const CommRanks* known_ranks(MPI_Comm comm) {
  void* value = nullptr;
  int is_set = 0;
  check(MPI_Comm_get_attr(comm, attribute_key(), &value, &is_set), "MPI_Comm_get_attr");
  if (is_set != 0) return static_cast<CommRanks*>(value);
  int is_inter = 0;
  check(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter");
  if (is_inter != 0) return nullptr;
  auto made = std::make_unique<CommRanks>(ranks_on(comm));
  check(MPI_Comm_set_attr(comm, attribute_key(), made.get()), "MPI_Comm_set_attr");
  return made.release();  // the communicator frees it
}

std::vector<int> neighbours_in_cart(MPI_Comm comm) {
  int axis_count = 0;
  check(MPI_Cartdim_get(comm, &axis_count), "MPI_Cartdim_get");
  std::vector<int> ranks;
  for (int axis = 0; axis < axis_count; ++axis) {
    int before = MPI_PROC_NULL;
    int after = MPI_PROC_NULL;
    check(MPI_Cart_shift(comm, axis, 1, &before, &after), "MPI_Cart_shift");
    ranks.insert(ranks.end(), {before, after});
  }
  return ranks;
}

std::vector<int> neighbours_in_distributed_graph(MPI_Comm comm) {
  int in_count = 0;
  int out_count = 0;
  int is_weighted = 0;
  check(MPI_Dist_graph_neighbors_count(comm, &in_count, &out_count, &is_weighted),
        "MPI_Dist_graph_neighbors_count");
  std::vector<int> in(static_cast<std::size_t>(in_count));
  std::vector<int> out(static_cast<std::size_t>(out_count));
  std::vector<int> in_weights(in.size());
  std::vector<int> out_weights(out.size());
  check(MPI_Dist_graph_neighbors(comm, in_count, in.data(), in_weights.data(), out_count, out.data(),
                                 out_weights.data()),
        "MPI_Dist_graph_neighbors");
  return out;
}

std::vector<int> neighbours_in_graph(MPI_Comm comm, int rank) {
  int count = 0;
  check(MPI_Graph_neighbors_count(comm, rank, &count), "MPI_Graph_neighbors_count");
  std::vector<int> ranks(static_cast<std::size_t>(count));
  check(MPI_Graph_neighbors(comm, rank, count, ranks.data()), "MPI_Graph_neighbors");
  return ranks;
}

/// Returns the ranks that this process sends to in neighbourhood collectives, in the order of their blocks.
std::vector<int> neighbours(MPI_Comm comm, int rank) {
  int topology = MPI_UNDEFINED;
  check(MPI_Topo_test(comm, &topology), "MPI_Topo_test");
  if (topology == MPI_CART) return neighbours_in_cart(comm);
  if (topology == MPI_DIST_GRAPH) return neighbours_in_distributed_graph(comm);
  if (topology == MPI_GRAPH) return neighbours_in_graph(comm, rank);
  return {};
}

/// Returns the rank in MPI_COMM_WORLD that a message to a rank of the communicator reaches. There is none for
/// MPI_PROC_NULL, for the sender itself, and for a process of a job that has joined this one.
std::optional<int> receiver_of(const CommRanks& ranks, int to) {
  if (to == MPI_PROC_NULL || to == ranks.rank) return std::nullopt;
  const int world = ranks.world[static_cast<std::size_t>(to)];
  if (world == MPI_UNDEFINED) return std::nullopt;
  return world;
}

}  // namespace

// A global object of the program may call MPI_Finalize in its destructor, so the recorder is never destroyed.
Recorder& Recorder::here() {
  static Recorder& recorder = *new Recorder;
  return recorder;
}

template <typename Note>
void Recorder::with_phase(const char* function, MPI_Comm comm, Note note) {
  const std::lock_guard lock(mutex_);
  if (is_over_) return;
  if (const CommRanks* ranks = known_ranks(comm))
    note(*ranks, sent_.phase(fmt::format("{} {}", function, ranks->text)));
}

template <typename Send>
void Recorder::with_sends(const char* function, MPI_Comm comm, Send send) {
  with_phase(function, comm, [&](const CommRanks& ranks, std::size_t phase) {
    send(ranks, [&](int to, int count, MPI_Datatype type) {
      if (const auto receiver = receiver_of(ranks, to))
        sent_.add(phase, *receiver, {1, bytes_of(count, type)});
    });
  });
}

void Recorder::message(MPI_Comm comm, int to, int count, MPI_Datatype type) {
  with_sends("messages", comm, [&](const CommRanks&, auto send) { send(to, count, type); });
}

void Recorder::prepared(MPI_Request request, MPI_Comm comm, int to, int count, MPI_Datatype type) {
  with_phase("messages", comm, [&](const CommRanks& ranks, std::size_t phase) {
    if (const auto receiver = receiver_of(ranks, to))
      prepared_[request] = {phase, *receiver, {1, bytes_of(count, type)}};
  });
}

void Recorder::started(std::span<const MPI_Request> requests) {
  const std::lock_guard lock(mutex_);
  if (is_over_) return;
  for (MPI_Request request : requests) {
    const auto found = prepared_.find(request);
    if (found != prepared_.end()) sent_.add(found->second.phase, found->second.to, found->second.sent);
  }
}

void Recorder::ended(MPI_Request request) {
  const std::lock_guard lock(mutex_);
  prepared_.erase(request);
}

void Recorder::to_all(const char* function, MPI_Comm comm, int count, MPI_Datatype type) {
  with_sends(function, comm, [&](const CommRanks& ranks, auto send) {
    for (int to = 0; to < ranks.size(); ++to) send(to, count, type);
  });
}

void Recorder::to_each(const char* function, MPI_Comm comm, const int* counts, MPI_Datatype type) {
  with_sends(function, comm, [&](const CommRanks& ranks, auto send) {
    for (int to = 0; to < ranks.size(); ++to)
      if (counts[to] > 0) send(to, counts[to], type);
  });
}

void Recorder::to_each(const char* function, MPI_Comm comm, const int* counts, const MPI_Datatype* types) {
  with_sends(function, comm, [&](const CommRanks& ranks, auto send) {
    for (int to = 0; to < ranks.size(); ++to)
      if (counts[to] > 0) send(to, counts[to], types[to]);
  });
}

void Recorder::to_neighbours(const char* function, MPI_Comm comm, int count, MPI_Datatype type) {
  with_sends(function, comm, [&](const CommRanks& ranks, auto send) {
    for (const int to : neighbours(comm, ranks.rank)) send(to, count, type);
  });
}

void Recorder::to_neighbours(const char* function, MPI_Comm comm, const int* counts, MPI_Datatype type) {
  with_sends(function, comm, [&](const CommRanks& ranks, auto send) {
    for (const int to : neighbours(comm, ranks.rank)) {
      const int count = *counts++;
      if (count > 0) send(to, count, type);
    }
  });
}

void Recorder::by_doubling(const char* function, MPI_Comm comm, int count, MPI_Datatype type) {
  with_sends(function, comm, [&](const CommRanks& ranks, auto send) {
    for (const int to : doubling_receivers(ranks.rank, ranks.size())) send(to, count, type);
  });
}

SentMessages Recorder::finish() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  return std::exchange(sent_, {});
}

}  // namespace cubefold::profile
