#include "cubefold/mpi/virtual_comm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/plan/mapping.hpp"

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

/// Returns a duplicate of the caller's communicator. It is made without the caller's error handler, which may abort.
OwnedComm own_duplicate(MPI_Comm comm) {
  MPI_Errhandler callers = MPI_ERRHANDLER_NULL;
  check(MPI_Comm_get_errhandler(comm, &callers), "MPI_Comm_get_errhandler");
  // SimGrid's MPI returns a null handler if none has been set.
  if (callers == MPI_ERRHANDLER_NULL) callers = MPI_ERRORS_ARE_FATAL;
  check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  MPI_Comm copy = MPI_COMM_NULL;
  const int code = MPI_Comm_dup(comm, &copy);
  check(MPI_Comm_set_errhandler(comm, callers), "MPI_Comm_set_errhandler");
  check(MPI_Errhandler_free(&callers), "MPI_Errhandler_free");
  check(code, "MPI_Comm_dup");
  return OwnedComm::adopt(copy);
}

int size_of(MPI_Comm comm) {
  int size = 0;
  check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  return size;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  return rank;
}

std::string text_or(std::optional<std::string_view> text, const char* variable, const std::string& fallback) {
  if (text) return std::string(*text);
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
  return value == nullptr || *value == '\0' ? fallback : value;
}

/// Returns the grid for the case that neither the caller nor the environment names one: a ring of all processes.
std::string default_grid(MPI_Comm comm) {
  return fmt::format("ring:{}", size_of(comm));
}

constexpr const char* default_placement = "identity";

Placement placement_for(MPI_Comm comm, const std::string& grid_text, const std::string& placement_text) {
  const Grid grid = parse_grid(grid_text);
  const auto process_count = static_cast<std::size_t>(size_of(comm));
  if (grid.node_count() != process_count) {
    throw std::invalid_argument(fmt::format("grid '{}' has {} nodes, but there are {} processes", grid_text,
                                            grid.node_count(), process_count));
  }
  return place(grid, placement_text);
}

/// Returns the name of the grid and, with a route table, a number that depends on extents, links and routes: processes
/// may have read different files of one name.
std::string identity_of(const Grid& grid) {
  const RouteTable* table = grid.route_table();
  if (table == nullptr) return to_string(grid);
  std::uint64_t digest = 0;
  const auto add = [&](std::uint64_t value) {
    digest = (digest ^ value) * 0x9e3779b97f4a7c15U + (digest >> 29);
  };
  for (const Axis& axis : grid.axes()) add(axis.extent);
  for (const TableLink& link : table->links()) {
    add(link.from);
    add(link.to);
    add(std::bit_cast<std::uint64_t>(link.rate));
  }
  for (std::size_t here = 0; here < table->node_count(); ++here) {
    for (std::size_t to = 0; to < table->node_count(); ++to)
      if (here != to) add(table->next_link(here, to));
  }
  return fmt::format("{} (links and routes {:016x})", to_string(grid), digest);
}

OwnedComm cartesian(MPI_Comm comm, const Grid& grid) {
  std::vector<int> extents;
  std::vector<int> periodic;
  collective_try(comm, [&] {
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
  const OwnedComm base = own_duplicate(comm);
  std::string grid_text;
  std::string rule_text;
  collective_try(base.get(), [&] {
    placement_.emplace(placement_for(base.get(), text_or(grid, "CUBEFOLD_GRID", default_grid(base.get())),
                                     text_or(placement, "CUBEFOLD_PLACEMENT", default_placement)));
    grid_text = identity_of(placement_->grid());
    rule_text = to_string(placement_->rule());
  });
  require_equal_everywhere(base.get(), "grid", grid_text);
  require_equal_everywhere(base.get(), "placement", rule_text);

  rank_ = placement_->rank_of(static_cast<GridNode>(rank_in(base.get())));
  virtual_ = OwnedComm::reordered(base.get(), static_cast<int>(label(rank_)));
  cart_ = cartesian(base.get(), placement_->grid());
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
