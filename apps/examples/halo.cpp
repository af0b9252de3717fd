// This program lets a wave travel through a periodic box. Before each step a process exchanges faces with neighbours.
// The program compares the times with ranks in order, as MPI_Cart_create numbers them, and with ranks that cubefold
// places on the network. In C, cubefold_cart_create does what cart_create does here.
//
//     CUBEFOLD_GRID=torus:4x2 mpirun -n 8 halo [POINTS A SIDE [STEPS]]

#include <mpi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/mpi/cart_create.hpp"

namespace {

using cubefold::mpi::VirtualComm;
using Triple = std::array<int, 3>;
constexpr int round_count = 4;

/// The part of the box that a process has: side^3 points with a layer of ghosts around them, the last axis fastest.
class Box {
 public:
  Box(MPI_Comm cart, int side) : cart_(cart), side_(side), line_(side + 2), plane_(line_ * line_) {
    Triple periods{};
    MPI_Cart_get(cart, 3, extents_.data(), periods.data(), at_.data());
    for (auto* points : {&now_, &before_}) points->resize(static_cast<std::size_t>(line_ * plane_));
    for_each_point([&](std::size_t place, const Triple& point) {
      before_[place] = wave(point, -1);
      now_[place] = wave(point, 0);
    });
  }

  /// Returns the seconds that the steps take. All processes must call this.
  double advance(int step_count) {
    MPI_Barrier(cart_);
    const double begin = MPI_Wtime();
    for (const int last = step_ + step_count; step_ < last; ++step_) {
      exchange_faces();
      compute();
    }
    MPI_Barrier(cart_);
    return MPI_Wtime() - begin;
  }

  /// Returns the largest difference from the wave. All processes must call this.
  double error() const {
    double worst = 0;
    for_each_point([&](std::size_t place, const Triple& point) {
      worst = std::max(worst, std::abs(now_[place] - wave(point, step_)));
    });
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, cart_);
    return worst;
  }

 private:
  template <typename Visit>
  void for_each_point(Visit visit) const {
    for (int x = 1; x <= side_; ++x) {
      for (int y = 1; y <= side_; ++y) {
        const auto line = static_cast<std::size_t>(x * plane_ + y * line_);
        for (int z = 1; z <= side_; ++z) visit(line + static_cast<unsigned>(z), Triple{x, y, z});
      }
    }
  }

  /// Returns the wave, which has 1, 2 and 3 periods along the axes. It solves the equation of compute() exactly.
  double wave(const Triple& point, int step) const {
    double phase = 0, sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double angle =
          2 * std::numbers::pi * (1.0 + static_cast<double>(axis)) / (side_ * extents_[axis]);
      phase += angle * (side_ * at_[axis] + point[axis]);
      sum += std::pow(std::sin(angle / 2), 2);
    }
    return std::cos(phase - 2 * std::asin(std::sqrt(sum) / 2) * step);
  }

  /// Computes u(t + 1) = 2 u(t) - u(t - 1) + (sum of the six neighbours - 6 u(t)) / 4.
  void compute() {
    for_each_point([&](std::size_t place, const Triple&) {
      const double* u = &now_[place];
      const double sum = u[plane_] + u[-plane_] + u[line_] + u[-line_] + u[1] + u[-1];
      before_[place] = u[0] / 2 - before_[place] + sum / 4;
    });
    std::swap(now_, before_);
  }

  /// Returns the type of the points whose coordinate on an axis is `layer`. The layers 0 and side + 1 are ghosts.
  MPI_Datatype face(std::size_t axis, int layer) const {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    const Triple whole{side_ + 2, side_ + 2, side_ + 2};
    Triple part{side_, side_, side_}, start{1, 1, 1};
    part[axis] = 1;
    start[axis] = layer;
    MPI_Type_create_subarray(3, whole.data(), part.data(), start.data(), MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
  }

  /// Sends the faces into the ghosts of the neighbours. A tag names the direction in which a message travels, because
  /// on an axis of two processes both neighbours are one process.
  void exchange_faces() {
    std::vector<MPI_Request> requests;
    for (const int direction : {0, 1, 2, 3, 4, 5}) {
      const int axis = direction / 2, sign = direction % 2 == 0 ? -1 : 1;
      int from = 0, to = 0;
      MPI_Cart_shift(cart_, axis, sign, &from, &to);
      MPI_Datatype ghosts = face(static_cast<std::size_t>(axis), sign < 0 ? side_ + 1 : 0);
      MPI_Datatype edge = face(static_cast<std::size_t>(axis), sign < 0 ? 1 : side_);
      MPI_Irecv(now_.data(), 1, ghosts, from, direction, cart_, &requests.emplace_back());
      MPI_Isend(now_.data(), 1, edge, to, direction, cart_, &requests.emplace_back());
      MPI_Type_free(&ghosts);  // MPI keeps it until the message has arrived
      MPI_Type_free(&edge);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  MPI_Comm cart_;
  int side_, step_ = 0;
  std::ptrdiff_t line_, plane_;
  Triple extents_{}, at_{};
  std::vector<double> now_, before_;
};

/// Returns the node of every rank, as a placement lists them: nodes=3-1-0-2. All processes must call this.
std::string nodes_of(MPI_Comm ranks, const VirtualComm& comm) {
  const auto own = static_cast<std::uint32_t>(comm.sharing() ? comm.sharing()->node_of(comm.rank())
                                                             : comm.placement().node_of(comm.rank()));
  std::vector<std::uint32_t> nodes(comm.placement().rank_count());
  MPI_Allgather(&own, 1, MPI_UINT32_T, nodes.data(), 1, MPI_UINT32_T, ranks);
  std::string text = "nodes=";
  for (const auto node : nodes) text.append(text.back() == '=' ? "" : "-").append(std::to_string(node));
  return text;
}

/// Returns the exit status: 0 if both waves are right, 1 if they are not.
int compare(int side, int step_count, bool prints) {
  const VirtualComm comm(MPI_COMM_WORLD, {}, {});  // on the network that CUBEFOLD_GRID names
  Triple periods{1, 1, 1}, extents{};
  MPI_Dims_create(static_cast<int>(comm.placement().rank_count()), 3, extents.data());
  MPI_Comm cart = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 3, extents.data(), periods.data(), 0, &cart);
  const auto in_order = cubefold::mpi::OwnedComm::adopt(cart);
  const auto placed = cubefold::mpi::cart_create(comm, extents, periods);
  Box ordered(in_order.get(), side), reordered(placed.get(), side);
  double ordered_seconds = 0, placed_seconds = 0;
  for (int round = 0; round <= round_count; ++round) {
    if (round == 1) ordered_seconds = placed_seconds = 0;  // the first round has opened connections
    ordered_seconds += ordered.advance(step_count);
    placed_seconds += reordered.advance(step_count);
  }
  const double error = std::max(ordered.error(), reordered.error());
  const bool is_right = error < 1e-13 * step_count * round_count;
  const std::string nodes = nodes_of(placed.get(), comm);
  if (prints) {
    const double steps = 1e-3 * step_count * round_count;
    std::printf("halo:%dwx%dwx%dw, faces of %d bytes, error %.0e: %s\n", extents[0], extents[1], extents[2],
                8 * side * side, error, is_right ? "right" : "WRONG");
    std::printf("ranks in order %.3f ms a step, placed %.3f ms: %.2f times as fast\nplaced on %s\n",
                ordered_seconds / steps, placed_seconds / steps, ordered_seconds / placed_seconds,
                nodes.c_str());
  }
  return is_right ? 0 : 1;
}

int parse_number(const std::string& text, int most) {
  int number = 0;
  const auto [read, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || read != text.data() + text.size() || number < 1 || number > most)
    throw std::invalid_argument("'" + text + "' is no number from 1 to " + std::to_string(most));
  return number;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 2, process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  try {
    if (argc > 3) throw std::invalid_argument("there are two arguments at most, POINTS and STEPS");
    const int side = argc > 1 ? parse_number(argv[1], 500) : 32;
    status = compare(side, argc > 2 ? parse_number(argv[2], 10'000) : 10, process == 0);
  } catch (const std::invalid_argument& error) {  // the exception is the same on all processes
    if (process == 0) std::fprintf(stderr, "halo: %s\n", error.what());
  }
  MPI_Finalize();
  return status;
}
