#include <optional>

#include "cubefold/fft/binary_exchange_fft.hpp"
#include "cubefold/mpi/agreement.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "transformer.hpp"

namespace cubefold::fft {

namespace {

/// On one host a machine file says nothing of what is copied in memory.
BinaryExchangeOptions options_of_exchange(const ProcessAxis& axis, std::size_t packet_count,
                                          const PlanOptions& options) {
  BinaryExchangeOptions result{options.transform, options.rigor, packet_count};
  if (axis.machine && axis.machine->host_count > 1)
    result.model = exchange_model(*axis.machine, Tie::balanced);
  return result;
}

PhaseTimes sum(const PhaseTimes& a, const PhaseTimes& b) {
  return {a.transform_seconds + b.transform_seconds, a.exchange_seconds + b.exchange_seconds,
          a.overlap_seconds + b.overlap_seconds};
}

/// One array of the batch after the other.
template <typename Real>
class ButterflyTransformer final : public Transformer<Real> {
 public:
  using Complex = std::complex<Real>;

  ButterflyTransformer(const BinaryExchange& exchange, const ProcessAxis& axis, std::size_t batch)
      : input_(exchange.input()),
        output_(exchange.output()),
        members_(exchange.members_of(axis.comm->rank())),
        batch_(batch) {}

  /// Collective.
  void make(const ProcessAxis& axis, const BinaryExchange& exchange, const BinaryExchangeOptions& options) {
    fft_.emplace(*axis.comm, exchange, options);
  }

  const Layout& input() const override { return input_; }
  const Layout& output() const override { return output_; }
  Element input_element() const override { return Element::complex; }
  Element output_element() const override { return Element::complex; }
  const Layout::Members& members() const override { return members_; }
  std::size_t workspace_bytes() const override { return fft_->workspace_bytes(); }
  PhaseTimes times() const override { return times_; }

  std::string text(MPI_Comm comm) override {
    std::string text;
    mpi::collective_try(comm, [&] { text = fft_->describe() + "\n"; });
    return text;
  }

  void run(const Complex* input, Complex* output, Complex* workspace) override {
    fft_->use_workspace(workspace);
    times_ = {};
    const std::size_t count = fft_->exchange().local_count();
    for (std::size_t b = 0; b < batch_; ++b) {
      fft_->execute(input + b * count, output + b * count);
      times_ = sum(times_, fft_->times());
    }
  }

 private:
  Layout input_;
  Layout output_;
  Layout::Members members_;
  std::size_t batch_;
  std::optional<BinaryExchangeFft<Real>> fft_;
  PhaseTimes times_;
};

}  // namespace

template <typename Real>
std::unique_ptr<Transformer<Real>> butterfly_transformer(const BinaryExchange& exchange, ProcessAxis& axis,
                                                         std::size_t packet_count, MPI_Comm comm,
                                                         const PlanOptions& options) {
  std::unique_ptr<ButterflyTransformer<Real>> transformer;
  BinaryExchangeOptions exchange_options;
  mpi::collective_try(comm, [&] {
    transformer = std::make_unique<ButterflyTransformer<Real>>(exchange, axis, options.batch);
    exchange_options = options_of_exchange(axis, packet_count, options);
  });
  transformer->make(axis, exchange, exchange_options);
  return transformer;
}

template std::unique_ptr<Transformer<float>> butterfly_transformer(const BinaryExchange&, ProcessAxis&,
                                                                   std::size_t, MPI_Comm, const PlanOptions&);
template std::unique_ptr<Transformer<double>> butterfly_transformer(const BinaryExchange&, ProcessAxis&,
                                                                    std::size_t, MPI_Comm,
                                                                    const PlanOptions&);

}  // namespace cubefold::fft
