#include "cubefold/mpi/exchange_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/machine_file.hpp"
#include "exchange_choice.hpp"

namespace cubefold::mpi {

ExchangePlans::ExchangePlans(const VirtualComm& comm) : comm_(&comm) {
  space_ = ExchangeSpace::on(comm.virtual_comm());
  make_chooser(machine_from_environment(space_->comm(), comm.grid()));
}

ExchangePlans::ExchangePlans(const VirtualComm& comm, const std::optional<Machine>& machine) : comm_(&comm) {
  space_ = ExchangeSpace::on(comm.virtual_comm());
  make_chooser(machine);
}

ExchangePlans::~ExchangePlans() = default;

void ExchangePlans::make_chooser(const std::optional<Machine>& machine) {
  together(space_->comm(), [&] { chooser_ = std::make_unique<ExchangeChooser>(*comm_, space_, machine); });
  chooser_->read_environment();
}

/// Returns the plan of these blocks as the first of the list, in which all processes have the same sizes in the same
/// order.
const ExchangePlans::SizedPlan& ExchangePlans::find_or_make(std::size_t block_bytes) {
  const auto found = std::find_if(recent_.begin(), recent_.end(),
                                  [&](const SizedPlan& sized) { return sized.block_bytes == block_bytes; });
  if (found != recent_.end()) {
    recent_.splice(recent_.begin(), recent_, found);
    return recent_.front();
  }
  space_->drain();
  ExchangeChoice choice = chooser_->choose(block_bytes);
  std::shared_ptr<CompleteExchange> plan = plan_of(choice.setup);
  std::list<SizedPlan> made;
  together(space_->comm(), [&] { made.push_back({block_bytes, std::move(plan), std::move(choice.text)}); });
  recent_.splice(recent_.begin(), made);
  if (recent_.size() > most_sizes) recent_.pop_back();
  return recent_.front();
}

/// Sizes that are exchanged alike share a plan.
std::shared_ptr<CompleteExchange> ExchangePlans::plan_of(const ExchangeSetup& setup) {
  const auto alike = std::find_if(recent_.begin(), recent_.end(),
                                  [&](const SizedPlan& sized) { return sized.plan->setup() == setup; });
  return alike != recent_.end() ? alike->plan : CompleteExchange::make(*comm_, space_, setup);
}

std::shared_ptr<CompleteExchange> ExchangePlans::for_blocks(std::size_t block_bytes) {
  // Sizes may be planned differently, so that different ones have to be found before.
  if (space_->is_checked()) {
    space_->drain();
    require_equal_everywhere(space_->comm(), "block size", std::to_string(block_bytes));
  }
  return find_or_make(block_bytes).plan;
}

std::shared_ptr<CompleteExchange> ExchangePlans::for_unequal_blocks() {
  if (unequal_) return unequal_;
  space_->drain();
  unequal_ = CompleteExchange::make(*comm_, space_, chooser_->choose_for_unequal_blocks());
  return unequal_;
}

std::string ExchangePlans::explain(std::size_t block_bytes) {
  const std::string equal = explain_equal(block_bytes);
  const auto unequal = for_unequal_blocks();
  return fmt::format("{}unequal blocks: {}; {}\n", equal, to_string(unequal->setup().method),
                     unequal->explain_unequal());
}

std::string ExchangePlans::explain_equal(std::size_t block_bytes) {
  for_blocks(block_bytes);
  const std::string refusal = chooser_->refusal().empty() ? "" : chooser_->refusal() + "\n";
  return fmt::format("{}blocks of {} bytes: {}", refusal, block_bytes, find_or_make(block_bytes).text);
}

}  // namespace cubefold::mpi
