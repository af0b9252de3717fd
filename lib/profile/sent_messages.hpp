#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cubefold::profile {

/// Counts the messages from one rank to another.
struct Sent {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;

  bool operator==(const Sent&) const = default;
};

/// Returns the ranks to which a rank sends the vector in an allreduce by recursive doubling. For 2^n + m ranks, each
/// even rank below 2 m first sends to the next rank, and gets the result from it at last; in between, the others
/// perform n steps, as in the phase `allreduce` of cubefold map.
std::vector<int> doubling_receivers(int rank, int rank_count);

/// Holds what one process sends whom, in each phase of a program. Ranks are those of MPI_COMM_WORLD.
class SentMessages {
 public:
  /// Returns the number of the phase of this name, which is a new one if the name is new. Costs O(log phases).
  std::size_t phase(const std::string& name);

  /// Adds messages to a rank. Costs O(log ranks).
  void add(std::size_t phase, int to, Sent sent);

  /// Returns the rows of the process of this rank in the file of a profile. Each begins with a comma and is a JSON
  /// array in a line of its own: phase, from, first, count, stride, messages, bytes. It says that `from` sends so many
  /// messages with so many bytes together to each of the `count` ranks first, first + stride, and so on. Ranks that
  /// get the same share a row where they can. Costs O(ranks).
  std::vector<std::string> rows(int from) const;

 private:
  struct Phase {
    std::string name;
    std::map<int, Sent> to;
  };

  std::map<std::string, std::size_t> numbers_;
  std::vector<Phase> phases_;
};

}  // namespace cubefold::profile
