#include "cubefold/fft/plan.hpp"

#include <stdexcept>
#include <utility>

namespace cubefold::fft {

// What users build on stands first; what is behind it follows.
template <typename Real>
class Plan<Real>::Impl {
 public:
  std::vector<std::size_t> lengths;
  PlanOptions options;
};

namespace {
[[noreturn]] void is_to_come() {
  throw std::invalid_argument("fft::Plan is to come");
}
}  // namespace

template <typename Real>
Plan<Real>::Plan(const mpi::VirtualComm&, std::vector<std::size_t>, const PlanOptions&) {
  is_to_come();
}
template <typename Real>
Plan<Real>::Plan(Plan&&) noexcept = default;
template <typename Real>
Plan<Real>& Plan<Real>::operator=(Plan&&) noexcept = default;
template <typename Real>
Plan<Real>::~Plan() = default;

template <typename Real>
const std::vector<std::size_t>& Plan<Real>::lengths() const {
  return impl_->lengths;
}
template <typename Real>
const PlanOptions& Plan<Real>::options() const {
  return impl_->options;
}
template <typename Real>
const Layout& Plan<Real>::input() const {
  is_to_come();
}
template <typename Real>
const Layout& Plan<Real>::output() const {
  is_to_come();
}
template <typename Real>
const Layout::Members& Plan<Real>::members() const {
  is_to_come();
}
template <typename Real>
std::size_t Plan<Real>::input_count() const {
  is_to_come();
}
template <typename Real>
std::size_t Plan<Real>::output_count() const {
  is_to_come();
}
template <typename Real>
Box Plan<Real>::input_box() const {
  is_to_come();
}
template <typename Real>
Box Plan<Real>::output_box() const {
  is_to_come();
}
template <typename Real>
std::size_t Plan<Real>::workspace_bytes() const {
  is_to_come();
}
template <typename Real>
void Plan<Real>::use_workspace(void*) {
  is_to_come();
}
template <typename Real>
void Plan<Real>::execute(const Complex*, Complex*) {
  is_to_come();
}
template <typename Real>
void Plan<Real>::execute(const Real*, Complex*) {
  is_to_come();
}
template <typename Real>
void Plan<Real>::execute(const Complex*, Real*) {
  is_to_come();
}
template <typename Real>
std::string Plan<Real>::explain() const {
  is_to_come();
}
template <typename Real>
PhaseTimes Plan<Real>::times() const {
  is_to_come();
}

template class Plan<float>;
template class Plan<double>;

}  // namespace cubefold::fft
