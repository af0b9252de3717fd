#include "exchange_digits.hpp"

namespace cubefold::fft {

std::vector<std::size_t> digits_before(const ExchangeStage& stage) {
  const auto& before = stage.before.digits();
  const auto& after = stage.after.digits();
  std::vector<bool> taken(before.size());
  std::vector<std::size_t> sources(after.size(), before.size());
  const auto match = [&](auto fits) {
    for (std::size_t i = 0; i < after.size(); ++i) {
      for (std::size_t source = 0; source < before.size() && sources[i] == before.size(); ++source) {
        if (taken[source] || !fits(before[source], after[i])) continue;
        sources[i] = source;
        taken[source] = true;
      }
    }
  };
  match([](const Digit& a, const Digit& b) { return a == b; });
  match([](const Digit& a, const Digit& b) { return a.extent == b.extent && a.weight == b.weight; });
  return sources;
}

}  // namespace cubefold::fft
