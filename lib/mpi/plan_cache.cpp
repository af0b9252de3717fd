#include "plan_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agreement.hpp"
#include "alltoall_choice.hpp"
#include "machine_file.hpp"

namespace cubefold::mpi {

PlanCache::PlanCache(const VirtualComm& comm) : comm_(&comm) {
  context_ = CommContext::on(comm.virtual_comm());
  make_chooser(machine_from_environment(context_->comm(), comm.grid()));
}

PlanCache::PlanCache(const VirtualComm& comm, const std::optional<Machine>& machine) : comm_(&comm) {
  context_ = CommContext::on(comm.virtual_comm());
  make_chooser(machine);
}

PlanCache::~PlanCache() = default;

void PlanCache::make_chooser(const std::optional<Machine>& machine) {
  collective_try(context_->comm(),
                 [&] { chooser_ = std::make_unique<AlltoallChooser>(*comm_, context_, machine); });
  chooser_->read_environment();
}

/// Returns the plan for blocks of this size, and moves it to the front of the list. All processes have the same sizes
/// in the list in the same order.
const PlanCache::SizedPlan& PlanCache::find_or_make(std::size_t block_bytes) {
  const auto found = std::find_if(recent_.begin(), recent_.end(),
                                  [&](const SizedPlan& sized) { return sized.block_bytes == block_bytes; });
  if (found != recent_.end()) {
    recent_.splice(recent_.begin(), recent_, found);
    return recent_.front();
  }
  context_->drain();
  AlltoallChoice choice = chooser_->choose(block_bytes);
  std::shared_ptr<AlltoallPlan> plan = plan_of(choice.setup);
  std::list<SizedPlan> made;
  collective_try(context_->comm(), [&] {
    made.push_back({block_bytes, std::move(plan), std::move(choice.text)});
  });
  recent_.splice(recent_.begin(), made);
  if (recent_.size() > most_sizes) recent_.pop_back();
  return recent_.front();
}

/// Returns a plan with this setup. Sizes with the same setup share a plan.
std::shared_ptr<AlltoallPlan> PlanCache::plan_of(const AlltoallSetup& setup) {
  const auto alike = std::find_if(recent_.begin(), recent_.end(),
                                  [&](const SizedPlan& sized) { return sized.plan->setup() == setup; });
  return alike != recent_.end() ? alike->plan : AlltoallPlan::make(*comm_, context_, setup);
}

std::shared_ptr<AlltoallPlan> PlanCache::for_blocks(std::size_t block_bytes) {
  // Sizes that differ have to be found before planning, because their plans may differ.
  if (context_->is_checked()) {
    context_->drain();
    require_equal_everywhere(context_->comm(), "block size", std::to_string(block_bytes));
  }
  return find_or_make(block_bytes).plan;
}

std::shared_ptr<AlltoallPlan> PlanCache::for_unequal_blocks() {
  if (unequal_) return unequal_;
  context_->drain();
  unequal_ = AlltoallPlan::make(*comm_, context_, chooser_->choose_for_unequal_blocks());
  return unequal_;
}

// All collective calls come first, because a process that has no memory for the text may throw alone.
std::string PlanCache::explain(std::size_t block_bytes) {
  for_blocks(block_bytes);
  const auto unequal = for_unequal_blocks();
  return fmt::format("{}unequal blocks: {}; {}\n", text_for(block_bytes), to_string(unequal->setup().method),
                     unequal->explain_unequal());
}

std::string PlanCache::explain_equal(std::size_t block_bytes) {
  for_blocks(block_bytes);
  return text_for(block_bytes);
}

/// Returns the text about the plan at the front of the list. Requires that for_blocks(block_bytes) was the last call.
std::string PlanCache::text_for(std::size_t block_bytes) const {
  const std::string refusal = chooser_->refusal().empty() ? "" : chooser_->refusal() + "\n";
  return fmt::format("{}blocks of {} bytes: {}", refusal, block_bytes, recent_.front().text);
}

}  // namespace cubefold::mpi
