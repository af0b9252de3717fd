#include "cubefold/fft/alternatives.hpp"

#include <algorithm>

#include "cubefold/fft/volume.hpp"
#include "wanted.hpp"

namespace cubefold::fft {

Choice choose(const std::vector<std::size_t>& lengths, const PlanOptions& options, std::size_t point_bytes,
              const Network& network) {
  const Wanted wanted{lengths, options, point_bytes, network};
  return lengths.size() == 1 ? line_choice(wanted) : array_choice(wanted);
}

std::string name_of(const Alternative& alternative) {
  return alternative.decomposition == Decomposition::automatic ? to_string(alternative.algorithm)
                                                               : to_string(alternative.decomposition);
}

Alternative alternative_of(const Program& program, const Wanted& wanted,
                           const std::vector<AxisNetwork>& axes) {
  const std::size_t bytes = wanted.point_bytes * wanted.options.batch;
  const Volume volume = volume_of(program);
  Alternative alternative;
  alternative.message_count = volume.message_count;
  alternative.sent_bytes = volume.padded_count * bytes;
  if (!axes.empty()) alternative.seconds = exchange_seconds(program, bytes, axes);
  return alternative;
}

void sort_by_time(std::vector<Alternative>::iterator first, std::vector<Alternative>::iterator last) {
  std::stable_sort(first, last, [](const Alternative& a, const Alternative& b) {
    return a.seconds && (!b.seconds || a.seconds->predicted < b.seconds->predicted);
  });
}

std::string why_of_times(const Network& network) {
  return network.machine ? "predicted to take least"
                         : "takes least on a typical network; cubefold-calibrate measures this one";
}

}  // namespace cubefold::fft
