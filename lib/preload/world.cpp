#include "world.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#include "comm_state.hpp"
#include "mpi/agreement.hpp"
#include "mpi/comm_context.hpp"
#include "mpi/job_files.hpp"
#include "mpi/processes.hpp"
#include "mpi/settings.hpp"
#include "mpi/verbose.hpp"

namespace cubefold::preload {

namespace {

using mpi::check;
using mpi::JobNodes;

/// The world and its groups, which are not destroyed: MPI_Finalize may have been called before.
struct Knowledge {
  World world;
  std::mutex mutex;
  std::list<std::shared_ptr<Group>> groups;  ///< the one that was used last comes first
  std::atomic<bool> has_session = false;  ///< a communicator of a session has given the world, or is about to
  mpi::OwnedComm session_comm;            ///< of its processes
};

Knowledge& knowledge() {
  static auto& all = *new Knowledge;  // NOLINT(cppcoreguidelines-owning-memory): it is never destroyed
  return all;
}

/// Collective: fills `found` until something is unknown.
void gather(MPI_Comm comm, World& found) {
  found.places = mpi::places_of_job(comm, std::nullopt);
  if (!found.places.job.is_known) {
    found.reason = found.places.job.source;
    return;
  }
  found.time_limit = mpi::TimeLimit::on(comm);
  found.is_checked = mpi::CommContext::facts_anywhere(comm).is_checked;
  const mpi::OwnHost host = mpi::own_host(comm);
  mpi::agree_on_outcome(comm, [&] { found.host_of_process.resize(mpi::process_count(comm)); });
  check(MPI_Allgather(&host.number, 1, MPI_UINT32_T, found.host_of_process.data(), 1, MPI_UINT32_T, comm),
        "MPI_Allgather");
  found.machine = mpi::machine_of_root(comm);
  found.has_tuning_file = !mpi::variable_of_root("CUBEFOLD_TUNING", comm).empty();
  found.requests = mpi::requests_of_root(comm);
  found.reason.clear();
}

/// Collective: sets what world() returns. find(found) fills it.
template <typename Find>
void know_world(bool has_several_threads, Find find) {
  World found;
  found.has_several_threads = has_several_threads;
  try {
    find(found);
  } catch (const mpi::Agreed&) {
    found.reason = mpi::current_failure().text;
  }
  const std::lock_guard lock(knowledge().mutex);
  knowledge().groups.clear();
  knowledge().world = std::move(found);
}

/// Returns whether the processes of every group that shares nodes are on one host.
bool are_groups_on_hosts(const NodeSharing& sharing, std::span<const std::uint32_t> hosts) {
  std::vector<std::optional<std::uint32_t>> host_of_group(sharing.group_count());
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    auto& host = host_of_group[sharing.group_of(Rank{static_cast<std::uint32_t>(rank)})];
    if (host && *host != hosts[rank]) return false;
    host = hosts[rank];
  }
  return true;
}

}  // namespace

const World& world() {
  return knowledge().world;
}

void gather_world() {
  int provided = MPI_THREAD_SINGLE;
  check(MPI_Query_thread(&provided), "MPI_Query_thread");
  mpi::set_job_comm(MPI_COMM_WORLD);
  know_world(provided == MPI_THREAD_MULTIPLE, [](World& found) {
    if (mpi::process_count(MPI_COMM_WORLD) > 1) gather(mpi::own_duplicate(MPI_COMM_WORLD).get(), found);
  });
}

void gather_world_of_session(MPI_Comm comm, bool has_several_threads) {
  if (mpi::process_count(comm) == 1) return;
  Knowledge& all = knowledge();
  const bool is_first_here = !all.has_session.exchange(true);
  int is_first = is_first_here ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, &is_first, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  if (is_first == 0) {
    if (is_first_here) all.has_session = false;
    return;
  }
  know_world(has_several_threads, [&](World& found) {
    all.session_comm = mpi::own_duplicate(comm);
    mpi::set_job_comm(all.session_comm.get());
    gather(all.session_comm.get(), found);
  });
}

void free_world_of_session() {
  free_unused_exchanges();
  mpi::free_checking_comm();
  mpi::set_job_comm(MPI_COMM_NULL);
  knowledge().session_comm = mpi::OwnedComm();
  knowledge().has_session = false;
}

const char* reason_for_strangers() {
  return mpi::job_comm() == MPI_COMM_WORLD ? "processes of several MPI_COMM_WORLD"
                                           : "processes that the first communicator of a session lacks";
}

KnownProcesses::KnownProcesses(std::vector<int> processes, std::size_t own)
    : processes_(std::move(processes)), own_(own) {
  try {
    find_nodes();
    find_facts();
  } catch (const std::invalid_argument& refused) {
    reason_ = refused.what();
  }
}

void KnownProcesses::find_nodes() {
  job_ = mpi::nodes_of_processes(world().places, processes_);
  if (!job_->source.empty())
    mpi::print_job_once(*job_, processes_.size(), "the order of the program's ranks");
  if (!world().reason.empty()) throw std::invalid_argument(world().reason);
  if (!job_->is_known) throw std::invalid_argument(job_->source);
  placement_ = mpi::placement_in_order_of(job_->node_of_process);
  comm_ = mpi::VirtualComm::of_process(*job_, placement_, own_);
}

void KnownProcesses::find_facts() {
  std::vector<std::uint32_t> hosts;
  for (const int process : processes_)
    hosts.push_back(world().host_of_process[static_cast<std::size_t>(process)]);
  JobFacts facts{.placement = comm_->placement(), .source = comm_->source(), .machine = world().machine};
  facts.host_count = std::set(hosts.begin(), hosts.end()).size();
  if (facts.machine) require_fits(*facts.machine, {comm_->network(), facts.host_count, mpi::library_name()});
  if (const NodeSharing* sharing = comm_->sharing()) {
    facts.sharing = *sharing;
    facts.are_groups_on_hosts = are_groups_on_hosts(*sharing, hosts);
  }
  facts.requests = world().requests;
  chooser_.emplace(facts);
  vector_chooser_.emplace(facts);
  leaves_all_to_mpi_ = !world().is_checked && chooser_->leaves_all_to_mpi();
  facts_ = std::move(facts);
}

mpi::VirtualComm KnownProcesses::comm_with(mpi::OwnedComm&& own) const {
  return mpi::VirtualComm::of_process(*job_, placement_, own_, std::move(own));
}

bool KnownProcesses::may_exchange(std::optional<std::size_t> block_bytes) const {
  if (world().is_checked) return true;
  const std::lock_guard lock(mutex_);
  if (const auto known = may_exchange_.find(block_bytes); known != may_exchange_.end()) return known->second;
  const std::uint64_t bytes = block_bytes.value_or(0);
  const CallKind kind = block_bytes ? CallKind::blocking : CallKind::unequal;
  const bool may = !chooser_->decide(kind, {bytes, bytes, bytes}).is_mpi_alone();
  if (may_exchange_.size() >= mpi::PlanCache::most_sizes) may_exchange_.clear();
  return may_exchange_[block_bytes] = may;
}

bool KnownProcesses::may_exchange(const mpi::VectorCall& call) const {
  if (!call.fits_schedules(comm_->sharing() != nullptr)) return false;
  const std::lock_guard lock(mutex_);
  vector_chooser_->prepare(call.collective());
  return vector_chooser_->method_for(call.collective(), call.vector_bytes(), call.exactness()) ||
         vector_chooser_->is_measured(call.collective(), call.vector_bytes(), call.exactness());
}

std::size_t KnownProcesses::least_vector_bytes(VectorCollective collective) const {
  if (vector_chooser_->leaves_all_to_mpi()) return no_vector;
  if (world().is_checked) return 0;
  const std::lock_guard lock(mutex_);
  vector_chooser_->prepare(collective);
  return vector_chooser_->least_bytes(collective).value_or(no_vector);
}

std::shared_ptr<Group> group_of(MPI_Comm comm) {
  std::vector<int> ranks(mpi::process_count(comm));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> processes = mpi::ranks_in_job(comm, ranks);
  if (std::ranges::find(processes, MPI_UNDEFINED) != processes.end()) return nullptr;
  Knowledge& all = knowledge();
  const std::lock_guard lock(all.mutex);
  const auto found = std::ranges::find_if(
      all.groups, [&](const auto& group) { return group->known.processes() == processes; });
  if (found != all.groups.end()) {
    all.groups.splice(all.groups.begin(), all.groups, found);
    return all.groups.front();
  }
  all.groups.push_front(
      std::make_shared<Group>(std::move(processes), static_cast<std::size_t>(mpi::rank_in(comm))));
  if (all.groups.size() > most_groups) all.groups.pop_back();
  return all.groups.front();
}

void free_unused_exchanges() {
  Knowledge& all = knowledge();
  const std::lock_guard lock(all.mutex);
  for (const auto& group : all.groups) {
    const std::lock_guard lock_of_group(group->mutex);
    if (group->shared.use_count() == 1) group->shared.reset();
  }
}

}  // namespace cubefold::preload
