#include "c_options.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cubefold::fft {

namespace {

template <typename Enum>
struct Choice {
  const char* name;
  Enum last;
};

/// One of an enumeration's values 0 .. last, which the C constants repeat.
template <typename Enum>
Enum chosen(int value, Choice<Enum> choice) {
  if (value < 0 || value > static_cast<int>(choice.last)) {
    throw std::invalid_argument(
        fmt::format("{} {} is none of 0 .. {}", choice.name, value, static_cast<int>(choice.last)));
  }
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

static_assert(CUBEFOLD_FFT_DOUBLE == static_cast<int>(Precision::double_));
static_assert(CUBEFOLD_FFT_FLOAT == static_cast<int>(Precision::float_));

static_assert(CUBEFOLD_FFT_INPUT == static_cast<int>(End::input));
static_assert(CUBEFOLD_FFT_OUTPUT == static_cast<int>(End::output));

PlanOptions plan_options(const cubefold_fft_options& options) {
  return {
      .transform = chosen<Transform>(options.transform, {"transform", Transform::inverse}),
      .kind = chosen<Kind>(options.kind, {"kind", Kind::real}),
      .input = chosen<Distribution>(options.input, {"input distribution", Distribution::scrambled}),
      .output = chosen<Distribution>(options.output, {"output distribution", Distribution::scrambled}),
      .transposed_output = options.transposed_output != 0,
      .batch = options.batch,
      .decomposition = chosen<Decomposition>(options.decomposition, {"decomposition", Decomposition::pencil}),
      .algorithm = chosen<Algorithm>(options.algorithm, {"algorithm", Algorithm::half_exchange}),
      .rigor = chosen<Rigor>(options.rigor, {"rigor", Rigor::exhaustive}),
  };
}

}  // namespace

Wish wish_of(int dimension_count, const size_t* lengths, const cubefold_fft_options* options) {
  static constexpr cubefold_fft_options defaults = CUBEFOLD_FFT_DEFAULTS;
  if (dimension_count < 1 || dimension_count > 3)
    throw std::invalid_argument(fmt::format("{} dimensions are not 1, 2 or 3", dimension_count));
  if (lengths == nullptr) throw std::invalid_argument("the array of lengths is NULL");
  const auto& given = options == nullptr ? defaults : *options;
  return {{lengths, lengths + dimension_count},
          plan_options(given),
          chosen<Precision>(given.precision, {"precision", Precision::float_})};
}

End chosen_end(int end) {
  return chosen<End>(end, {"end", End::output});
}

}  // namespace cubefold::fft
