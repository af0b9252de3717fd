#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "mpi/alltoall_plan.hpp"

/// Holds the plan of one exchange of cubefold for one block size.
struct PlannedExchange {
  cubefold::AlltoallSetup setup;
  double predicted_seconds;
};

/// Holds the methods that a plan may choose from, and the name of the choice in tables. The choice is one method, or
/// all methods that fit the grid.
struct OurAlgorithm {
  std::string name;
  std::vector<cubefold::ExchangeMethod> methods;  ///< empty: all methods
};

/// Names cubefold_alltoall in tables; --algorithm calls it `alltoall`. No plan predicts its time, because it chooses by
/// measured calls.
inline constexpr const char* library_name = "cubefold_alltoall";

/// Returns the algorithms that --algorithm names, each once: methods by their texts, `plan`, `alltoall`, and `all` for
/// every method of exchange_methods(). Throws std::invalid_argument for other names.
std::vector<OurAlgorithm> our_algorithms(const std::vector<std::string>& names, const cubefold::Grid& grid);

/// Returns the names. Throws std::invalid_argument for names that our_algorithms() refuses on any grid.
std::vector<std::string> known_algorithms(const std::vector<std::string>& names);

/// Parses a synchronisation of steps. Returns nothing for `auto`, which means the plan's
/// synchronisation.
std::optional<cubefold::StepSync> read_step_sync(std::string_view text);

/// Returns the exchange that the plan chooses. Its steps are synchronised as `forced` says, or else as the plan says.
/// The prediction includes the barrier of this synchronisation.
PlannedExchange planned_exchange(const cubefold::ExchangePlan& plan,
                                 std::optional<cubefold::StepSync> forced);

/// Names the way in which a baseline calls MPI.
enum class MpiCall : std::uint8_t {
  alltoall,   ///< MPI_Alltoall
  ialltoall,  ///< MPI_Ialltoall and MPI_Wait
  by_axis,    ///< AxisAlltoall
};

/// Names an algorithm of MPI_Alltoall that is forced, in the MPI libraries that have it.
struct ForcedAlgorithm {
  int open_mpi = 0;             ///< number of coll_tuned_alltoall_algorithm; 0 if Open MPI has none
  const char* mpich = nullptr;  ///< name in MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM; null if MPICH has none

  constexpr bool is_any() const { return open_mpi != 0 || mpich != nullptr; }
};

/// Describes an all-to-all of an MPI library or made of MPI's calls, which serves as a baseline.
struct Baseline {
  const char* option;     ///< name in --compare
  const char* algorithm;  ///< name in tables and JSON
  MpiCall call;
  ForcedAlgorithm forced;
};

inline constexpr std::array<Baseline, 8> all_baselines{{
    {"default", "MPI_Alltoall", MpiCall::alltoall, {}},
    {"linear", "MPI linear", MpiCall::alltoall, {1, nullptr}},
    {"pairwise", "MPI pairwise", MpiCall::alltoall, {2, "pairwise"}},
    {"bruck", "MPI bruck", MpiCall::alltoall, {3, "brucks"}},
    {"linear-sync", "MPI linear-sync", MpiCall::alltoall, {4, nullptr}},
    {"scattered", "MPI scattered", MpiCall::alltoall, {0, "scattered"}},
    {"ialltoall", "MPI_Ialltoall", MpiCall::ialltoall, {}},
    {"by-axis", "MPI by axis", MpiCall::by_axis, {}},
}};

/// Returns whether the MPI library of this name has the algorithm. The name is that of mpi::library_name().
bool has_algorithm(std::string_view mpi_library, const ForcedAlgorithm& algorithm);

/// Returns the baselines of these option names in the order of all_baselines, each once. `all` means all of them but
/// those that force an algorithm which this MPI library does not have, and `none` means no baseline. Throws
/// std::invalid_argument for an unknown name.
std::vector<Baseline> baselines_named(const std::vector<std::string>& names);

/// Describes one algorithm at one block size.
struct ExchangeCase {
  std::size_t block_bytes;
  std::string algorithm;
  double bound_seconds;                 ///< lower bound for every exchange in the plan's model
  std::optional<PlannedExchange> ours;  ///< empty if the algorithm is one of MPI's
};

/// Holds the algorithms and block sizes of a comparison. Requires at least one algorithm of cubefold.
struct Selection {
  std::vector<OurAlgorithm> ours;
  std::vector<Baseline> baselines;
  std::vector<std::size_t> block_sizes;
  std::optional<cubefold::StepSync> sync;  ///< empty: the plan's synchronisation
};

/// Returns the cases in the order of block sizes, each with the algorithms of cubefold before the baselines. Plans once
/// for each algorithm of cubefold at each block size. Throws std::invalid_argument for methods that do not fit the
/// grid.
std::vector<ExchangeCase> cases_of(const Selection& selection, const cubefold::Placement& placement,
                                   const cubefold::ExchangeModel& model);
