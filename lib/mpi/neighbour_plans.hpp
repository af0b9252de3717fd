#pragma once

#include <mpi.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "alltoall_plan.hpp"
#include "candidate_trials.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "neighbours.hpp"
#include "plan/job_facts.hpp"
#include "plan/neighbour_choice.hpp"
#include "verbose.hpp"

namespace cubefold::mpi {

/// The plans by which the processes of a communicator with a topology exchange blocks with their neighbours, on one
/// context. NeighbourChooser decides on them.
///
/// Blocks of MPI_Neighbor_alltoall and MPI_Neighbor_allgather have one size, so that the choice needs no messages. For
/// blocks of several sizes the processes agree on the largest block of each edge: in the first call, in every 2^k-th
/// one and every 64th after it (every 512th if MPI's own function is chosen), and in every eighth of up to 128 calls
/// with sizes of a new class while candidates are measured. In the other calls they use the last choice, and longer
/// blocks travel as messages of their own.
class CUBEFOLD_API NeighbourPlans {
 public:
  /// Collective: finds out whether the edges are the same offsets on all processes of a grid. Costs one reduction of
  /// two numbers, one broadcast of the edges of one process, and one reduction of 8 bytes; these are left out where
  /// reason_for_neighbours_of_mpi() or a Cartesian topology decides before, since such neighbours are those of the
  /// axes.
  ///
  /// `graph` is the communicator with the topology, which must outlive this object and on which MPI's own functions are
  /// called. It has the processes of the context, in any order. Throws as agree() does.
  NeighbourPlans(MPI_Comm graph, std::shared_ptr<CommContext> context, const JobFacts& facts);
  NeighbourPlans(const NeighbourPlans&) = delete;
  NeighbourPlans& operator=(const NeighbourPlans&) = delete;
  ~NeighbourPlans() = default;

  std::size_t destination_count() const { return lists_.destinations.size(); }
  std::size_t source_count() const { return lists_.sources.size(); }

  /// Returns whether MPI's own function makes all blocking calls.
  bool leaves_all_to_mpi() const { return chooser_->leaves_all_to_mpi(); }

  /// Returns whether a stencil is recognised, so that messages may be combined.
  bool has_stencil() const { return chooser_->edges().has_value(); }

  /// Returns a line about blocking calls and requests with blocks of this size, and one about the last call with blocks
  /// of several sizes, if there was one: what is done and why. Does not communicate.
  std::string text_for(std::size_t block_bytes) const;

  /// These return whether the next blocking call, with blocks of one size or of several sizes, is MPI's own and agrees
  /// on nothing, and count it then: the caller calls MPI. They do not communicate, and cost less than run().
  bool leaves_next_to_mpi(std::size_t block_bytes);
  bool leaves_next_to_mpi();

  /// Collective: performs a blocking call. Throws std::invalid_argument for arguments that break a rule.
  void run(NeighbourCall call);

  /// Says whether the processes may agree on the sizes of blocks while a request is prepared.
  enum class Agreement : std::uint8_t { none, on_sizes };

  /// Collective: binds a call to a request, which uses steps and not MPI's own function. Communicates only if there is
  /// no plan for it yet, or to agree on the largest block of each edge of a stencil if blocks may have several sizes
  /// and `agreement` allows it. Such blocks are combined only where processes have agreed on them, here or in an
  /// earlier call. The caller may free types and arrays at once.
  std::unique_ptr<AlltoallRequest> prepare(NeighbourCall call, Agreement agreement = Agreement::none);

 private:
  /// Calls for which one choice holds, by the bit width of their bytes.
  struct Class {
    CallKind kind;
    std::size_t width;

    bool operator<(const Class& other) const {
      return std::tie(kind, width) < std::tie(other.kind, other.width);
    }
  };

  /// Returns the class of blocking calls with blocks of one size.
  static Class class_of(std::size_t block_bytes) {
    return {CallKind::blocking, static_cast<std::size_t>(std::bit_width(block_bytes))};
  }

  /// Blocks of several sizes, as processes have agreed on them.
  struct Agreed {
    std::vector<std::uint64_t> edge_bytes;
    std::uint64_t bytes;                         ///< of all edges
    std::optional<NeighbourMethod> of_requests;  ///< nothing until a request asks for it
  };

  /// A candidate that is measured in calls_of_trial calls in a row, of which the first one begins with an agreement.
  /// Processes leave an agreement at different times, so that a process waits for others in the calls after it. Their
  /// pace is that of the process that waits least: on it the calls are shortest.
  struct Trial {
    const CandidatePlans* plans;  ///< of the class
    std::size_t bytes;            ///< of a block if blocks have one size
    std::shared_ptr<AlltoallPlan> plan;
    std::shared_ptr<double> seconds;
    double sum_seconds = 0;  ///< of the calls after the first one, without what the program does between them
    std::uint64_t calls = 0;  ///< after the first one
  };
  static constexpr std::uint64_t calls_of_trial = 8;
  static constexpr std::uint64_t most_trial_calls = 128;  ///< of a class
  /// Calls between agreements, where messages are combined and where MPI's own function is chosen.
  static constexpr std::uint64_t most_calls_between = 64;
  static constexpr std::uint64_t most_calls_of_mpi_between = 512;

  std::vector<CallChoice> choices() const;
  std::optional<NeighbourGrid> recognised();
  std::vector<std::uint64_t> equal_bytes(std::uint64_t bytes) const;
  CandidatePlans& plans_for(const Class& calls, const std::vector<std::uint64_t>& edge_bytes);
  std::shared_ptr<AlltoallPlan> make_plan(const std::optional<NeighbourMethod>& method);
  void require_equal_sizes(std::size_t block_bytes);
  void run_equal(const NeighbourCall& call, std::size_t block_bytes);
  void run_unequal(NeighbourCall& call);
  bool agrees_on_sizes_in(std::uint64_t call) const;
  void run_as_agreed(NeighbourCall& call);
  bool goes_on(const CandidatePlans& plans, std::size_t bytes) const;
  void begin_trial(CandidatePlans& plans, std::size_t bytes, bool have_agreed, const NeighbourCall& call,
                   const std::vector<std::uint64_t>& edge_bytes);
  void go_on(const NeighbourCall& call, const std::vector<std::uint64_t>& edge_bytes);
  void agree_on_sizes(NeighbourCall& call);
  std::unique_ptr<AlltoallRequest> prepare_equal(const NeighbourCall& call, std::size_t block_bytes);
  std::unique_ptr<AlltoallRequest> prepare_unequal(NeighbourCall& call, Agreement agreement);
  void perform(AlltoallPlan& plan, const NeighbourCall& call, const std::vector<std::uint64_t>& edge_bytes);
  void call_mpi(const NeighbourCall& call);

  MPI_Comm graph_;
  std::shared_ptr<CommContext> context_;
  NeighbourLists lists_;
  int own_;                  ///< rank on the graph
  std::vector<Rank> ranks_;  ///< of the processes of the graph, on the context
  std::vector<std::optional<std::size_t>> edge_of_destination_;  ///< of the stencil; empty if there is none
  std::optional<NeighbourChooser> chooser_;
  std::array<std::shared_ptr<AlltoallPlan>, 3> made_;  ///< MPI's own, direct and combined
  std::map<Class, CandidatePlans> plans_;
  std::uint64_t unequal_calls_ = 0;
  std::uint64_t calls_of_class_ = 0;  ///< since the class of the agreed sizes is the same
  std::optional<Trial> trial_;
  std::optional<Agreed> agreed_;
  CandidatePlans* last_unequal_ = nullptr;
  std::string nodes_;                               ///< the name of the network
  EndReport report_{[this] { return choices(); }};  ///< it comes last, since it refers to all others
};

}  // namespace cubefold::mpi
