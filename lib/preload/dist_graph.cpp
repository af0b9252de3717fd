#include <mpi.h>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

#include "mpi/processes.hpp"
#include "mpi/suited_ranks.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"
#include "reordering.hpp"

namespace cubefold::preload {

namespace {

/// Every process searches for the order of the ranks in the whole graph, which has 12 bytes for each edge.
constexpr std::size_t most_edges = std::size_t{1} << 20;

/// An edge of a graph of ranks, as MPI_INT three times.
struct Edge {
  int from;
  int to;
  int weight;
};
constexpr int ints_per_edge = 3;

/// The neighbours of a rank in one direction, as the program passes them.
struct Neighbours {
  int count;
  const int* ranks;
  const int* weights;

  bool have_weights() const { return weights != MPI_UNWEIGHTED; }
};

void require(bool holds) {
  if (!holds) throw std::invalid_argument("a graph has arguments that MPI does not take");
}

/// Adds the edges from a rank to its neighbours. Throws std::invalid_argument for arguments that MPI refuses.
void add_edges(std::vector<Edge>& edges, int from, const Neighbours& to, int process_count) {
  const auto is_rank = [&](int rank) { return rank >= 0 && rank < process_count; };
  require(to.count >= 0 && is_rank(from));
  if (to.count == 0) return;
  require(to.ranks != nullptr && to.weights != nullptr);
  for (int i = 0; i < to.count; ++i) {
    const int weight = to.have_weights() ? to.weights[i] : 1;
    require(is_rank(to.ranks[i]) && weight >= 0);
    edges.push_back({from, to.ranks[i], weight});
  }
  if (edges.size() > most_edges)
    throw std::invalid_argument(fmt::format("a graph has more than {} edges", most_edges));
}

/// Collective: returns the edges of all processes. Throws an Agreed exception for more than most_edges.
std::vector<Edge> edges_of_all(const std::vector<Edge>& own, MPI_Comm comm) {
  const int own_ints = static_cast<int>(own.size()) * ints_per_edge;
  std::vector<int> sizes;
  std::vector<int> starts;
  std::vector<Edge> all;
  mpi::agree_on_outcome(comm, [&] {
    sizes.resize(mpi::process_count(comm));
    starts.resize(sizes.size());
  });
  mpi::check(MPI_Allgather(&own_ints, 1, MPI_INT, sizes.data(), 1, MPI_INT, comm), "MPI_Allgather");
  mpi::agree_on_outcome(comm, [&] {
    const auto edge_count = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) / ints_per_edge;
    if (edge_count > most_edges) {
      throw std::invalid_argument(
          fmt::format("a graph of {} edges has more than {}", edge_count, most_edges));
    }
    std::exclusive_scan(sizes.begin(), sizes.end(), starts.begin(), 0);
    all.resize(edge_count);
  });
  mpi::check(
      MPI_Allgatherv(own.data(), own_ints, MPI_INT, all.data(), sizes.data(), starts.data(), MPI_INT, comm),
      "MPI_Allgatherv");
  return all;
}

Phase phase_of(const std::vector<Edge>& edges) {
  Phase phase{"graph", 1, {}};
  phase.traffic.reserve(edges.size());
  for (const Edge& edge : edges) {
    if (edge.weight == 0 || edge.from == edge.to) continue;
    phase.traffic.push_back(
        {static_cast<Rank>(edge.from), static_cast<Rank>(edge.to), static_cast<double>(edge.weight)});
  }
  return phase;
}

using NewRanks = std::optional<std::vector<int>>;

/// Collective: returns the new rank of every process, or nothing if the call is passed on. edges() returns the edges
/// that this process names.
template <typename Edges>
NewRanks ranks_for_graph(const mpi::VirtualComm& comm, Edges edges) {
  std::vector<Edge> own = mpi::agree_on_outcome(comm.virtual_comm(), [&] { return edges(); });
  const std::vector<Edge> all = edges_of_all(own, comm.virtual_comm());
  return mpi::agree_on_outcome(comm.virtual_comm(), [&] { return suited_ranks(comm, {phase_of(all)}); });
}

/// The arguments of MPI_Dist_graph_create as the program passes them.
struct GraphArguments {
  MPI_Comm comm;
  int source_count;
  const int* sources;
  const int* degrees;
  const int* destinations;
  const int* weights;
  MPI_Info info;
};

std::vector<Edge> edges_of(const GraphArguments& a, const mpi::VirtualComm& comm) {
  require(a.source_count == 0 || (a.source_count > 0 && a.sources != nullptr && a.degrees != nullptr));
  std::vector<Edge> edges;
  Neighbours to{0, a.destinations, a.weights};
  for (int i = 0; i < a.source_count; ++i) {
    to.count = a.degrees[i];
    add_edges(edges, a.sources[i], to, static_cast<int>(comm.placement().rank_count()));
    if (to.count == 0) continue;
    to.ranks += to.count;
    if (to.have_weights()) to.weights += to.count;
  }
  return edges;
}

/// The edges name ranks of the new communicator, so any process may name them.
int dist_graph_create(const GraphArguments& a, int may_differ, MPI_Comm* graph, Name name) {
  const auto make = [&](MPI_Comm comm, int reorder) {
    return pass_on(name, [&](const NextMpi& mpi) {
      return mpi.Dist_graph_create(comm, a.source_count, a.sources, a.degrees, a.destinations, a.weights,
                                   a.info, reorder, graph);
    });
  };
  const int code = reorder(
      a.comm, may_differ != 0 && graph != nullptr, report().Dist_graph_create,
      [&](const mpi::VirtualComm& comm) { return ranks_for_graph(comm, [&] { return edges_of(a, comm); }); },
      [&](const std::vector<int>& ranks) {
        const int rank = ranks[static_cast<std::size_t>(mpi::rank_in(a.comm))];
        return in_new_order(a.comm, rank, [&](MPI_Comm ordered) { return make(ordered, 0); });
      },
      [&] { return make(a.comm, may_differ); });
  return code == MPI_SUCCESS ? with_progress_thread(a.comm, graph) : code;
}

/// The neighbours of a process in both directions.
struct Adjacency {
  Neighbours in;
  Neighbours out;
};

/// The neighbours of a rank as a message.
class AdjacencyMessage {
 public:
  /// Collective: returns the neighbours of the rank of this process in `ordered`. Each process passes those of its old
  /// rank, and `ranks` are the new ranks of all processes.
  static AdjacencyMessage exchanged(const Adjacency& own, int old_rank, const std::vector<int>& ranks,
                                    MPI_Comm ordered) {
    const int from = ranks[static_cast<std::size_t>(mpi::rank_in(ordered))];
    AdjacencyMessage sent;
    AdjacencyMessage received;
    sent.header_ = {own.in.count, own.in.have_weights() ? 1 : 0, own.out.count,
                    own.out.have_weights() ? 1 : 0};
    mpi::agree_on_outcome(ordered, [&] { sent.pack(own); });
    mpi::check(MPI_Sendrecv(sent.header_.data(), header_ints, MPI_INT, old_rank, 0, received.header_.data(),
                            header_ints, MPI_INT, from, 0, ordered, MPI_STATUS_IGNORE),
               "MPI_Sendrecv");
    mpi::agree_on_outcome(ordered, [&] { received.values_.resize(received.value_count()); });
    mpi::check(MPI_Sendrecv(sent.values_.data(), static_cast<int>(sent.values_.size()), MPI_INT, old_rank, 0,
                            received.values_.data(), static_cast<int>(received.values_.size()), MPI_INT, from,
                            0, ordered, MPI_STATUS_IGNORE),
               "MPI_Sendrecv");
    return received;
  }

  Adjacency adjacency() const {
    const auto [in, in_weights, out, out_weights] = header_;
    const int* next = values_.data();
    const auto neighbours = [&](int count, bool have_weights) {
      Neighbours result{count, next, MPI_UNWEIGHTED};
      next += count;
      if (!have_weights) return result;
      result.weights = count == 0 ? MPI_WEIGHTS_EMPTY : next;
      next += count;
      return result;
    };
    const Neighbours sources = neighbours(in, in_weights != 0);
    return {sources, neighbours(out, out_weights != 0)};
  }

 private:
  static constexpr int header_ints = 4;

  std::size_t value_count() const {
    const auto [in, in_weights, out, out_weights] = header_;
    return static_cast<std::size_t>(in) * (in_weights != 0 ? 2 : 1) +
           static_cast<std::size_t>(out) * (out_weights != 0 ? 2 : 1);
  }

  void pack(const Adjacency& own) {
    values_.reserve(value_count());
    for (const Neighbours& side : {own.in, own.out}) {
      values_.insert(values_.end(), side.ranks, side.ranks + side.count);
      if (side.have_weights() && side.count > 0)
        values_.insert(values_.end(), side.weights, side.weights + side.count);
    }
  }

  std::array<int, header_ints>
      header_{};  // the count of sources, whether they have weights, and the same of targets
  std::vector<int> values_;
};

/// Throws std::invalid_argument for neighbours that MPI refuses. Returns the edges to the targets.
std::vector<Edge> edges_of(const Adjacency& a, const mpi::VirtualComm& comm) {
  const auto process_count = static_cast<int>(comm.placement().rank_count());
  const auto rank = static_cast<int>(label(comm.rank()));
  std::vector<Edge> edges;
  add_edges(edges, rank, a.in, process_count);
  edges.clear();
  add_edges(edges, rank, a.out, process_count);
  return edges;
}

/// The arguments of MPI_Dist_graph_create_adjacent as the program passes them.
struct AdjacentArguments {
  MPI_Comm comm;
  Adjacency own;
  MPI_Info info;
};

int dist_graph_create_adjacent(const AdjacentArguments& arguments, int may_differ, MPI_Comm* graph,
                               Name name) {
  MPI_Comm comm = arguments.comm;
  const Adjacency& own = arguments.own;
  const auto make = [&](MPI_Comm from, const Adjacency& a, int reorder) {
    return pass_on(name, [&](const NextMpi& mpi) {
      return mpi.Dist_graph_create_adjacent(from, a.in.count, a.in.ranks, a.in.weights, a.out.count,
                                            a.out.ranks, a.out.weights, arguments.info, reorder, graph);
    });
  };
  const int code = reorder(
      comm, may_differ != 0 && graph != nullptr, report().Dist_graph_create_adjacent,
      [&](const mpi::VirtualComm& virtual_comm) {
        return ranks_for_graph(virtual_comm, [&] { return edges_of(own, virtual_comm); });
      },
      [&](const std::vector<int>& ranks) {
        const int old_rank = mpi::rank_in(comm);
        return in_new_order(comm, ranks[static_cast<std::size_t>(old_rank)], [&](MPI_Comm ordered) {
          const auto message = AdjacencyMessage::exchanged(own, old_rank, ranks, ordered);
          return make(ordered, message.adjacency(), 0);
        });
      },
      [&] { return make(comm, own, may_differ); });
  return code == MPI_SUCCESS ? with_progress_thread(comm, graph) : code;
}

}  // namespace

}  // namespace cubefold::preload

using cubefold::preload::dist_graph_create;
using cubefold::preload::dist_graph_create_adjacent;

CUBEFOLD_REPLACE(Dist_graph_create,
                 (MPI_Comm comm, int source_count, const int* sources, const int* degrees,
                  const int* destinations, const int* weights, MPI_Info info, int reorder, MPI_Comm* graph),
                 dist_graph_create({comm, source_count, sources, degrees, destinations, weights, info},
                                   reorder, graph, name))

CUBEFOLD_REPLACE(
    Dist_graph_create_adjacent,
    (MPI_Comm comm, int in_count, const int* sources, const int* source_weights, int out_count,
     const int* destinations, const int* destination_weights, MPI_Info info, int reorder, MPI_Comm* graph),
    dist_graph_create_adjacent(
        {comm, {{in_count, sources, source_weights}, {out_count, destinations, destination_weights}}, info},
        reorder, graph, name))
