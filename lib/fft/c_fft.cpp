#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cubefold/cubefold_fft.h"
#include "cubefold/fft/memory.hpp"
#include "cubefold/fft/plan.hpp"
#include "cubefold/transform/plan_options.hpp"
#include "mpi/agreement.hpp"
#include "mpi/c_handles.hpp"

using namespace cubefold::fft;  // NOLINT(google-build-using-namespace): the whole file wraps it
using cubefold::mpi::guarded;
using cubefold::mpi::valid_out;
using cubefold::mpi::VirtualComm;

struct cubefold_fft_s {
  using Planned = std::variant<Plan<double>, Plan<float>>;

  std::optional<Planned> plan;  // empty until it is made
  std::string text;             // last result of cubefold_fft_explain
};

namespace {

void require_one_of(int value, const char* name, int last) {
  if (value < 0 || value > last)
    throw std::invalid_argument(fmt::format("{} {} is none of 0 .. {}", name, value, last));
}

/// Returns the value of an enumeration for a C constant in 0 .. last.
template <typename Enum>
Enum chosen(int value, const char* name, Enum last) {
  require_one_of(value, name, static_cast<int>(last));
  return static_cast<Enum>(value);
}

static_assert(CUBEFOLD_FFT_FORWARD == static_cast<int>(Transform::forward));
static_assert(CUBEFOLD_FFT_INVERSE == static_cast<int>(Transform::inverse));
static_assert(CUBEFOLD_FFT_COMPLEX == static_cast<int>(Kind::complex));
static_assert(CUBEFOLD_FFT_REAL == static_cast<int>(Kind::real));
static_assert(CUBEFOLD_FFT_BLOCK == static_cast<int>(Distribution::block));
static_assert(CUBEFOLD_FFT_CYCLIC == static_cast<int>(Distribution::cyclic));
static_assert(CUBEFOLD_FFT_BLOCK_CYCLIC == static_cast<int>(Distribution::block_cyclic));
static_assert(CUBEFOLD_FFT_SCRAMBLED == static_cast<int>(Distribution::scrambled));
static_assert(CUBEFOLD_FFT_AUTOMATIC_DECOMPOSITION == static_cast<int>(Decomposition::automatic));
static_assert(CUBEFOLD_FFT_SLAB == static_cast<int>(Decomposition::slab));
static_assert(CUBEFOLD_FFT_PENCIL == static_cast<int>(Decomposition::pencil));
static_assert(CUBEFOLD_FFT_AUTOMATIC_ALGORITHM == static_cast<int>(Algorithm::automatic));
static_assert(CUBEFOLD_FFT_TRANSPOSED == static_cast<int>(Algorithm::transposed));
static_assert(CUBEFOLD_FFT_BLUESTEIN == static_cast<int>(Algorithm::bluestein));
static_assert(CUBEFOLD_FFT_BINARY_EXCHANGE == static_cast<int>(Algorithm::binary_exchange));
static_assert(CUBEFOLD_FFT_HALF_EXCHANGE == static_cast<int>(Algorithm::half_exchange));
static_assert(CUBEFOLD_FFT_ESTIMATE == static_cast<int>(Rigor::estimate));
static_assert(CUBEFOLD_FFT_MEASURE == static_cast<int>(Rigor::measure));
static_assert(CUBEFOLD_FFT_PATIENT == static_cast<int>(Rigor::patient));
static_assert(CUBEFOLD_FFT_EXHAUSTIVE == static_cast<int>(Rigor::exhaustive));
static_assert(CUBEFOLD_FFT_REDFT00 == static_cast<int>(LineTransform::redft00));
static_assert(CUBEFOLD_FFT_RODFT11 == static_cast<int>(LineTransform::rodft11));
static_assert(CUBEFOLD_FFT_UNSCALED == static_cast<int>(Scaling::none));
static_assert(CUBEFOLD_FFT_BY_COUNT == static_cast<int>(Scaling::by_count));
static_assert(CUBEFOLD_FFT_BY_ROOT == static_cast<int>(Scaling::by_root));

std::size_t process_count(int given) {
  if (given < 0) throw std::invalid_argument(fmt::format("process_grid has the negative number {}", given));
  return static_cast<std::size_t>(given);
}

std::size_t thread_count(int given) {
  if (given < 0) throw std::invalid_argument(fmt::format("threads {} is negative", given));
  return std::max<std::size_t>(static_cast<std::size_t>(given), 1);
}

std::vector<LineTransform> line_transforms(const int* given, std::size_t dimension_count) {
  std::vector<LineTransform> lines;
  for (std::size_t d = 0; given != nullptr && d < dimension_count; ++d)
    lines.push_back(chosen<LineTransform>(given[d], "line transform", LineTransform::rodft11));
  return lines;
}

std::optional<LocalBox> box_of(const std::size_t* given, std::size_t dimension_count) {
  if (given == nullptr) return std::nullopt;
  const auto* const offsets = given + dimension_count;
  return LocalBox{{given, offsets}, {offsets, offsets + dimension_count}};
}

PlanOptions plan_options(const cubefold_fft_options& options, std::size_t dimension_count) {
  return {
      .transform = chosen<Transform>(options.transform, "transform", Transform::inverse),
      .kind = chosen<Kind>(options.kind, "kind", Kind::real),
      .input = chosen<Distribution>(options.input, "input distribution", Distribution::scrambled),
      .output = chosen<Distribution>(options.output, "output distribution", Distribution::scrambled),
      .transposed_output = options.transposed_output != 0,
      .batch = options.batch,
      .decomposition = chosen<Decomposition>(options.decomposition, "decomposition", Decomposition::pencil),
      .algorithm = chosen<Algorithm>(options.algorithm, "algorithm", Algorithm::half_exchange),
      .rigor = chosen<Rigor>(options.rigor, "rigor", Rigor::exhaustive),
      .forward_scaling = chosen<Scaling>(options.forward_scaling, "forward scaling", Scaling::by_root),
      .inverse_scaling = chosen<Scaling>(options.inverse_scaling, "inverse scaling", Scaling::by_root),
      .interleaved_batch = options.interleaved_batch != 0,
      .padded_rows = options.padded_rows != 0,
      .both_directions = options.both_directions != 0,
      .process_grid = {process_count(options.process_grid[0]), process_count(options.process_grid[1])},
      .threads = thread_count(options.threads),
      .line_transforms = line_transforms(options.line_transforms, dimension_count),
      .input_box = box_of(options.input_box, dimension_count),
      .output_box = box_of(options.output_box, dimension_count),
  };
}

std::vector<std::size_t> chosen_lengths(int dimension_count, const size_t* lengths) {
  if (dimension_count < 1 || dimension_count > 32)
    throw std::invalid_argument(fmt::format("{} dimensions are not 1 to 32", dimension_count));
  if (lengths == nullptr) throw std::invalid_argument("the array of lengths is NULL");
  return {lengths, lengths + dimension_count};
}

/// Returns the caller's options, with defaults for members that its version of the struct did not have. Throws
/// std::invalid_argument for sizes that this version of the library does not know.
cubefold_fft_options known_options(const cubefold_fft_options* options) {
  // The struct of the first version ends with `reserved`. Padding at the end of any version would hide the first member
  // of the next one, because both would have the same size.
  constexpr std::size_t first_size = offsetof(cubefold_fft_options, reserved) + sizeof(int);
  static_assert(
      offsetof(cubefold_fft_options, output_box) + sizeof(const size_t*) == sizeof(cubefold_fft_options),
      "the last member does not end the struct");
  cubefold_fft_options known = CUBEFOLD_FFT_DEFAULTS;
  if (options == nullptr) return known;
  if (options->size != first_size && options->size != sizeof known) {
    throw std::invalid_argument(
        fmt::format("options of {} bytes are unknown to this version, whose CUBEFOLD_FFT_DEFAULTS has {}",
                    options->size, sizeof known));
  }
  std::memcpy(&known, options, options->size);
  require_one_of(known.reserved, "reserved member", 0);
  return known;
}

bool is_single(const cubefold_fft_options& options) {
  require_one_of(options.precision, "precision", CUBEFOLD_FFT_FLOAT);
  return options.precision == CUBEFOLD_FFT_FLOAT;
}

bool is_input(int end) {
  require_one_of(end, "end", CUBEFOLD_FFT_OUTPUT);
  return end == CUBEFOLD_FFT_INPUT;
}

/// Builds the plan. All processes must call this.
cubefold_fft_s::Planned planned(const VirtualComm& comm, std::vector<std::size_t> lengths,
                                const PlanOptions& options, bool is_float) {
  if (is_float) return Plan<float>(comm, std::move(lengths), options);
  return Plan<double>(comm, std::move(lengths), options);
}

/// Calls `use` with the plan, which has either precision, and returns its result.
template <typename Use>
auto with_plan(cubefold_fft handle, Use use) {
  if (handle == nullptr) throw std::invalid_argument("the cubefold_fft is NULL");
  return std::visit(use, *handle->plan);
}

template <typename Real>
const Layout& layout_at(const Plan<Real>& plan, int end) {
  return is_input(end) ? plan.input() : plan.output();
}

template <typename Real>
void execute(Plan<Real>& plan, Transform transform, const void* input, void* output) {
  using Complex = std::complex<Real>;
  if (has_real_spectrum(plan.options())) {
    plan.execute(transform, static_cast<const Real*>(input), static_cast<Real*>(output));
  } else if (plan.options().kind == Kind::complex) {
    plan.execute(transform, static_cast<const Complex*>(input), static_cast<Complex*>(output));
  } else if (transform == Transform::forward) {
    plan.execute(transform, static_cast<const Real*>(input), static_cast<Complex*>(output));
  } else {
    plan.execute(transform, static_cast<const Complex*>(input), static_cast<Real*>(output));
  }
}

const char* valid_name(const char* file) {
  if (file == nullptr) throw std::invalid_argument("the name of the file is NULL");
  return file;
}

}  // namespace

int cubefold_fft_create(cubefold_comm comm, int dimension_count, const size_t* lengths,
                        const cubefold_fft_options* options, cubefold_fft* plan) {
  return guarded("cubefold_fft_create", [&] {
    if (plan != nullptr) *plan = nullptr;
    const VirtualComm& virtual_comm = cubefold::mpi::valid(comm);
    std::vector<std::size_t> requested_lengths;
    PlanOptions requested;
    bool is_float = false;
    std::unique_ptr<cubefold_fft_s> made;
    cubefold::mpi::agree_on_outcome(virtual_comm.virtual_comm(), [&] {
      valid_out(plan);
      requested_lengths = chosen_lengths(dimension_count, lengths);
      const cubefold_fft_options given = known_options(options);
      requested = plan_options(given, requested_lengths.size());
      is_float = is_single(given);
      made = std::make_unique<cubefold_fft_s>();
    });
    made->plan = planned(virtual_comm, std::move(requested_lengths), requested, is_float);
    *plan = made.release();
  });
}

int cubefold_fft_free(cubefold_fft* plan) {
  return guarded("cubefold_fft_free", [&] {
    std::unique_ptr<cubefold_fft_s> freed(std::exchange(*valid_out(plan), nullptr));
    int code = MPI_SUCCESS;
    if (freed && freed->plan)
      code = std::visit([](auto& planned) { return planned.agree_on_failures(); }, *freed->plan);
    freed.reset();
    cubefold::mpi::check(code, "MPI_Allreduce");
  });
}

int cubefold_fft_local_count(cubefold_fft plan, int end, size_t* count) {
  return guarded("cubefold_fft_local_count", [&] {
    *valid_out(count) = with_plan(plan, [&](const auto& planned) {
      return is_input(end) ? planned.input_count() : planned.output_count();
    });
  });
}

int cubefold_fft_local_box(cubefold_fft plan, int end, size_t* extents, size_t* offsets) {
  return guarded("cubefold_fft_local_box", [&] {
    with_plan(plan, [&](const auto& planned) {
      const LocalBox box = is_input(end) ? planned.input_box() : planned.output_box();
      std::copy(box.extents.begin(), box.extents.end(), valid_out(extents));
      std::copy(box.offsets.begin(), box.offsets.end(), valid_out(offsets));
    });
  });
}

int cubefold_fft_local_strides(cubefold_fft plan, int end, size_t* strides, size_t* batch_stride) {
  return guarded("cubefold_fft_local_strides", [&] {
    with_plan(plan, [&](const auto& planned) {
      const LocalStrides found = is_input(end) ? planned.input_strides() : planned.output_strides();
      *valid_out(batch_stride) = found.batch;
      std::copy(found.dimensions.begin(), found.dimensions.end(), valid_out(strides));
    });
  });
}

int cubefold_fft_owner(cubefold_fft plan, int end, size_t point, int* rank, size_t* place) {
  return guarded("cubefold_fft_owner", [&] {
    with_plan(plan, [&](const auto& planned) {
      const Layout& layout = layout_at(planned, end);
      if (point >= layout.point_count())
        throw std::invalid_argument(fmt::format("point {} is none of {}", point, layout.point_count()));
      *valid_out(rank) = static_cast<int>(label(planned.rank_of(layout.owner(point))));
      *valid_out(place) = layout.place_of(point);
    });
  });
}

int cubefold_fft_point_at(cubefold_fft plan, int end, size_t place, size_t* point) {
  return guarded("cubefold_fft_point_at", [&] {
    *valid_out(point) = with_plan(plan, [&](const auto& planned) {
      const Layout& layout = layout_at(planned, end);
      const std::size_t count = layout.local_count(planned.members());
      if (place >= count) throw std::invalid_argument(fmt::format("place {} is none of {}", place, count));
      const std::size_t index = layout.point_at(planned.members(), place);
      return index < layout.point_count() ? index : CUBEFOLD_FFT_NO_POINT;
    });
  });
}

int cubefold_fft_execute(cubefold_fft plan, const void* input, void* output) {
  return guarded("cubefold_fft_execute", [&] {
    with_plan(plan, [&](auto& planned) { execute(planned, planned.options().transform, input, output); });
  });
}

int cubefold_fft_execute_direction(cubefold_fft plan, int transform, const void* input, void* output) {
  return guarded("cubefold_fft_execute_direction", [&] {
    const auto direction = chosen<Transform>(transform, "transform", Transform::inverse);
    with_plan(plan, [&](auto& planned) { execute(planned, direction, input, output); });
  });
}

int cubefold_fft_alloc(cubefold_comm comm, size_t bytes, void** memory) {
  return guarded("cubefold_fft_alloc", [&] {
    const VirtualComm& virtual_comm = cubefold::mpi::valid(comm);
    cubefold::mpi::agree_on_outcome(virtual_comm.virtual_comm(), [&] { *valid_out(memory) = nullptr; });
    *memory = allocate(virtual_comm, bytes);
  });
}

int cubefold_fft_free_memory(void** memory) {
  return guarded("cubefold_fft_free_memory",
                 [&] { free_memory(std::exchange(*valid_out(memory), nullptr)); });
}

int cubefold_fft_workspace_bytes(cubefold_fft plan, size_t* bytes) {
  return guarded("cubefold_fft_workspace_bytes", [&] {
    *valid_out(bytes) = with_plan(plan, [](const auto& planned) { return planned.workspace_bytes(); });
  });
}

int cubefold_fft_use_workspace(cubefold_fft plan, void* memory) {
  return guarded("cubefold_fft_use_workspace",
                 [&] { with_plan(plan, [&](auto& planned) { planned.use_workspace(memory); }); });
}

int cubefold_fft_explain(cubefold_fft plan, const char** text) {
  return guarded("cubefold_fft_explain", [&] {
    *valid_out(text) = "";
    std::string explained = with_plan(plan, [](const auto& planned) { return planned.explain(); });
    plan->text = std::move(explained);
    *text = plan->text.c_str();
  });
}

int cubefold_fft_last_times(cubefold_fft plan, cubefold_fft_times* times) {
  return guarded("cubefold_fft_last_times", [&] {
    *valid_out(times) = with_plan(plan, [](const auto& planned) {
      const auto last = planned.times();
      return cubefold_fft_times{last.transform_seconds, last.exchange_seconds, last.overlap_seconds};
    });
  });
}

int cubefold_fft_export_wisdom(cubefold_comm comm, const char* file) {
  return guarded("cubefold_fft_export_wisdom", [&] {
    const VirtualComm& virtual_comm = cubefold::mpi::valid(comm);
    std::string name =
        cubefold::mpi::agree_on_outcome(virtual_comm.virtual_comm(), [&] { return valid_name(file); });
    export_wisdom(virtual_comm, name);
  });
}

int cubefold_fft_import_wisdom(cubefold_comm comm, const char* file) {
  return guarded("cubefold_fft_import_wisdom", [&] {
    const VirtualComm& virtual_comm = cubefold::mpi::valid(comm);
    std::string name =
        cubefold::mpi::agree_on_outcome(virtual_comm.virtual_comm(), [&] { return valid_name(file); });
    import_wisdom(virtual_comm, name);
  });
}
