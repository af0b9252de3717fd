#pragma once

#include <cstddef>
#include <vector>

namespace cubefold::mpi {

/// Messages of one direction that begin in order and end in any: which are begun, which are over.
class MessageProgress {
 public:
  explicit MessageProgress(std::size_t count) : is_over_(count) {}

  std::size_t count() const { return is_over_.size(); }
  std::size_t begun() const { return begun_; }
  bool all_begun() const { return begun_ == count(); }
  bool all_over() const { return over_ == count(); }

  /// This many from the first on are over, without a gap.
  std::size_t over() const { return over_; }

  /// The next message begins; its number.
  std::size_t begin() { return begun_++; }

  void end(std::size_t index) {
    is_over_[index] = true;
    while (over_ < count() && is_over_[over_]) ++over_;
  }

 private:
  std::size_t begun_ = 0;
  std::size_t over_ = 0;
  std::vector<bool> is_over_;
};

}  // namespace cubefold::mpi
