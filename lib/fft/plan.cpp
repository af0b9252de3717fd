#include "cubefold/fft/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/owned_comm.hpp"
#include "engine.hpp"
#include "plan_choice.hpp"
#include "plan_text.hpp"

namespace cubefold::fft {

namespace {

template <typename Real>
std::string name_of(const std::vector<std::size_t>& lengths, const PlanOptions& options) {
  return fmt::format("{} of {}{}", to_string(options), fmt::join(lengths, "x"),
                     sizeof(Real) == sizeof(float) ? " in single precision" : "");
}

/// The one run of consecutive values that a process has of a digit.
ValueRun run_of(const Layout& layout, std::size_t digit, const Layout::Members& members) {
  const auto runs = layout.runs(digit, members);
  if (runs.empty()) return {0, 1, 0};
  if (runs.size() > 1 || (runs[0].step != 1 && runs[0].count > 1))
    throw std::invalid_argument(fmt::format("{}: the points of a process are no box", to_string(layout)));
  return runs[0];
}

/// Points in a row: all values of all digits but the first.
LocalBox row_box(const Layout& layout, const Layout::Members& members) {
  const auto& digits = layout.digits();
  for (std::size_t d = 1; d < digits.size(); ++d) {
    if (digits[d].weight > digits[d - 1].weight || run_of(layout, d, members).count != digits[d].extent)
      throw std::invalid_argument(fmt::format("{}: the points of a process are no box", to_string(layout)));
  }
  if (digits.empty()) return {{1}, {0}};
  const ValueRun run = run_of(layout, 0, members);
  const std::size_t first = std::min(run.first * digits[0].weight, layout.point_count());
  const std::size_t end = std::min((run.first + run.count) * digits[0].weight, layout.point_count());
  return run.count == 0 ? LocalBox{{0}, {0}} : LocalBox{{end - first}, {first}};
}

/// One digit is one dimension.
LocalBox array_box(const Layout& layout, const Layout::Members& members) {
  std::vector<std::pair<std::size_t, std::size_t>> by_weight;
  for (std::size_t d = 0; d < layout.digits().size(); ++d)
    by_weight.emplace_back(layout.digits()[d].weight, d);
  // Digits of one value share their weight with the next; those of arrays are in order then.
  std::stable_sort(by_weight.begin(), by_weight.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  LocalBox box;
  for (const auto& [weight, d] : by_weight) {
    const ValueRun run = run_of(layout, d, members);
    box.extents.push_back(run.count);
    box.offsets.push_back(run.count == 0 ? 0 : run.first);
  }
  return box;
}

}  // namespace

template <typename Real>
class Plan<Real>::Impl {
 public:
  Impl(const mpi::VirtualComm& comm, std::vector<std::size_t> lengths, const PlanOptions& options)
      : comm_(mpi::OwnedComm::duplicate(comm.virtual_comm())),
        placement_(comm.placement()),
        lengths_(std::move(lengths)),
        options_(options) {
    mpi::require_equal_everywhere(comm_.get(), "transform", name_of<Real>(lengths_, options_));
    mpi::together(comm_.get(), [&] { require_fit(lengths_, options_); });
    if (lengths_.size() > 1) parts_ = network_parts(comm.grid(), lengths_, options_);
    axes_ = lengths_.size() == 1 ? one_axis(comm) : axes_of_grid(comm, parts_);
    Program program;
    mpi::together(comm_.get(), [&] { program = program_of(lengths_, options_, axes_); });
    engine_ = std::make_unique<Engine<Real>>(std::move(program), axes_, comm_.get(), options_.batch,
                                             options_.rigor);
    text_ = plan_text(
        PlanFacts{lengths_, options_, engine_->program(), engine_->block_bytes(), sizeof(Complex)}, axes_);
  }

  const std::vector<std::size_t>& lengths() const { return lengths_; }
  const PlanOptions& options() const { return options_; }
  const Program& program() const { return engine_->program(); }
  const Engine<Real>& engine() const { return *engine_; }
  const std::string& text() const { return text_; }

  void use_workspace(void* memory) {
    given_ = static_cast<Complex*>(memory);
    own_.reset();
  }

  Rank rank_of(const Layout::Members& members) const {
    if (parts_.empty()) return static_cast<Rank>(members[0]);
    return placement_.rank_of(node_of(placement_.grid(), parts_, members));
  }

  LocalBox box_of(const Layout& layout) const {
    return lengths_.size() == 1 ? row_box(layout, engine_->members()) : array_box(layout, engine_->members());
  }

  /// What there is of the two kinds of points, and which way.
  void require(Element input, Element output) const {
    const auto name = [](Element element) { return element == Element::real ? "real" : "complex"; };
    if (program().input_element == input && program().output_element == output) return;
    throw std::invalid_argument(
        fmt::format("execute: from {} points to {} ones, but the plan goes from {} to {}", name(input),
                    name(output), name(program().input_element), name(program().output_element)));
  }

  void execute(const Complex* input, Complex* output) { engine_->run(input, output, workspace()); }

 private:
  static std::vector<ProcessAxis> one_axis(const mpi::VirtualComm& comm) {
    std::vector<ProcessAxis> axes;
    axes.push_back(axis_of_all(comm));
    return axes;
  }

  Complex* workspace() {
    if (given_ != nullptr) return given_;
    const std::size_t count = engine_->workspace_bytes() / sizeof(Complex);
    if (!own_ && count > 0) own_ = work_array<Complex>(count);
    return own_.get();
  }

  mpi::OwnedComm comm_;
  Placement placement_;
  std::vector<std::vector<int>> parts_;  // of the network's axes; of more than one dimension
  std::vector<std::size_t> lengths_;
  PlanOptions options_;
  std::vector<ProcessAxis> axes_;
  std::unique_ptr<Engine<Real>> engine_;
  std::string text_;
  Complex* given_ = nullptr;
  AlignedArray<Complex> own_;
};

template <typename Real>
Plan<Real>::Plan(const mpi::VirtualComm& comm, std::vector<std::size_t> lengths, const PlanOptions& options)
    : impl_(std::make_unique<Impl>(comm, std::move(lengths), options)) {}
template <typename Real>
Plan<Real>::Plan(Plan&&) noexcept = default;
template <typename Real>
Plan<Real>& Plan<Real>::operator=(Plan&&) noexcept = default;
template <typename Real>
Plan<Real>::~Plan() = default;

template <typename Real>
const std::vector<std::size_t>& Plan<Real>::lengths() const {
  return impl_->lengths();
}

template <typename Real>
const PlanOptions& Plan<Real>::options() const {
  return impl_->options();
}

template <typename Real>
const Layout& Plan<Real>::input() const {
  return impl_->program().input;
}

template <typename Real>
const Layout& Plan<Real>::output() const {
  return impl_->program().output;
}

template <typename Real>
const Layout::Members& Plan<Real>::members() const {
  return impl_->engine().members();
}

template <typename Real>
Rank Plan<Real>::rank_of(const Layout::Members& members) const {
  return impl_->rank_of(members);
}

template <typename Real>
std::size_t Plan<Real>::input_count() const {
  return input().local_count(members()) * options().batch;
}

template <typename Real>
std::size_t Plan<Real>::output_count() const {
  return output().local_count(members()) * options().batch;
}

template <typename Real>
LocalBox Plan<Real>::input_box() const {
  return impl_->box_of(input());
}

template <typename Real>
LocalBox Plan<Real>::output_box() const {
  return impl_->box_of(output());
}

template <typename Real>
std::size_t Plan<Real>::workspace_bytes() const {
  return impl_->engine().workspace_bytes();
}

template <typename Real>
void Plan<Real>::use_workspace(void* memory) {
  impl_->use_workspace(memory);
}

template <typename Real>
void Plan<Real>::execute(const Complex* input, Complex* output) {
  impl_->require(Element::complex, Element::complex);
  impl_->execute(input, output);
}

template <typename Real>
void Plan<Real>::execute(const Real* input, Complex* output) {
  impl_->require(Element::real, Element::complex);
  impl_->execute(reinterpret_cast<const Complex*>(input), output);
}

template <typename Real>
void Plan<Real>::execute(const Complex* input, Real* output) {
  impl_->require(Element::complex, Element::real);
  impl_->execute(input, reinterpret_cast<Complex*>(output));
}

template <typename Real>
std::string Plan<Real>::explain() const {
  return impl_->text();
}

template <typename Real>
PhaseTimes Plan<Real>::times() const {
  return impl_->engine().times();
}

template class Plan<float>;
template class Plan<double>;

}  // namespace cubefold::fft
