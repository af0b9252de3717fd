#include "cubefold/mpi/cc_cube_algorithm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <utility>

#include "cc_cube_run.hpp"
#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/checked_mode.hpp"

namespace cubefold::mpi {

namespace {

void require_dimensions(const std::vector<int>& dimensions, int dimension_count) {
  for (std::size_t stage = 0; stage < dimensions.size(); ++stage) {
    if (dimensions[stage] >= 0 && dimensions[stage] < dimension_count) continue;
    throw std::invalid_argument(
        fmt::format("stage {}: dimension {} is not in 0 .. d - 1 of a hypercube with d = {}", stage,
                    dimensions[stage], dimension_count));
  }
}

const char* to_string(Payload payload) {
  switch (payload) {
    case Payload::fixed:
      return "fixed";
    case Payload::varying:
      return "varying";
  }
  return "";
}

std::string text_of(const std::vector<int>& dimensions, const CcCubeOptions& options) {
  return fmt::format("dimensions {}; packets {}; {} payload", fmt::join(dimensions, " "),
                     options.packet_count, to_string(options.payload));
}

}  // namespace

CcCubeAlgorithm::CcCubeAlgorithm(const VirtualComm& comm, std::vector<int> dimensions, CcCubeOptions options)
    : comm_(OwnedComm::duplicate(comm.virtual_comm())),
      rank_(comm.rank()),
      dimensions_(std::move(dimensions)),
      options_(std::move(options)) {
  together(comm_.get(), [&] {
    require_dimensions(dimensions_, dimension_count(comm.placement()));
    iteration_count(dimensions_.size(), options_.packet_count);
    rooms_.resize(CcCubeRun::room_count(dimensions_.size(), options_.packet_count));
  });
  if (checked_mode(comm_.get()))
    require_equal_everywhere(comm_.get(), "CC-cube algorithm", text_of(dimensions_, options_));
}

void CcCubeAlgorithm::run(const StageCallBacks& call_backs) {
  CcCubeRun run({comm_.get(), rank_, dimensions_, options_, call_backs}, rooms_);
  agree(comm_.get(), run.run());
}

}  // namespace cubefold::mpi
