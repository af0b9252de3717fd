#include "sent_messages.hpp"

#include <fmt/format.h>

#include <bit>

namespace cubefold::profile {

std::vector<int> doubling_receivers(int rank, int rank_count) {
  const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(rank_count)));
  const int more = rank_count - power;
  const bool is_in_pair = rank < 2 * more;
  if (is_in_pair && rank % 2 == 0) return {rank + 1};
  std::vector<int> receivers;
  const int number = is_in_pair ? rank / 2 : rank - more;
  for (int bit = 1; bit < power; bit *= 2) {
    const int other = number ^ bit;
    receivers.push_back(other < more ? 2 * other + 1 : other + more);
  }
  if (is_in_pair) receivers.push_back(rank - 1);
  return receivers;
}

std::size_t SentMessages::phase(const std::string& name) {
  const auto [found, is_new] = numbers_.try_emplace(name, phases_.size());
  if (is_new) phases_.push_back({name, {}});
  return found->second;
}

void SentMessages::add(std::size_t phase, int to, Sent sent) {
  Sent& all = phases_[phase].to[to];
  all.messages += sent.messages;
  all.bytes += sent.bytes;
}

std::vector<std::string> SentMessages::rows(int from) const {
  std::vector<std::string> rows;
  for (const Phase& phase : phases_) {
    for (auto next = phase.to.begin(); next != phase.to.end();) {
      const auto [first, sent] = *next;
      int count = 1;
      int stride = 1;
      for (++next; next != phase.to.end() && next->second == sent; ++next, ++count) {
        if (count == 1) stride = next->first - first;
        if (next->first != first + count * stride) break;
      }
      rows.push_back(fmt::format(",\n[\"{}\", {}, {}, {}, {}, {}, {}]", phase.name, from, first, count,
                                 stride, sent.messages, sent.bytes));
    }
  }
  return rows;
}

}  // namespace cubefold::profile
