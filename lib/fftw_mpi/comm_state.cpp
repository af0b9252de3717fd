#include "comm_state.hpp"

#include <fmt/format.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/error.hpp"
#include "mpi/agreement.hpp"
#include "mpi/comm_context.hpp"
#include "mpi/job_files.hpp"
#include "mpi/job_nodes.hpp"
#include "mpi/plan_cache.hpp"
#include "mpi/processes.hpp"
#include "mpi/settings.hpp"
#include "preload/comm_attribute.hpp"

namespace cubefold::fftw_mpi {

namespace {

using State = std::shared_ptr<const CommState>;

std::atomic<bool> keeps_states = false;

/// MPI calls this when the program frees its communicator.
int free_state(MPI_Comm, int, void* value, void*) {
  if (!keeps_states) const std::unique_ptr<State> freed(static_cast<State*>(value));
  return MPI_SUCCESS;
}

const preload::CommAttribute& states() {
  static const preload::CommAttribute attribute(free_state);
  return attribute;
}

/// Collective: returns what CUBEFOLD_FFTW asks for on process 0.
Wanted wanted_on(MPI_Comm comm) {
  const std::string text = mpi::variable_of_root("CUBEFOLD_FFTW", comm);
  if (text.empty()) return Wanted::fastest;
  if (text == "cubefold") return Wanted::cubefold;
  if (text == "fftw") return Wanted::fftw;
  throw std::invalid_argument(fmt::format("CUBEFOLD_FFTW is '{}', but has to be 'cubefold' or 'fftw'", text));
}

/// Collective: fills the state of several processes.
void fill(MPI_Comm comm, CommState& state) {
  int provided = MPI_THREAD_SINGLE;
  mpi::check(MPI_Query_thread(&provided), "MPI_Query_thread");
  state.has_several_threads = provided == MPI_THREAD_MULTIPLE;
  state.wanted = wanted_on(comm);
  if (state.wanted == Wanted::fftw) throw std::invalid_argument("CUBEFOLD_FFTW is 'fftw'");
  mpi::agree_on_outcome(comm, [&] {
    std::vector<int> ranks(mpi::process_count(comm));
    std::iota(ranks.begin(), ranks.end(), 0);
    state.processes = mpi::ranks_in_job(comm, ranks);
  });
  const mpi::JobNodes job = mpi::nodes_of_job(comm, std::nullopt);
  const std::string placement =
      mpi::agree_on_outcome(comm, [&] { return mpi::placement_in_order_of(job.node_of_process); });
  state.comm.emplace(mpi::VirtualComm::of_job(comm, job, placement));
  const auto context = mpi::CommContext::on(comm);
  const auto machine = mpi::machine_from_environment(comm, state.comm->network());
  JobFacts facts = mpi::job_facts(*state.comm, *context, machine);
  mpi::agree_on_outcome(comm, [&] { state.chooser.emplace(std::move(facts)); });
}

/// Collective: makes the state. What all processes find wrong becomes the reason for passing plans on.
State make_state(MPI_Comm comm) {
  const mpi::OwnedComm own = mpi::own_duplicate(comm);
  auto state = mpi::agree_on_outcome(own.get(), [] { return std::make_shared<CommState>(); });
  try {
    if (mpi::process_count(comm) > 1) fill(own.get(), *state);
  } catch (const std::invalid_argument& refused) {
    *state = {.reason = refused.what()};
  }
  return state;
}

}  // namespace

bool CommState::exchanges(std::size_t block_bytes) const {
  return chooser && !chooser->leaves_all_to_mpi() &&
         !chooser->decide(CallKind::blocking, {block_bytes, block_bytes, block_bytes}).is_mpi_alone();
}

std::shared_ptr<const CommState> state_of(MPI_Comm comm) {
  if (const auto value = states().of(comm)) return *static_cast<State*>(*value);
  State state = make_state(comm);
  states().set(comm, std::make_unique<State>(state).release());
  return state;
}

void keep_states() {
  keeps_states = true;
}

}  // namespace cubefold::fftw_mpi
