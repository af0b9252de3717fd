#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "alltoall_plan.hpp"
#include "alltoall_request.hpp"
#include "blocks.hpp"
#include "candidate_trials.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"

namespace cubefold::mpi {

/// The all-to-all of blocks of one size, of unequal sizes or of several datatypes. A rule has decided how the blocks
/// travel, or a program's own calls show the fastest way.
/// - A measured call with blocks of one size first waits for all processes to begin it.
/// - A call with unequal sizes reduces those of all processes in one small reduction, by which all find the class of
///   the call. If blocks are mostly empty, which are_mostly_empty() says of the largest number on any process, they
///   travel by the steps of requests, and of the next calls only the 2^k-th agree.
/// - Of the calls with several datatypes, the 2^k-th agree on their sizes, and they alone are measured. The others use
///   the best candidate of the last class.
/// Other calls behave as those of AlltoallPlan. All throw as AlltoallPlan does. If a process has no memory for a
/// candidate, it is left out for the calls of that class. With CUBEFOLD_CHECK, all calls agree.
class CUBEFOLD_API Exchange {
 public:
  /// Returns the trials of calls of a kind with such sizes. Does not communicate.
  using TrialsFor = std::function<std::shared_ptr<CandidateTrials>(CallKind, const ExchangeSizes&)>;

  /// Makes the exchange of blocks of this size, or of blocks of unequal sizes or several datatypes if there is none.
  /// `kind` is that of its blocking calls. Does not communicate. What the functions refer to must outlive this object.
  /// Ranks are those of the context.
  Exchange(CallKind kind, std::optional<std::size_t> block_bytes, std::shared_ptr<CommContext> context,
           TrialsFor trials_for, CandidatePlans::MakePlan make_plan);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() = default;

  /// Collective: performs MPI_Alltoall or, for blocks of unequal sizes or several datatypes, MPI_Alltoallv or
  /// MPI_Alltoallw between virtual ranks. A call of the latter two that agrees first completes all exchanges that are
  /// under way on the context, and throws on all processes for invalid arguments. With CUBEFOLD_CHECK it also throws
  /// std::invalid_argument on all processes if a process sends a size that the receiver does not expect. Without
  /// CUBEFOLD_CHECK this is an Error when the bytes arrive.
  void run(Sides sides);

  /// Collective: performs AlltoallPlan::run_packets(). Requires blocks of one size.
  void run_packets(const PacketCalls& calls);

  /// Collective: exchanges blocks of zeros until a candidate for blocking calls is chosen. Takes 2 p blocks of memory;
  /// if a process has none, nothing is measured. Requires blocks of one size.
  void choose_ahead();

  /// Collective: binds buffers to a request, which start() starts. An exchange of blocks of several sizes waits for no
  /// other process, so nothing is agreed on: it uses the steps of a candidate that needs no sizes, and CUBEFOLD_CHECK
  /// compares none. Communicates only if there is no plan yet. Throws as AlltoallPlan::prepare().
  std::unique_ptr<AlltoallRequest> prepare(const Sides& sides) {
    return overlapped_->plan_in_use()->prepare(sides);
  }
  void start(AlltoallRequest& request);

  /// Returns the size of the blocks, or nothing if they may have several sizes.
  const std::optional<std::size_t>& block_bytes() const { return block_bytes_; }

  /// Returns the kind of the blocking calls.
  CallKind kind() const { return kind_; }

  /// Returns whether the next call of this kind is measured, if blocks of unequal sizes have about those of the last
  /// call. Does not communicate.
  bool is_measuring(CallKind kind) const;

  /// Returns whether blocking calls are, and stay, calls of MPI's own all-to-all. Does not communicate, and returns the
  /// same on all processes.
  bool uses_mpi() const;

  /// Returns the trials of calls of this kind, of the class of the last call if blocks have unequal sizes. Returns null
  /// if a rule has decided, and before the first of such calls. Does not communicate.
  const CandidateTrials* trials(CallKind kind) const;

  /// Returns the medians of measured blocking calls, as Tuner::medians() does, or nothing if a rule has decided. Does
  /// not communicate. Requires blocks of one size.
  std::optional<MedianSeconds> medians() const { return blocking_->trials().tuner().medians(); }

  /// Returns the candidate of the last call with unequal sizes, or null before it. Does not communicate.
  const AlltoallCandidate* last_candidate() const { return last_candidate_; }

  /// Returns whether packets are not known to be slower than the blocking exchange: they use neither MPI's own
  /// all-to-all nor exchanges between nodes. Requires blocks of one size. Does not communicate.
  bool suits_packets() const;

  /// Collective: agrees on the times of the last measured calls, so that explain() knows them.
  void record_last_times();

  /// Returns a text of one or more lines about the choice and its reason. It is empty before the first call with
  /// unequal sizes. Does not communicate.
  std::string explain() const;

  /// Returns the plan with this setup, if calls have used one, or null. Does not communicate.
  std::shared_ptr<AlltoallPlan> find_plan(const AlltoallSetup& setup) const;

  /// Collective: returns the plan of the blocking calls that are not measured. Requires blocks of one size.
  const AlltoallPlan& plan_in_use() { return *blocking_->plan_in_use(); }

 private:
  /// The sizes of a call over all processes.
  struct Sizes : ExchangeSizes {
    bool need_memory;          ///< whether a plan needs memory for these blocks on any process
    std::size_t filled_count;  ///< the most blocks that one process sends or receives, and that are not empty
  };

  bool agrees_on_next_call();
  void run_agreed(Sides& sides);
  void run_by_last_choice(Sides& sides);
  bool are_sent_by_steps(const Sizes& sizes) const;

  Sizes own_sizes(const Sides& sides) const;
  Sizes agree_on_sizes(Sides& sides);
  void require_matching(const Sides& sides) const;
  CandidatePlans& plans_for(const ExchangeSizes& sizes);
  template <typename Matches>
  std::shared_ptr<AlltoallPlan> find(Matches matches) const;
  template <typename Reserve>
  auto if_measured(Reserve reserve) const;
  template <typename Reserve, typename Work>
  void call(CandidatePlans& plans, std::uint64_t bytes, Reserve reserve, Work work);
  template <typename Work>
  void call_of_one_size(CandidatePlans& plans, const PacketCalls* packets, Work work);

  CallKind kind_;
  std::optional<std::size_t> block_bytes_;
  std::shared_ptr<CommContext> context_;
  TrialsFor trials_for_;
  CandidatePlans::MakePlan make_plan_;
  std::size_t rank_count_ = 0;  ///< 0 for blocks of one size, as is own_rank_
  std::size_t own_rank_ = 0;
  std::map<CallClass, CandidatePlans> plans_;
  CandidatePlans* blocking_ = nullptr;  ///< those of the last call if blocks have unequal sizes
  CandidatePlans* overlapped_ =
      nullptr;                      ///< those of blocking calls if a rule has decided for blocks of one size
  bool leaves_all_to_mpi_ = false;  ///< whether MPI's own all-to-all is the only candidate for several sizes
  std::uint64_t rare_calls_ = 0;    ///< calls since only the 2^k-th agree
  bool are_mostly_empty_ = false;   ///< whether the unequal blocks of the last call that agreed were
  const AlltoallCandidate* last_candidate_ = nullptr;
  ExchangeSizes last_sizes_{};
};

}  // namespace cubefold::mpi
