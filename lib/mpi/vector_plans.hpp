#pragma once

#include <array>
#include <cstddef>
#include <list>
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
#include "cubefold/mpi/virtual_comm.hpp"
#include "plan/vector_choice.hpp"
#include "vector_call.hpp"
#include "verbose.hpp"

namespace cubefold::mpi {

/// The plans by which a set of processes reduces and gathers vectors, on one context. VectorChooser decides on them.
class CUBEFOLD_API VectorPlans {
 public:
  /// All processes pass choosers of equal facts. `comm` must outlive this object. Does not communicate.
  VectorPlans(const VirtualComm& comm, std::shared_ptr<CommContext> context, VectorChooser chooser);

  /// Returns the plan of a call. All processes must call this. It communicates only if there is none yet, after
  /// completing all exchanges that are under way, and with CUBEFOLD_CHECK, which makes it throw std::invalid_argument
  /// on all processes if their vectors have different bytes. Costs O(methods) for a plan that is there.
  std::shared_ptr<AlltoallPlan> for_call(const VectorCall& call);

  /// Collective: performs a blocking call, by the plan that for_call() returns, or by the candidate that the times of
  /// such calls choose where VectorChooser::is_measured().
  void run(const VectorCall& call);

  /// Collective: plans all collectives, so that text_for() can be called.
  void prepare_all();

  /// Returns a line for each collective: what is done with vectors of so many bytes, of floating-point numbers if they
  /// are reduced.
  std::string text_for(std::size_t vector_bytes) const;

  /// Returns each plan and each choice by times that calls have used, without the name of the network.
  std::vector<CallChoice> choices() const;

 private:
  /// The plan of a collective, and the last call that it served.
  struct PlanInUse {
    VectorCollective collective;
    std::shared_ptr<AlltoallPlan> plan;
    std::size_t last_bytes = 0;
    Exactness exactness = Exactness::exact;
    bool fits_schedules = true;
  };

  /// Calls for which one choice by measured times holds, with the bit width of the bytes of their vectors.
  using Class = std::tuple<VectorCollective, Exactness, std::size_t>;

  void prepare(VectorCollective collective);
  void require_equal_sizes(std::size_t vector_bytes);
  bool fits_schedules(const VectorCall& call) const;
  std::shared_ptr<AlltoallPlan> make_plan(VectorCollective collective,
                                          const std::optional<VectorMethod>& method);
  std::shared_ptr<AlltoallPlan> decided_plan(const VectorCall& call);
  CandidatePlans* measured_plans(const VectorCall& call);
  std::string reason_for(VectorCollective collective, std::size_t vector_bytes, Exactness exactness) const;

  const VirtualComm* comm_;
  std::shared_ptr<CommContext> context_;
  VectorChooser chooser_;
  std::array<bool, 3> are_prepared_{};  ///< whether all processes have planned a VectorCollective
  std::list<PlanInUse> plans_;
  std::map<Class, std::optional<CandidatePlans>> measured_;  ///< empty where none are measured
};

}  // namespace cubefold::mpi
