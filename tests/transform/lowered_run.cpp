#include "lowered_run.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "fft/array_transform_plan.hpp"
#include "fft/packet_exchange.hpp"
#include "fft/square_exchange_plan.hpp"
#include "fft/window_plan.hpp"
#include "transform/lowered_program.hpp"
#include "transform/pointwise.hpp"

namespace cubefold::fft {

namespace {

using Members = Layout::Members;
using Complex = std::complex<double>;

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

/// Returns the threads that all processes share, since one runs at a time, or null for one thread.
std::shared_ptr<Workers> workers_for(std::size_t threads) {
  static std::map<std::size_t, std::shared_ptr<Workers>> workers;
  if (threads == 1) return nullptr;
  auto& result = workers[threads];
  if (!result) result = std::make_shared<Workers>(threads);
  return result;
}

/// Executes the lowered program of one process in its buffers.
class Process {
 public:
  Process(const Program& program, Members members, const LoweringOptions& options)
      : program_(program),
        members_(std::move(members)),
        workers_(workers_for(options.threads)),
        lowered_(lower(program, members_, options)) {
    const std::size_t input = real_count(program.input, program.input_kind, members_, 1);
    std::size_t output = real_count(program.output, program.output_kind, members_, 1);
    if (options.in_place) output = std::max(output, input);
    const auto count = [](std::size_t reals) { return (reals + 1) / 2; };
    const Complex unwritten(poison);
    buffers_ = {std::vector<Complex>(options.in_place ? 0 : count(input), unwritten),
                std::vector<Complex>(count(output), unwritten),
                std::vector<Complex>(lowered_.work_count / 2, unwritten),
                std::vector<Complex>(lowered_.second_work_count / 2, unwritten)};
    first_ = options.in_place ? Buffer::output : Buffer::input;
  }

  const Members& members() const { return members_; }
  const std::shared_ptr<Workers>& workers() const { return workers_; }
  void set_kernel(std::size_t stage, Numbers kernel) { kernels_.emplace_back(stage, narrowed(kernel)); }

  void put(const Numbers& points) {
    auto* reals = reinterpret_cast<double*>(buffer(first_));
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (program_.input_kind == Kind::real)
        reals[i] = static_cast<double>(points[i].real());
      else
        buffer(first_)[i] = Complex(points[i]);
    }
  }

  Numbers result() {
    const auto* reals = reinterpret_cast<const double*>(buffer(Buffer::output));
    Numbers points(program_.output.local_count(members_));
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i] = program_.output_kind == Kind::real ? Number(reals[i]) : Number(buffer(Buffer::output)[i]);
    return points;
  }

  /// Runs up to the next exchange. Returns whether there is one.
  bool run_to_exchange() {
    for (; next_ < lowered_.operations.size(); next_ += at(next_).group_size) {
      plans_.clear();
      exchange_ = next_;
      if (!is_exchange(exchange_) && at(next_).group_size > 1) ++exchange_;
      if (is_exchange(exchange_)) return true;
      if (at(next_).group_size > 1)
        run_slabs();
      else
        run_alone(next_);
    }
    return false;
  }

  const BlockExchange& exchange() const { return std::get<BlockExchange>(at(exchange_).what); }

  /// Returns the operation through a window that is next, or null.
  template <typename What>
  const What* next() const {
    return std::get_if<What>(&at(exchange_).what);
  }
  const Complex* sent() { return buffer(at(exchange_).from); }
  Complex* received() { return buffer(at(exchange_).to); }

  /// Prepares the fused stages that run together with the exchange.
  void begin_exchange() {
    before_.reset();
    behind_.reset();
    if (exchange_ > next_) before_ = sliced(next_);
    if (next_ + at(next_).group_size > exchange_ + 1) behind_ = sliced(exchange_ + 1);
  }
  void make_places_below(std::size_t count) {
    if (before_) before_->run_for(count);
  }
  void take_places_below(std::size_t count) {
    if (behind_) behind_->run_within(count);
  }
  void end_exchange() {
    if (behind_) behind_->finish();
    next_ += at(next_).group_size;
  }

 private:
  static std::vector<Complex> narrowed(const Numbers& numbers) {
    std::vector<Complex> result;
    for (const Number& number : numbers) result.emplace_back(number);
    return result;
  }

  const Operation& at(std::size_t i) const { return lowered_.operations[i]; }
  bool is_exchange(std::size_t i) const {
    return std::holds_alternative<BlockExchange>(at(i).what) ||
           std::holds_alternative<SharedTransform>(at(i).what) ||
           std::holds_alternative<WindowExchange>(at(i).what) ||
           std::holds_alternative<SquareExchange>(at(i).what);
  }
  Complex* buffer(Buffer which) { return buffers_[static_cast<std::size_t>(which)].data(); }

  const FusedStagePlan<double>& planned(std::size_t i) {
    return *plans_.emplace_back(std::make_unique<FusedStagePlan<double>>(std::get<FusedStage>(at(i).what),
                                                                         Rigor::estimate, workers_));
  }

  SlicedStage<double> sliced(std::size_t i) {
    return {planned(i), at(i).slices.value(), buffer(at(i).from), buffer(at(i).to)};
  }

  void run_alone(std::size_t i) {
    const Complex* from = buffer(at(i).from);
    Complex* to = buffer(at(i).to);
    if (std::holds_alternative<FusedStage>(at(i).what)) return planned(i).run(from, to);
    if (const auto* joined = std::get_if<ArrayTransform>(&at(i).what)) {
      const bool keeps_input = at(i).from == Buffer::input && joined->has_real_output();
      return ArrayTransformPlan<double>(*joined, from == to, keeps_input, Rigor::estimate, workers_)
          .run(from, to);
    }
    const auto stage = std::get<PointwiseStage>(at(i).what).stage;
    if (!stage) {
      if (at(i).real_count > 0) std::memcpy(to, from, at(i).real_count * sizeof(double));
      return;
    }
    auto work = pointwise<double>(program_.stages[*stage], members_, 1);
    for (const auto& [number, kernel] : kernels_)
      if (number == *stage) work = multiplication<double>(kernel, 1);
    work(from, to);
  }

  void run_slabs() {
    auto first = sliced(next_);
    auto second = sliced(next_ + 1);
    for (std::size_t slab = 1; slab <= at(next_).slices->count; ++slab) {
      first.run_for(slab * at(next_).slices->point_count);
      second.run_within(slab * at(next_).slices->point_count);
    }
    second.finish();
  }

  const Program& program_;
  Members members_;
  std::shared_ptr<Workers> workers_;  ///< null for one thread
  LoweredProgram lowered_;
  Buffer first_{};
  std::array<std::vector<Complex>, 4> buffers_;
  std::vector<std::pair<std::size_t, std::vector<Complex>>> kernels_;
  std::vector<std::unique_ptr<FusedStagePlan<double>>> plans_;
  std::size_t next_ = 0;
  std::size_t exchange_ = 0;
  std::optional<SlicedStage<double>> before_;
  std::optional<SlicedStage<double>> behind_;
};

/// Copies the places first .. first + count - 1 of every block to the member that receives it.
void copy_places(std::vector<Process>& processes, const std::vector<std::size_t>& axis_members,
                 std::size_t first, std::size_t count) {
  for (Process& sender : processes) {
    const auto [axis, block_count, in_packets] = sender.exchange();
    Members receiver = sender.members();
    auto& peer = receiver[static_cast<std::size_t>(axis)];
    const std::size_t own = peer;
    for (peer = 0; peer < axis_members[static_cast<std::size_t>(axis)]; ++peer) {
      const Complex* block = sender.sent() + peer * block_count;
      Complex* target = processes[process_of(receiver, axis_members)].received() + own * block_count;
      std::copy_n(block + first, count, target + first);
    }
  }
}

/// The window of each set of processes that differ only in their coordinates on one axis.
class Windows {
 public:
  Windows(int axis, std::size_t points) : axis_(static_cast<std::size_t>(axis)), points_(points) {}

  Complex* of(Members members) {
    members[axis_] = 0;
    return windows_.try_emplace(members, points_, Complex(poison)).first->second.data();
  }

 private:
  std::size_t axis_;
  std::size_t points_;
  std::map<Members, std::vector<Complex>> windows_;
};

/// Runs the transforms of all processes through windows, tile by tile.
void run_shared(std::vector<Process>& processes) {
  std::vector<SharedTransformPlan<double>> plans;
  std::size_t points = 0;
  std::size_t tiles = 0;
  for (Process& process : processes) {
    plans.emplace_back(*process.next<SharedTransform>(), Rigor::estimate, process.workers());
    points = std::max(points, plans.back().transform().window_points());
    tiles = std::max(tiles, plans.back().transform().tile_count());
  }
  const auto for_each = [&](std::size_t tile, auto work) {
    for (std::size_t p = 0; p < processes.size(); ++p)
      if (tile < plans[p].transform().tile_count()) work(plans[p], processes[p]);
  };
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    Windows windows(plans[0].transform().axis, points);
    for_each(tile, [&](auto& plan, Process& process) {
      plan.write(tile, process.sent(), windows.of(process.members()));
    });
    for_each(tile, [&](auto& plan, Process& process) {
      plan.transform_share(tile, windows.of(process.members()));
    });
    for_each(tile, [&](auto& plan, Process& process) {
      plan.take(tile, windows.of(process.members()), process.received());
    });
  }
}

/// Runs the exchange of all processes through windows, tile by tile.
void run_window(std::vector<Process>& processes) {
  std::vector<WindowExchangePlan<double>> plans;
  std::size_t points = 0;
  for (Process& process : processes) {
    plans.emplace_back(*process.next<WindowExchange>(), Rigor::estimate, process.workers());
    points = std::max(points, plans.back().exchange().window_points());
  }
  for (std::size_t tile = 0; tile < plans[0].exchange().tile_count; ++tile) {
    Windows windows(plans[0].exchange().axis, points);
    for (std::size_t p = 0; p < processes.size(); ++p)
      plans[p].write(tile, processes[p].sent(), windows.of(processes[p].members()));
    for (std::size_t p = 0; p < processes.size(); ++p)
      plans[p].take(tile, windows.of(processes[p].members()), processes[p].received());
  }
}

/// Runs the square exchange of all processes, tile by tile.
void run_square(std::vector<Process>& processes) {
  std::deque<SquareExchangePlan<double>> plans;
  std::size_t points = 0;
  for (Process& process : processes) {
    const bool in_place = process.sent() == process.received();
    plans.emplace_back(*process.next<SquareExchange>(), in_place, Rigor::estimate, process.workers());
    points = std::max(points, plans.back().exchange().window_points());
  }
  for (std::size_t tile = 0; tile < plans[0].exchange().tile_count(); ++tile) {
    Windows windows(plans[0].exchange().axis, points);
    for (std::size_t p = 0; p < processes.size(); ++p)
      plans[p].write(tile, processes[p].sent(), processes[p].received(), windows.of(processes[p].members()));
    for (std::size_t p = 0; p < processes.size(); ++p)
      plans[p].take(tile, processes[p].sent(), processes[p].received(), windows.of(processes[p].members()));
  }
}

/// Runs the exchange of all processes, either whole or in packets of three points, which do not divide slices evenly.
void exchange(std::vector<Process>& processes, const std::vector<std::size_t>& axis_members) {
  for (Process& process : processes) process.begin_exchange();
  if (processes.front().next<BlockExchange>() == nullptr) {
    if (processes.front().next<SharedTransform>() != nullptr) {
      run_shared(processes);
    } else if (processes.front().next<SquareExchange>() != nullptr) {
      run_square(processes);
    } else {
      run_window(processes);
    }
    for (Process& process : processes) process.end_exchange();
    return;
  }
  const auto [axis, block_count, in_packets] = processes.front().exchange();
  const std::size_t packet = in_packets ? 3 : std::max<std::size_t>(block_count, 1);
  for (std::size_t place = 0; place < block_count; place += packet) {
    const std::size_t end = std::min(place + packet, block_count);
    for (Process& process : processes) process.make_places_below(end);
    copy_places(processes, axis_members, place, end - place);
    for (Process& process : processes) process.take_places_below(end);
  }
  for (Process& process : processes) process.end_exchange();
}

LoweringOptions lowering_options(const Program& program, const LoweredForm& form) {
  LoweringOptions options;
  options.in_place = form.in_place;
  options.in_packets.assign(exchange_stages(program).size(), form.in_packets);
  options.tile_points = form.tile_points;
  options.takes_squares = form.takes_squares;
  options.joins_transforms = form.tile_points > 0;
  options.threads = form.threads;
  options.separates_columns = form.threads > 1;
  if (form.in_slabs) options.point_bytes = std::size_t{1} << 17;  // slabs fit into a cache, arrays do not
  return options;
}

Numbers kernel_points(const KernelStage& stage, const Layout& layout, const Members& members) {
  const auto points = kernel_input<double>(stage, layout, members);
  return Numbers(points.begin(), points.end());
}

Memories run(const Program& program, const LoweredForm& form, const Memories& input) {
  std::vector<Process> processes;
  const auto members = all_members(program.input.axis_members());
  for (const Members& each : members) processes.emplace_back(program, each, lowering_options(program, form));
  for (std::size_t p = 0; p < processes.size(); ++p) processes[p].put(input[p]);
  for (std::size_t s = 0; s < program.stages.size(); ++s) {
    const auto* kernel = std::get_if<KernelStage>(&program.stages[s]);
    if (kernel == nullptr) continue;
    const Program part = kernel_program(program, s);
    Memories points;
    for (const Members& each : members) points.push_back(kernel_points(*kernel, part.input, each));
    const Memories kernels = run(part, form, points);
    for (std::size_t p = 0; p < processes.size(); ++p) processes[p].set_kernel(s, kernels[p]);
  }
  for (;;) {
    std::size_t waiting = 0;
    for (Process& process : processes) waiting += process.run_to_exchange() ? 1U : 0U;
    if (waiting == 0) break;
    if (waiting < processes.size()) throw std::logic_error("processes disagree on their exchanges");
    exchange(processes, program.input.axis_members());
  }
  Memories results;
  for (Process& process : processes) results.push_back(process.result());
  return results;
}

}  // namespace

Memories run_lowered(const Program& program, const LoweredForm& form, const Memories& input) {
  return run(program, form, input);
}

Numbers lowered_result(const Program& program, const LoweredForm& form, const Numbers& input) {
  return gathered(run(program, form, dealt(input, program.input)), program.output);
}

Numbers lowered_result(const Program& program, const Numbers& input) {
  static std::size_t count = 0;
  const std::size_t form = count++ % (lowered_forms.size() + window_forms.size());
  return lowered_result(
      program, form < lowered_forms.size() ? lowered_forms[form] : window_forms[form - lowered_forms.size()],
      input);
}

}  // namespace cubefold::fft
