#include "plans.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "comm_state.hpp"
#include "cubefold/mpi/error.hpp"
#include "mpi/agreement.hpp"
#include "mpi/processes.hpp"
#include "preload/report_line.hpp"
#include "report.hpp"

namespace cubefold::fftw_mpi {

namespace {

using fft::Kind;
using fft::LocalBox;
using fft::Transform;

/// The decisions of this process that later plans follow. A key has all processes in their order, and these have made
/// the decision together, so that all of them have the same entries for it.
struct Decisions {
  std::mutex mutex;
  std::map<std::string, bool> are_faster;  ///< cubefold's plans, as measured
  std::map<std::string, std::optional<fft::Layout>>
      scrambled{};  ///< the order of spectra; none if it is FFTW's
};

Decisions& decisions() {
  static auto& all = *new Decisions;  // NOLINT(cppcoreguidelines-owning-memory): it is never destroyed
  return all;
}

template <typename Map>
std::optional<typename Map::mapped_type> found_in(const Map& map, const std::string& key) {
  const std::lock_guard lock(decisions().mutex);
  const auto found = map.find(key);
  if (found == map.end()) return std::nullopt;
  return std::optional<typename Map::mapped_type>(std::in_place, found->second);
}

template <typename Map>
void keep_in(Map& map, const std::string& key, typename Map::mapped_type value) {
  const std::lock_guard lock(decisions().mutex);
  map.insert_or_assign(key, std::move(value));
}

/// Collective: returns whether something holds on all processes.
bool holds_everywhere(bool holds, MPI_Comm comm) {
  int least = holds ? 1 : 0;
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  return least != 0;
}

/// Finds the plan of cubefold for one plan of FFTW MPI. All members are collective, and have the same outcome on all
/// processes.
template <typename Real>
class Search {
 public:
  using Plan = typename Fftw<Real>::Plan;

  Search(Plan plan, const Request& request, MPI_Comm comm, const CommState& state, KnownPlan<Real>& known)
      : plan_(plan),
        request_(request),
        program_comm_(comm),
        state_(state),
        known_(known),
        same_(same_plan(request, mpi::process_count(comm))) {
    same_.options.threads = static_cast<std::size_t>(PlansOfOneThread<Real>::count());
  }

  /// Returns why FFTW's own plan stays, or an empty text if there is one of cubefold now.
  std::string find() {
    if (!state_.reason.empty()) return state_.reason;
    if (!same_.refusal.empty()) return same_.refusal;
    return is_scrambled(request_) ? find_scrambled() : find_faster();
  }

 private:
  MPI_Comm comm() const { return state_.comm->virtual_comm(); }

  std::string key_of(const std::vector<std::size_t>& lengths, const std::string& more) const {
    return fmt::format("{} points, {} among {}", fmt::join(lengths, "x"), more,
                       fmt::join(state_.processes, " "));
  }

  /// All plans with scrambled order of one length and on the same processes have FFTW's order or cubefold's, as the
  /// first one.
  std::string find_scrambled() {
    const std::string key = mpi::agree_on_outcome(comm(), [&] { return key_of(same_.lengths, ""); });
    auto& orders = decisions().scrambled;
    const auto order = found_in(orders, key);
    if (order && !*order) return "the scrambled order is FFTW's, as in an earlier plan";
    std::string reason = order ? make_same() : find_faster();
    const fft::Layout* layout = known_.ours ? &spectrum(*known_.ours) : nullptr;
    if (order && (layout == nullptr || !(*layout == **order)))
      throw std::runtime_error(fmt::format("an earlier plan has cubefold's scrambled order: {}", reason));
    mpi::agree_on_outcome(comm(), [&] {
      if (!order) keep_in(orders, key, layout != nullptr ? std::optional(*layout) : std::nullopt);
    });
    return reason;
  }

  const fft::Layout& spectrum(const fft::Plan<Real>& ours) const {
    return request_.transform == Transform::forward ? ours.output() : ours.input();
  }

  std::string find_faster() {
    if (state_.wanted == Wanted::cubefold) return make_same();
    const std::string key = mpi::agree_on_outcome(comm(), [&] {
      fft::PlanOptions options = same_.options;
      options.rigor = fft::Rigor::estimate;
      return key_of(same_.lengths, fmt::format("{}, {} bytes", to_string(options), sizeof(Real)));
    });
    auto& measured = decisions().are_faster;
    if (is_measured(request_)) {
      std::string reason = make_faster();
      mpi::agree_on_outcome(comm(), [&] { keep_in(measured, key, reason.empty()); });
      return reason;
    }
    const bool is_faster = mpi::agree_on_outcome(comm(), [&] {
      const auto known = found_in(measured, key);
      return known ? *known : state_.exchanges(block_bytes());
    });
    if (!is_faster)
      return "FFTW's own plan is the choice, as where FFTW_ESTIMATE measures nothing on one host";
    return make_same();
  }

  std::size_t block_bytes() const {
    std::size_t bytes = 2 * sizeof(Real) * request_.howmany;
    if (request_.kind == Kind::real) bytes /= 2;
    for (const std::size_t length : request_.lengths) bytes *= length;
    const std::size_t processes = state_.processes.size();
    return bytes / processes / processes;
  }

  /// Makes the plan of cubefold if its numbers lie where FFTW's do. Plans on one VirtualComm must not run at the same
  /// time, which several threads may want.
  std::string make_same() {
    try {
      const PlansOfOneThread<Real> plans_of_one_thread;
      if (state_.has_several_threads) {
        known_.ours.emplace(state_.comm->duplicate(), same_.lengths, same_.options);
      } else {
        known_.ours.emplace(*state_.comm, same_.lengths, same_.options);
      }
    } catch (const mpi::Agreed&) {
      return mpi::current_failure().text;
    }
    const bool is_same = mpi::agree_on_outcome(
        comm(), [&] { return request_.lengths.size() == 1 ? has_boxes_of_fftw() : has_layouts_of_fftw(); });
    if (holds_everywhere(is_same, comm())) return "";
    known_.ours.reset();
    return "FFTW distributes these lengths over the processes in another way than cubefold";
  }

  bool has_layouts_of_fftw() const {
    const std::size_t processes = state_.processes.size();
    const fft::Layout::Members own{label(state_.comm->rank())};
    return known_.ours->members() == own &&
           same_places(known_.ours->input(), fftw_layout(request_, Side::input, processes)) &&
           same_places(known_.ours->output(), fftw_layout(request_, Side::output, processes));
  }

  bool has_boxes_of_fftw() const {
    std::array<std::ptrdiff_t, 4> local{};
    const int sign = request_.transform == Transform::forward ? FFTW_FORWARD : FFTW_BACKWARD;
    Fftw<Real>::mpi_local_size_many_1d()(static_cast<std::ptrdiff_t>(request_.lengths[0]),
                                         static_cast<std::ptrdiff_t>(request_.howmany), program_comm_, sign,
                                         request_.flags, &local[0], &local[1], &local[2], &local[3]);
    const auto is_same = [&](std::size_t first, bool has_any_order, std::size_t count, auto box_of) {
      const auto extent = static_cast<std::size_t>(local[first]);
      if (has_any_order || extent == 0) return count == extent * request_.howmany;
      return box_of() == LocalBox{{extent}, {static_cast<std::size_t>(local[first + 1])}};
    };
    const fft::Plan<Real>& ours = *known_.ours;
    return is_same(0, request_.has(FFTW_MPI_SCRAMBLED_IN), ours.input_count(),
                   [&] { return ours.input_box(); }) &&
           is_same(2, request_.has(FFTW_MPI_SCRAMBLED_OUT), ours.output_count(),
                   [&] { return ours.output_box(); });
  }

  /// Makes the plan of cubefold, and keeps it if it is faster than FFTW's. Both run on the arrays of the program, which
  /// FFTW may overwrite here.
  std::string make_faster() {
    const double begin = MPI_Wtime();
    if (std::string reason = make_same(); !reason.empty()) return reason;
    clear_arrays();
    const auto [of_fftw, of_cubefold] = seconds();
    report().seconds_saved += begin - MPI_Wtime();
    known_.seconds_saved = of_fftw - of_cubefold;
    if (of_cubefold < of_fftw) return "";
    known_.ours.reset();
    return "FFTW's own plan is measured to be faster";
  }

  void clear_arrays() const {
    const fft::Plan<Real>& ours = *known_.ours;
    const auto clear = [](void* array, std::size_t count, bool is_real) {
      if (count > 0) std::memset(array, 0, count * sizeof(Real) * (is_real ? 1 : 2));
    };
    const bool is_real = request_.kind == Kind::real;
    const bool is_forward = request_.transform == Transform::forward;
    clear(known_.arrays.input, ours.input_count(), is_real && is_forward);
    clear(known_.arrays.output, ours.output_count(), is_real && !is_forward);
  }

  struct Seconds {
    double of_fftw;
    double of_cubefold;
  };

  /// Returns the median of some runs of each plan, in turn, on the slowest process.
  Seconds seconds() {
    const auto fftw = Fftw<Real>::execute();
    const auto time_of = [&](const auto& run) {
      mpi::check(MPI_Barrier(comm()), "MPI_Barrier");
      const double begin = MPI_Wtime();
      run();
      return MPI_Wtime() - begin;
    };
    const auto run_fftw = [&] { fftw(plan_); };
    const auto run_ours = [&] { known_.run(known_.arrays); };
    warm_up(run_fftw, run_ours);
    const int rounds = rounds_for(time_of(run_fftw) + time_of(run_ours));
    std::vector<double> of_fftw;
    std::vector<double> of_cubefold;
    for (int round = 0; round < rounds; ++round) {
      of_fftw.push_back(time_of(run_fftw));
      of_cubefold.push_back(time_of(run_ours));
    }
    std::array<double, 2> longest{median(of_fftw), median(of_cubefold)};
    mpi::check(MPI_Allreduce(MPI_IN_PLACE, longest.data(), 2, MPI_DOUBLE, MPI_MAX, comm()), "MPI_Allreduce");
    return {longest[0], longest[1]};
  }

  /// Lets the exchanges of cubefold measure their candidates.
  template <typename RunFftw, typename RunOurs>
  void warm_up(const RunFftw& run_fftw, const RunOurs& run_ours) {
    constexpr int most_runs = 100;
    run_fftw();
    run_ours();
    for (int run = 0; run < most_runs && known_.ours->is_measuring(); ++run) run_ours();
  }

  int rounds_for(double seconds) const {
    constexpr double whole_seconds = 0.1;
    constexpr double most_rounds = 21;
    mpi::check(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm()), "MPI_Allreduce");
    return static_cast<int>(std::clamp(whole_seconds / seconds, 3.0, most_rounds));
  }

  static double median(std::vector<double>& times) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
  }

  Plan plan_;
  const Request& request_;
  MPI_Comm program_comm_;
  const CommState& state_;
  KnownPlan<Real>& known_;
  SamePlan same_;
};

template <typename Real>
void search(typename Fftw<Real>::Plan plan, const Request& request, const Arrays& arrays, MPI_Comm comm) {
  const auto state = state_of(comm);
  report_at_the_end();
  ++report().plans;
  const auto add = [&] {
    auto known = std::make_unique<KnownPlan<Real>>(KnownPlan<Real>{.arrays = arrays});
    known->kind = request.kind;
    known->transform = request.transform;
    return &known_plans<Real>().add(plan, std::move(known));
  };
  KnownPlan<Real>& known = *(state->comm ? mpi::agree_on_outcome(state->comm->virtual_comm(), add) : add());
  const std::string reason = Search<Real>(plan, request, comm, *state, known).find();
  if (reason.empty()) {
    ++report().plans_of_cubefold;
  } else {
    preload::note_reason(reason.c_str());
  }
}

}  // namespace

template <typename Real>
void KnownPlan<Real>::run(const Arrays& with) {
  using Complex = std::complex<Real>;
  if (kind == Kind::complex) {
    ours->execute(static_cast<const Complex*>(with.input), static_cast<Complex*>(with.output));
  } else if (transform == Transform::forward) {
    ours->execute(static_cast<const Real*>(with.input), static_cast<Complex*>(with.output));
  } else {
    ours->execute(static_cast<const Complex*>(with.input), static_cast<Real*>(with.output));
  }
}

template <typename Real>
KnownPlan<Real>& KnownPlans<Real>::add(Plan plan, std::unique_ptr<KnownPlan<Real>> known) {
  const std::lock_guard lock(mutex_);
  const auto place = plans_.insert_or_assign(plan, std::move(known)).first;
  count_ = plans_.size();
  return *place->second;
}

template <typename Real>
KnownPlan<Real>* KnownPlans<Real>::find(Plan plan) const {
  if (count_ == 0) return nullptr;
  const std::shared_lock lock(mutex_);
  const auto found = plans_.find(plan);
  return found == plans_.end() ? nullptr : found->second.get();
}

template <typename Real>
void KnownPlans<Real>::remove(Plan plan) noexcept {
  if (count_ == 0) return;
  std::unique_ptr<KnownPlan<Real>> removed;
  {
    const std::lock_guard lock(mutex_);
    const auto found = plans_.find(plan);
    if (found == plans_.end()) return;
    removed = std::move(found->second);
    plans_.erase(found);
    count_ = plans_.size();
  }
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  if (is_finalized != 0) (void)removed.release();
}

template <typename Real>
KnownPlans<Real>& known_plans() {
  static auto& all = *new KnownPlans<Real>;  // NOLINT(cppcoreguidelines-owning-memory): it is never destroyed
  return all;
}

/// Returns whether the program has called MPI_Init. One that only has sessions of MPI keeps FFTW's plans.
bool is_initialised() {
  int flag = 0;
  MPI_Initialized(&flag);
  return flag != 0;
}

template <typename Real>
typename Fftw<Real>::Plan adopted(typename Fftw<Real>::Plan plan, const Request& request,
                                  const Arrays& arrays, MPI_Comm comm) {
  if (plan == nullptr || preload::is_turned_off() || !is_initialised()) return plan;
  try {
    search<Real>(plan, request, arrays, comm);
    return plan;
  } catch (...) {
    preload::report_failure(comm, "a plan of FFTW MPI");
  }
  known_plans<Real>().remove(plan);
  Fftw<Real>::destroy_plan()(plan);
  return nullptr;
}

template <typename Real>
bool replaced_run(typename Fftw<Real>::Plan plan, const Arrays* arrays) {
  KnownPlan<Real>* const known = known_plans<Real>().find(plan);
  if (known == nullptr) return false;
  ++report().runs;
  if (!known->ours) return false;
  try {
    known->run(arrays != nullptr ? *arrays : known->arrays);
  } catch (...) {
    preload::report_failure(MPI_COMM_WORLD, "a transform of FFTW MPI");
  }
  ++report().runs_of_cubefold;
  report().seconds_saved += known->seconds_saved;
  return true;
}

#define CUBEFOLD_INSTANCES(Real)                                                                      \
  template class KnownPlans<Real>;                                                                    \
  template KnownPlans<Real>& known_plans();                                                           \
  template Fftw<Real>::Plan adopted<Real>(Fftw<Real>::Plan, const Request&, const Arrays&, MPI_Comm); \
  template bool replaced_run<Real>(Fftw<Real>::Plan, const Arrays*);
CUBEFOLD_INSTANCES(double)
CUBEFOLD_INSTANCES(float)
#undef CUBEFOLD_INSTANCES

}  // namespace cubefold::fftw_mpi
