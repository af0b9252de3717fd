#include "serial_interpreter.hpp"

#include <limits>

#include "cubefold/fft/exchange_blocks.hpp"

namespace cubefold::fft {

namespace {

using Members = Layout::Members;

constexpr long double nan = std::numeric_limits<long double>::quiet_NaN();
const Number poison{nan, nan};

std::size_t process_of(const Members& members, const std::vector<std::size_t>& axis_members) {
  std::size_t process = 0;
  for (std::size_t axis = axis_members.size(); axis-- > 0;) {
    process = process * axis_members[axis] + members[axis];
  }
  return process;
}

}  // namespace

std::vector<Members> all_members(const std::vector<std::size_t>& axis_members) {
  std::size_t count = 1;
  for (const std::size_t members : axis_members) count *= members;
  std::vector<Members> all(count, Members(axis_members.size()));
  for (std::size_t process = 0; process < count; ++process) {
    std::size_t rest = process;
    for (std::size_t axis = 0; axis < axis_members.size(); ++axis) {
      all[process][axis] = rest % axis_members[axis];
      rest /= axis_members[axis];
    }
  }
  return all;
}

Memories dealt(const Numbers& points, const Layout& layout) {
  Memories memories;
  for (const Members& members : all_members(layout.axis_members())) {
    Numbers memory(layout.local_count(members), poison);
    for (std::size_t place = 0; place < memory.size(); ++place) {
      const std::size_t point = layout.point_at(members, place);
      if (point < layout.point_count()) memory[place] = points.at(point);
    }
    memories.push_back(std::move(memory));
  }
  return memories;
}

Numbers gathered(const Memories& memories, const Layout& layout) {
  Numbers points(layout.point_count(), poison);
  const auto all = all_members(layout.axis_members());
  for (std::size_t process = 0; process < all.size(); ++process) {
    for (std::size_t place = 0; place < memories[process].size(); ++place) {
      const std::size_t point = layout.point_at(all[process], place);
      if (point < points.size()) points[point] = memories[process][place];
    }
  }
  return points;
}

namespace {

template <typename Visit>
void for_each_of(const Box& box, Visit visit) {
  std::vector<std::size_t> index(box.dimensions.size());
  for (std::size_t i = 0; i < box.count(); ++i) {
    std::size_t local = box.local_offset;
    std::size_t packed = box.packed_offset;
    for (std::size_t d = 0; d < index.size(); ++d) {
      local += index[d] * box.dimensions[d].local_stride;
      packed += index[d] * box.dimensions[d].packed_stride;
    }
    visit(local, packed);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < box.dimensions[d].count) break;
      index[d] = 0;
    }
  }
}

/// A process's memory during a stage that leaves every point on its process.
struct LocalStage {
  const Members& members;
  const Numbers& before;
};

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

template <typename LocalKind>
Memories run_everywhere(const LocalKind& stage, const Memories& before) {
  const auto all = all_members(stage.before.axis_members());
  Memories after;
  for (std::size_t process = 0; process < all.size(); ++process) {
    after.push_back(run_local(stage, {all[process], before[process]}));
  }
  return after;
}

class Run {
 public:
  Run(const Program& program, Memories memories) : program_(program), memories_(std::move(memories)) {}

  void stages(std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      std::visit([&](const auto& stage) { memories_ = after(stage, i); }, program_.stages[i]);
    }
  }

  const Memories& memories() const { return memories_; }

 private:
  template <typename LocalKind>
  Memories after(const LocalKind& stage, std::size_t) const {
    return run_everywhere(stage, memories_);
  }
  Memories after(const ExchangeStage& stage, std::size_t) const { return after_exchange(stage, memories_); }
  Memories after(const KernelStage& stage, std::size_t i) const {
    Run kernel(program_, dealt(kernel_points(stage), stage.before));
    kernel.stages(stage.first_stage, i);
    Memories product = memories_;
    for (std::size_t process = 0; process < product.size(); ++process) {
      for (std::size_t place = 0; place < product[process].size(); ++place) {
        product[process][place] = times(product[process][place], kernel.memories()[process][place]);
      }
    }
    return product;
  }

  static Numbers kernel_points(const KernelStage& stage) {
    const std::size_t m = stage.before.index_count();
    Numbers points(m);
    for (std::size_t j = 0; j < m; ++j) {
      const std::size_t d = std::min(j, m - j);
      if (d >= stage.length) continue;
      points[j] = std::conj(root(chirp_exponent(d, stage.length), 2 * stage.length, stage.transform));
    }
    return points;
  }

  const Program& program_;
  Memories memories_;
};

}  // namespace

Memories after_exchange(const ExchangeStage& stage, const Memories& before) {
  const auto& axis_members = stage.before.axis_members();
  const auto all = all_members(axis_members);
  Memories after;
  for (const Members& members : all) after.emplace_back(stage.after.local_count(members), poison);
  const auto axis = static_cast<std::size_t>(stage.axis);
  for (const Members& sender : all) {
    for (std::size_t peer = 0; peer < axis_members[axis]; ++peer) {
      Members receiver = sender;
      receiver[axis] = peer;
      Numbers packed(block_count(stage), poison);
      const Numbers& from = before[process_of(sender, axis_members)];
      Numbers& to = after[process_of(receiver, axis_members)];
      for (const Box& box : sent_boxes(stage, sender, peer)) {
        for_each_of(box, [&](std::size_t local, std::size_t place) { packed.at(place) = from.at(local); });
      }
      for (const Box& box : received_boxes(stage, receiver, sender[axis])) {
        for_each_of(box, [&](std::size_t local, std::size_t place) { to.at(local) = packed.at(place); });
      }
    }
  }
  return after;
}

Numbers interpreted(const Program& program, const Numbers& input) {
  Run run(program, dealt(input, program.input));
  run.stages(0, program.stages.size());
  return gathered(run.memories(), program.output);
}

}  // namespace cubefold::fft
