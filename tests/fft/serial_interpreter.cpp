#include "serial_interpreter.hpp"

#include "cubefold/fft/exchange_blocks.hpp"
#include "serial_stages.hpp"

namespace cubefold::fft {

namespace {

using Members = Layout::Members;

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
