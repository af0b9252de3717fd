#include "serial_stages.hpp"

#include <algorithm>
#include <vector>

namespace cubefold::fft {

namespace {

using Members = Layout::Members;

/// The places of all digits, for a place in memory.
std::vector<std::size_t> digit_places(const std::vector<std::size_t>& counts, std::size_t place) {
  std::vector<std::size_t> places(counts.size());
  for (std::size_t d = counts.size(); d-- > 0; place /= counts[d]) places[d] = place % counts[d];
  return places;
}

std::vector<std::size_t> counts_of(const Layout& layout, const Members& members) {
  std::vector<std::size_t> counts;
  for (std::size_t d = 0; d < layout.digits().size(); ++d) counts.push_back(layout.digit_count(d, members));
  return counts;
}

/// What stands for value v of n numbers whose spectrum is conjugate symmetric and known up to n / 2.
Number of_half(const Numbers& line, std::size_t v, std::size_t n) {
  const Number value = v < line.size() ? line[v] : std::conj(line[n - v]);
  return v == 0 || 2 * v == n ? Number{value.real(), 0} : value;
}

/// Z of an index, which has period M and is with this process.
class Spectrum {
 public:
  Spectrum(const Layout& layout, const LocalStage& local) : layout_(layout), local_(local) {}

  Number at(std::size_t k) const {
    if (layout_.owner(k) != local_.members) return poison;
    return local_.before.at(layout_.place_of(k));
  }

 private:
  const Layout& layout_;
  const LocalStage& local_;
};

}  // namespace

Numbers run_local(const TransformStage& stage, const LocalStage& local) {
  const auto counts = counts_of(stage.after, local.members);
  const std::size_t n = stage.length();
  const auto roots = roots_of(n, stage.transform);
  const std::size_t stride = stage.before.stride(stage.digit, local.members);
  const bool from_half = stage.kind == Kind::real && stage.transform == Transform::inverse;
  Numbers after(stage.after.local_count(local.members), poison);
  for (std::size_t place = 0; place < after.size(); ++place) {
    const auto places = digit_places(counts, place);
    std::size_t first = 0;
    for (std::size_t d = 0; d < places.size(); ++d) {
      if (stage.sources[d] != stage.digit) {
        first += places[d] * stage.before.stride(stage.sources[d], local.members);
      }
    }
    const std::size_t frequency = places[stage.frequency()];
    Numbers line(from_half ? n / 2 + 1 : n);
    for (std::size_t v = 0; v < line.size(); ++v) line[v] = local.before.at(first + v * stride);
    Number sum = 0;
    for (std::size_t v = 0; v < n; ++v) {
      sum += times(from_half ? of_half(line, v, n) : line[v], roots[v * frequency % n]);
    }
    if (stage.twiddle) {
      const std::size_t d = stage.twiddle->digit;
      const std::size_t value = stage.after.digit_at(d, places[d], local.members);
      sum = times(sum, root(frequency * value, stage.twiddle->order, stage.transform));
    }
    after[place] = sum * static_cast<long double>(stage.factor);
  }
  return after;
}

Numbers run_local(const ChirpStage& stage, const LocalStage& local) {
  Numbers after(stage.after.local_count(local.members), 0);
  for (std::size_t place = 0; place < std::min(after.size(), local.before.size()); ++place) {
    const std::size_t j = stage.after.point_at(local.members, place);
    if (j != stage.before.point_at(local.members, place)) after[place] = poison;
    const Number chirp = root(chirp_exponent(j, stage.length), 2 * stage.length, stage.transform);
    after[place] = times(local.before[place], chirp * static_cast<long double>(stage.factor));
    if (j >= stage.length) after[place] = 0;
  }
  return after;
}

Numbers run_local(const UntangleStage& stage, const LocalStage& local) {
  const bool forward = stage.transform == Transform::forward;
  const std::size_t m = (forward ? stage.before : stage.after).index_count();
  const Spectrum before(stage.before, local);
  Numbers after(stage.after.local_count(local.members));
  for (std::size_t place = 0; place < after.size(); ++place) {
    const std::size_t k = stage.after.point_at(local.members, place);
    Number here = before.at(forward ? k % m : k);
    Number there = std::conj(before.at(forward ? (2 * m - k) % m : m - k));
    if (!forward && k == 0) {
      here = here.real();
      there = there.real();
    }
    const Number turn = times(Number(0, forward ? -0.5L : 0.5L), root(k, 2 * m, stage.transform));
    after[place] = (here + there) * 0.5L + times(turn, here - there);
  }
  return after;
}

Numbers run_local(const RealStage& stage, const LocalStage& local) {
  Numbers after(stage.after.local_count(local.members));
  const std::size_t n = stage.after.index_count();
  for (std::size_t place = 0; place < after.size(); ++place) {
    switch (stage.step) {
      case RealStep::paired:
        after[place] = {local.before[2 * place].real(), local.before[2 * place + 1].real()};
        break;
      case RealStep::unpaired: {
        const Number pair = local.before[place / 2];
        after[place] = place % 2 == 0 ? pair.real() : pair.imag();
        break;
      }
      case RealStep::widened:
      case RealStep::narrowed:
        after[place] = local.before[place].real();
        break;
      case RealStep::doubled: {
        const std::size_t k = stage.after.point_at(local.members, place);
        const bool alone = k == 0 || 2 * k == n;
        const Number value = local.before[place];
        after[place] = 2 * k > n ? 0 : (alone ? Number(value.real()) : value * 2.0L);
        break;
      }
    }
  }
  return after;
}

}  // namespace cubefold::fft
