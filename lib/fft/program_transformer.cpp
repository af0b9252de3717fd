#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "engine.hpp"
#include "transformer.hpp"

namespace cubefold::fft {

namespace {

template <typename Real>
class ProgramTransformer final : public Transformer<Real> {
 public:
  using Complex = std::complex<Real>;

  ProgramTransformer(Program program, std::vector<ProcessAxis>& axes, const PlanOptions& options)
      : axes_(axes), engine_(std::move(program), axes, options.batch, options.rigor) {}

  /// Collective.
  void make(MPI_Comm comm) { engine_.make(comm); }

  const Layout& input() const override { return engine_.program().input; }
  const Layout& output() const override { return engine_.program().output; }
  Element input_element() const override { return engine_.program().input_element; }
  Element output_element() const override { return engine_.program().output_element; }
  const Layout::Members& members() const override { return engine_.members(); }
  std::size_t workspace_bytes() const override { return engine_.workspace_bytes(); }
  PhaseTimes times() const override { return engine_.times(); }

  std::string text(MPI_Comm comm) override {
    std::vector<std::size_t> block_bytes;
    mpi::collective_try(comm, [&] { block_bytes = engine_.block_bytes(); });
    return stages_text(engine_.program(), block_bytes, axes_, comm);
  }

  void run(const Complex* input, Complex* output, Complex* workspace) override {
    engine_.run(input, output, workspace);
  }

 private:
  std::vector<ProcessAxis>& axes_;
  Engine<Real> engine_;
};

}  // namespace

template <typename Real>
std::unique_ptr<Transformer<Real>> program_transformer(Program program, std::vector<ProcessAxis>& axes,
                                                       MPI_Comm comm, const PlanOptions& options) {
  std::unique_ptr<ProgramTransformer<Real>> transformer;
  mpi::collective_try(comm, [&] {
    transformer = std::make_unique<ProgramTransformer<Real>>(std::move(program), axes, options);
  });
  transformer->make(comm);
  return transformer;
}

template std::unique_ptr<Transformer<float>> program_transformer(Program, std::vector<ProcessAxis>&, MPI_Comm,
                                                                 const PlanOptions&);
template std::unique_ptr<Transformer<double>> program_transformer(Program, std::vector<ProcessAxis>&,
                                                                  MPI_Comm, const PlanOptions&);

}  // namespace cubefold::fft
