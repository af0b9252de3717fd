#include "cubefold/mpi/virtual_comm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/plan/mapping.hpp"
#include "job_nodes.hpp"
#include "processes.hpp"
#include "settings.hpp"
#include "verbose.hpp"

namespace cubefold::mpi {

namespace {

void require_intra_communicator(MPI_Comm comm) {
  require_mpi_running();
  if (comm == MPI_COMM_NULL) throw std::invalid_argument("the communicator is MPI_COMM_NULL");
  int is_inter = 0;
  check(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter");
  if (is_inter != 0)
    throw std::invalid_argument("the communicator is an inter-communicator; an intra-communicator is needed");
}

/// Returns the text of a placement that the caller or the environment names, or the identity.
std::string named_placement(std::optional<std::string_view> placement) {
  if (placement) return std::string(*placement);
  const std::string text = own_variable("CUBEFOLD_PLACEMENT");
  return text.empty() ? "identity" : text;
}

/// Returns the smallest and the largest number of processes on a node.
std::pair<std::size_t, std::size_t> processes_per_node(const JobNodes& job) {
  std::vector<std::size_t> counts(job.network.node_count(), job.node_of_process.empty() ? 1 : 0);
  for (const GridNode node : job.node_of_process) ++counts[static_cast<std::size_t>(node)];
  const auto [fewest, most] = std::ranges::minmax(counts);
  return {fewest, most};
}

/// Returns the placement of groups of processes on the nodes of a job.
Placement placement_for(const JobNodes& job, const std::string& text) {
  const auto [fewest, most] = processes_per_node(job);
  if (fewest != most && text.starts_with("auto:")) {
    throw std::invalid_argument(fmt::format(
        "placement '{}': phases are placed by equal groups of ranks, but the nodes of {} have {} to {} "
        "processes; name identity or another rule",
        text, to_string(job.network), fewest, most));
  }
  return place(job.network, text, most);
}

bool has_one_process_each(const NodeSharing& sharing) {
  return sharing.rank_count() == sharing.group_count();
}

OwnedComm cartesian(MPI_Comm comm, const Grid& grid) {
  std::vector<int> extents;
  std::vector<int> periodic;
  agree_on_outcome(comm, [&] {
    for (const Axis& axis : grid.axes()) {
      extents.push_back(static_cast<int>(axis.extent));
      periodic.push_back(axis.ends == Ends::wrapped ? 1 : 0);
    }
    std::reverse(extents.begin(), extents.end());
    std::reverse(periodic.begin(), periodic.end());
  });
  MPI_Comm cart = MPI_COMM_NULL;
  check(MPI_Cart_create(comm, grid.axis_count(), extents.data(), periodic.data(), 0, &cart),
        "MPI_Cart_create");
  return OwnedComm::adopt(cart);
}

void require_below(int value, std::size_t limit, const char* name) {
  if (value < 0 || static_cast<std::size_t>(value) >= limit) {
    throw std::invalid_argument(fmt::format("{} {} is not in 0 .. {}", name, value, limit - 1));
  }
}

}  // namespace

VirtualComm::VirtualComm(MPI_Comm comm, std::optional<std::string_view> grid,
                         std::optional<std::string_view> placement) {
  require_intra_communicator(comm);
  make_named(own_duplicate(comm).get(), grid, placement);
}

VirtualComm::VirtualComm(MPI_Comm comm, MPI_Info hints) {
  require_intra_communicator(comm);
  const OwnedComm base = own_duplicate(comm);
  const auto text = agree_on_outcome(base.get(), [&] {
    hints_ = std::make_shared<const Hints>(read_hints(hints));
    return to_string(*hints_);
  });
  require_equal_everywhere(base.get(), "hints", text);
  make_named(base.get(), hints_->grid, hints_->placement);
}

/// Collective: makes the communicators on the grid and with the placement that the caller or the environment names.
void VirtualComm::make_named(MPI_Comm base, std::optional<std::string_view> grid,
                             std::optional<std::string_view> placement) {
  const JobNodes job = nodes_of_job(base, grid);
  const auto text = agree_on_outcome(base, [&] { return named_placement(placement); });
  print_job_once(job, process_count(base), text.c_str());
  make(base, job, text);
}

VirtualComm VirtualComm::on_nodes(MPI_Comm comm, const Grid& network, GridNode own_node,
                                  std::string_view placement) {
  require_intra_communicator(comm);
  const OwnedComm base = own_duplicate(comm);
  return of_job(base.get(), nodes_given(base.get(), network, own_node), placement);
}

VirtualComm VirtualComm::of_job(MPI_Comm comm, const JobNodes& job, std::string_view placement,
                                std::shared_ptr<const Hints> hints) {
  VirtualComm made;
  made.hints_ = std::move(hints);
  made.make(comm, job, agree_on_outcome(comm, [&] { return std::string(placement); }));
  return made;
}

void VirtualComm::make(MPI_Comm base, const JobNodes& job, const std::string& placement_text) {
  const auto process = static_cast<std::size_t>(rank_in(base));
  const auto rule = agree_on_outcome(base, [&] { return place_processes(job, placement_text, process); });
  require_equal_everywhere(base, "placement", rule);
  virtual_ = OwnedComm::reordered(base, static_cast<int>(label(rank_)));
  const bool in_order = job.node_of_process.empty();
  const OwnedComm by_node =
      in_order ? OwnedComm() : OwnedComm::reordered(base, static_cast<int>(placement_->node_of(rank_)));
  cart_ = cartesian(in_order ? base : by_node.get(), placement_->grid());
}

/// Sets everything but the communicators. Returns the rule that places the processes. Does not communicate.
std::string VirtualComm::place_processes(const JobNodes& job, const std::string& placement_text,
                                         std::size_t process) {
  knows_network_ = job.is_known;
  source_ = job.source;
  remark_ = job.remark;
  placement_.emplace(placement_for(job, placement_text));
  std::string rule = to_string(placement_->rule());
  if (job.node_of_process.empty()) {
    rank_ = placement_->rank_of(static_cast<GridNode>(process));
    return rule;
  }
  NodeSharing sharing(*placement_, job.node_of_process);
  rank_ = rank_of_process(sharing, job.node_of_process)[process];
  if (has_one_process_each(sharing)) return rule;
  placement_.emplace(slot_placement(sharing));
  sharing_ = std::make_shared<const NodeSharing>(std::move(sharing));
  return rule;
}

VirtualComm VirtualComm::of_process(const JobNodes& job, const std::string& placement, std::size_t process,
                                    OwnedComm&& virtual_comm) {
  VirtualComm made;
  made.place_processes(job, placement, process);
  made.virtual_ = std::move(virtual_comm);
  return made;
}

VirtualComm VirtualComm::duplicate() const {
  VirtualComm copy;
  agree_on_outcome(virtual_.get(), [&] {
    copy.rank_ = rank_;
    copy.placement_ = placement_;
    copy.sharing_ = sharing_;
    copy.knows_network_ = knows_network_;
    copy.source_ = source_;
    copy.hints_ = hints_;
  });
  copy.virtual_ = OwnedComm::duplicate(virtual_.get());
  copy.cart_ = cartesian(cart_.get(), grid());
  return copy;
}

std::string nodes_text(const VirtualComm& comm) {
  if (!comm.knows_network()) return "unknown network";
  return comm.sharing() != nullptr ? to_string(*comm.sharing()) : to_string(comm.grid());
}

std::string placement_text(const VirtualComm& comm) {
  return to_string(comm.sharing() != nullptr ? comm.sharing()->groups().rule() : comm.placement().rule());
}

int VirtualComm::to_virtual(int node) const {
  require_below(node, placement_->rank_count(), "node");
  return static_cast<int>(label(placement_->rank_of(static_cast<GridNode>(node))));
}

int VirtualComm::to_physical(int virtual_rank) const {
  require_below(virtual_rank, placement_->rank_count(), "virtual rank");
  return static_cast<int>(placement_->node_of(static_cast<Rank>(virtual_rank)));
}

}  // namespace cubefold::mpi
