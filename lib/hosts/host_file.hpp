#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// A host of a job, and the number of its slots, which is how many processes it takes. The number is 0 if it is not
/// known.
struct JobHost {
  std::string name;
  std::size_t slots = 0;

  bool operator==(const JobHost&) const = default;
};

/// Returns a line without blanks around its equals signs: some launchers take `slots = 2` for `slots=2`.
CUBEFOLD_API std::string without_blanks_at_equals(std::string_view line);

/// Returns the hosts of one line of a host file, in the order of the line. A line has names or lists such as `n[0-3]`,
/// which commas or blanks separate, and then words NAME=VALUE for all of them. `n0:2` (Hydra), `n0*2` (Slurm) and
/// `n0 slots=2` (Open MPI) have two slots. `max_slots` is the number of slots if no other word is. `USER@` before a
/// name, and the words `user`, `port`, `binding` and `ifname` are left out. Throws std::invalid_argument with the word
/// and the rule for anything else, for slots that are 0, and for fewer max_slots than slots.
CUBEFOLD_API std::vector<JobHost> hosts_of_line(std::string_view line);

/// Returns the hosts of a host file, each once, in the order in which they come first. `#` begins a comment. The slots
/// of a host that occurs several times add up; a line without a number is one slot, as in the files of PBS. If every
/// host occurs once and none has a number, slots are not known. Names are compared without case. Throws
/// std::invalid_argument with the line and the rule, as hosts_of_line() does, and for no hosts.
CUBEFOLD_API std::vector<JobHost> parse_host_file(std::string_view text);

/// Returns the numbers of a text such as `3(x2),2`: Slurm writes so how many tasks each host has. Throws
/// std::invalid_argument that quotes the text if it has another form, a number that is 0, or more than 2^18 numbers.
CUBEFOLD_API std::vector<std::size_t> parse_counts(std::string_view text);

/// Returns the text that parse_counts() reads.
CUBEFOLD_API std::string counts_text(const std::vector<std::size_t>& counts);

}  // namespace cubefold
