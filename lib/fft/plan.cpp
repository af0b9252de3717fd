#include "cubefold/fft/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "cubefold/fft/alternatives.hpp"
#include "cubefold/fft/programs.hpp"
#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/machine_file.hpp"
#include "cubefold/mpi/owned_comm.hpp"
#include "fftw_rows.hpp"
#include "fitting_butterflies.hpp"
#include "local_box.hpp"
#include "plan_choice.hpp"
#include "plan_text.hpp"
#include "process_axes.hpp"
#include "transformer.hpp"

namespace cubefold::fft {

namespace {

template <typename Real>
std::string name_of(const std::vector<std::size_t>& lengths, const PlanOptions& options) {
  return fmt::format("{} of {}{}", to_string(options), fmt::join(lengths, "x"),
                     sizeof(Real) == sizeof(float) ? " in single precision" : "");
}

}  // namespace

template <typename Real>
class Plan<Real>::Impl {
 public:
  Impl(const mpi::VirtualComm& comm, std::vector<std::size_t> lengths, const PlanOptions& options)
      : placement_(comm.placement()), lengths_(std::move(lengths)), options_(options) {}

  /// Collective. Throws alike on all processes.
  void make(const mpi::VirtualComm& comm) {
    comm_ = mpi::OwnedComm::duplicate(comm.virtual_comm());
    std::string name;
    mpi::collective_try(comm_.get(), [&] { name = name_of<Real>(lengths_, options_); });
    mpi::require_equal_everywhere(comm_.get(), "transform", name);
    mpi::collective_try(comm_.get(), [&] { require_fit(lengths_, options_); });
    const Network network = network_of(comm);
    Choice choice;
    mpi::collective_try(comm_.get(), [&] { choice = choose(lengths_, options_, sizeof(Complex), network); });
    options_.algorithm = choice.taken().algorithm;
    options_.decomposition = choice.taken().decomposition;
    transformer_ = lengths_.size() == 1 ? line_transformer(comm, network, choice.taken())
                                        : array_transformer(comm, network);
    const std::string stages = transformer_->text(comm_.get());
    mpi::collective_try(comm_.get(), [&] {
      text_ = fmt::format("{} points, {}\n{}{}", fmt::join(lengths_, "x"), to_string(options_), stages,
                          choice_text(choice));
      own_ = work_array<Complex>(transformer_->workspace_bytes() / sizeof(Complex));
      workspace_ = own_.get();
    });
  }

  const std::vector<std::size_t>& lengths() const { return lengths_; }
  const PlanOptions& options() const { return options_; }
  const Transformer<Real>& transformer() const { return *transformer_; }
  const std::string& text() const { return text_; }

  void use_workspace(void* memory) {
    if (memory == nullptr && transformer_->workspace_bytes() > 0)
      throw std::invalid_argument("use_workspace: the memory is NULL");
    workspace_ = static_cast<Complex*>(memory);
    own_.reset();
  }

  Rank rank_of(const Layout::Members& members) const {
    if (parts_.empty()) return static_cast<Rank>(members[0]);
    return placement_.rank_of(node_of(placement_.grid(), parts_, members));
  }

  LocalBox box_of(const Layout& layout) const {
    return lengths_.size() == 1 ? row_box(layout, transformer_->members())
                                : array_box(layout, transformer_->members());
  }

  /// What there is of the two kinds of points, and which way.
  void require(Element input, Element output) const {
    const auto name = [](Element element) { return element == Element::real ? "real" : "complex"; };
    if (transformer_->input_element() == input && transformer_->output_element() == output) return;
    throw std::invalid_argument(
        fmt::format("execute: from {} points to {} ones, but the plan goes from {} to {}", name(input),
                    name(output), name(transformer_->input_element()), name(transformer_->output_element())));
  }

  void settle() noexcept {
    for (ProcessAxis& axis : axes_) axis.plans->context().settle();
  }

  void execute(const Complex* input, Complex* output) { transformer_->run(input, output, workspace_); }

 private:
  /// Collective.
  Network network_of(const mpi::VirtualComm& comm) const {
    std::optional<Network> network;
    mpi::collective_try(comm_.get(), [&] { network.emplace(Network{comm.placement(), {}, 1}); });
    network->machine = mpi::machine_from_environment(comm_.get(), comm.grid());
    network->host_count = network->machine ? network->machine->host_count : mpi::host_count(comm_.get());
    return *std::move(network);
  }

  std::unique_ptr<Transformer<Real>> line_transformer(const mpi::VirtualComm& comm, const Network& network,
                                                      const Alternative& taken) {
    axes_ = axis_of_all(comm, network.machine);
    const std::size_t members = axes_[0].members;
    if (taken.packet_count > 0) {
      std::optional<BinaryExchange> exchange;
      mpi::collective_try(comm_.get(), [&] {
        exchange = required_butterflies(lengths_[0], members, options_, taken.algorithm);
      });
      return butterfly_transformer<Real>(*exchange, axes_[0], taken.packet_count, comm_.get(), options_);
    }
    Program program;
    mpi::collective_try(comm_.get(),
                        [&] { program = line_program(lengths_[0], members, options_, taken.algorithm); });
    return program_transformer<Real>(std::move(program), axes_, comm_.get(), options_);
  }

  std::unique_ptr<Transformer<Real>> array_transformer(const mpi::VirtualComm& comm, const Network& network) {
    mpi::collective_try(comm_.get(), [&] { parts_ = network_parts(comm.grid(), options_.decomposition); });
    axes_ = axes_of_grid(comm, parts_, network.machine);
    Program program;
    mpi::collective_try(comm_.get(), [&] {
      std::vector<std::size_t> members;
      for (const ProcessAxis& axis : axes_) members.push_back(axis.members);
      program =
          array_program(lengths_, members, {options_.kind, options_.transform, options_.transposed_output});
    });
    return program_transformer<Real>(std::move(program), axes_, comm_.get(), options_);
  }

  mpi::OwnedComm comm_;
  Placement placement_;
  std::vector<std::vector<int>> parts_;  // of the network's axes; of more than one dimension
  std::vector<std::size_t> lengths_;
  PlanOptions options_;
  std::vector<ProcessAxis> axes_;
  std::unique_ptr<Transformer<Real>> transformer_;
  std::string text_;
  AlignedArray<Complex> own_;  ///< until the caller gives a workspace
  Complex* workspace_ = nullptr;
};

template <typename Real>
Plan<Real>::Plan(const mpi::VirtualComm& comm, std::vector<std::size_t> lengths, const PlanOptions& options) {
  mpi::collective_try(comm.virtual_comm(),
                      [&] { impl_ = std::make_unique<Impl>(comm, std::move(lengths), options); });
  impl_->make(comm);
}
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
  return impl_->transformer().input();
}

template <typename Real>
const Layout& Plan<Real>::output() const {
  return impl_->transformer().output();
}

template <typename Real>
const Layout::Members& Plan<Real>::members() const {
  return impl_->transformer().members();
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
  return impl_->transformer().workspace_bytes();
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
void Plan<Real>::settle() noexcept {
  impl_->settle();
}

template <typename Real>
std::string Plan<Real>::explain() const {
  return impl_->text();
}

template <typename Real>
PhaseTimes Plan<Real>::times() const {
  return impl_->transformer().times();
}

template class Plan<float>;
template class Plan<double>;

}  // namespace cubefold::fft
