#include "direction_packing.hpp"

#include <algorithm>
#include <bit>

namespace cubefold {

namespace {

bool uses(Directions job, std::size_t direction) {
  return (job >> direction & 1) != 0;
}

/// Returns the work that jobs have left for each direction.
std::vector<std::size_t> work_of(const std::vector<std::size_t>& left) {
  std::vector<std::size_t> work(static_cast<std::size_t>(std::bit_width(left.size() - 1)), 0);
  for (Directions job = 1; job < left.size(); ++job) {
    for (std::size_t direction = 0; direction < work.size(); ++direction)
      if (uses(job, direction)) work[direction] += left[job];
  }
  return work;
}

/// Searches for the jobs to run together: jobs without a common direction whose directions are worth the most. The
/// search goes through sets of jobs in depth and ends after a number of sets.
class JobSearch {
 public:
  /// The worth of a direction grows steeply with its work, so that the busiest ones never rest if that can be had. It
  /// is a whole number, so that all processes find the same jobs.
  JobSearch(const std::vector<std::size_t>& left, const std::vector<std::size_t>& work) {
    const std::size_t most = *std::max_element(work.begin(), work.end());
    for (Directions job = 1; job < left.size(); ++job)
      if (left[job] > 0) jobs_.push_back(job);
    std::stable_sort(jobs_.begin(), jobs_.end(), [&](Directions a, Directions b) {
      return std::popcount(a) != std::popcount(b) ? std::popcount(a) > std::popcount(b) : left[a] > left[b];
    });
    for (const Directions job : jobs_) {
      std::uint64_t worth = 0;
      for (std::size_t direction = 0; direction < work.size(); ++direction) {
        const std::uint64_t share = 256 * work[direction] / most;
        if (uses(job, direction)) worth += share * share * share * share * share * share + 1;
      }
      worths_.push_back(worth + worth / 10000 * static_cast<std::uint64_t>(std::popcount(job)));
    }
    add(0, 0, 0);
  }

  const std::vector<Directions>& best() const { return best_; }

 private:
  void add(std::size_t first, Directions used, std::uint64_t worth) {
    if (worth > best_worth_) {
      best_worth_ = worth;
      best_ = taken_;
    }
    for (std::size_t i = first; i < jobs_.size() && sets_left_ > 0; ++i) {
      if ((jobs_[i] & used) != 0) continue;
      --sets_left_;
      taken_.push_back(jobs_[i]);
      add(i + 1, used | jobs_[i], worth + worths_[i]);
      taken_.pop_back();
    }
  }

  std::vector<Directions> jobs_;
  std::vector<std::uint64_t> worths_;  ///< of each job
  std::vector<Directions> taken_;
  std::vector<Directions> best_;
  std::uint64_t best_worth_ = 0;
  int sets_left_ = 3000;
};

}  // namespace

DirectionPacking::DirectionPacking(std::vector<std::size_t> steps_of_job) : pieces_(steps_of_job.size()) {
  std::vector<std::size_t>& left = steps_of_job;
  std::vector<std::size_t> done(left.size(), 0);
  left[0] = 0;
  while (std::any_of(left.begin(), left.end(), [](std::size_t steps) { return steps > 0; })) {
    const auto work = work_of(left);
    const JobSearch search(left, work);
    const std::size_t most = *std::max_element(work.begin(), work.end());
    Directions used = 0;
    std::size_t steps = most;
    for (const Directions job : search.best()) {
      used |= job;
      steps = std::min(steps, left[job]);
    }
    for (std::size_t direction = 0; direction < work.size(); ++direction)
      if (!uses(used, direction)) steps = std::min(steps, std::max<std::size_t>(1, most - work[direction]));
    for (const Directions job : search.best()) {
      pieces_[job].push_back({done[job], step_count_});
      done[job] += steps;
      left[job] -= steps;
    }
    step_count_ += steps;
  }
}

std::size_t DirectionPacking::step_of(Directions job, std::size_t step) const {
  const auto& pieces = pieces_[job];
  const auto next = std::upper_bound(pieces.begin(), pieces.end(), step,
                                     [](std::size_t s, const Piece& piece) { return s < piece.from; });
  const Piece& piece = *(next - 1);
  return piece.start + step - piece.from;
}

}  // namespace cubefold
