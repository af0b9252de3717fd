#include "scratch.hpp"

#include <algorithm>

namespace cubefold {

namespace {

std::size_t foreign_blocks(const Message& message, Rank rank) {
  return static_cast<std::size_t>(std::count_if(
      message.blocks.begin(), message.blocks.end(),
      [rank](const Block& block) { return block.source != rank && block.destination != rank; }));
}

/// Counts the foreign blocks of one rank, step by step.
class Scratch {
 public:
  explicit Scratch(Rank rank) : rank_(rank) {}

  void add(const Message& message) {
    if (message.to == rank_) arriving_ += foreign_blocks(message, rank_);
    if (message.from == rank_) leaving_ += foreign_blocks(message, rank_);
  }

  /// Ends a step. A second call for the same step does nothing.
  void end_step() {
    peak_.within_steps = std::max(peak_.within_steps, held_ + arriving_);
    held_ += arriving_ - leaving_;
    peak_.between_steps = std::max(peak_.between_steps, held_);
    arriving_ = leaving_ = 0;
  }

  const ScratchPeak& peak() const { return peak_; }

 private:
  Rank rank_;
  std::size_t held_ = 0;
  std::size_t arriving_ = 0;
  std::size_t leaving_ = 0;
  ScratchPeak peak_{0, 0};
};

}  // namespace

std::vector<ScratchPeak> peak_scratch_blocks(const Schedule& schedule) {
  std::vector<Scratch> scratches;
  for (std::size_t r = 0; r < schedule.rank_count; ++r) scratches.emplace_back(static_cast<Rank>(r));
  for (const Step& step : schedule.steps) {
    for (const Message& message : step) {
      scratches.at(label(message.from)).add(message);
      scratches.at(label(message.to)).add(message);
    }
    // Only ranks with messages end the step, because a step may have few of them.
    for (const Message& message : step) {
      scratches[label(message.from)].end_step();
      scratches[label(message.to)].end_step();
    }
  }
  std::vector<ScratchPeak> peaks;
  peaks.reserve(scratches.size());
  for (const Scratch& scratch : scratches) peaks.push_back(scratch.peak());
  return peaks;
}

ScratchPeak peak_scratch_blocks(const Schedule& part, Rank rank) {
  Scratch scratch(rank);
  for (const Step& step : part.steps) {
    for (const Message& message : step) scratch.add(message);
    scratch.end_step();
  }
  return scratch.peak();
}

}  // namespace cubefold
