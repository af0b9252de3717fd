#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/transform/layout.hpp"
#include "cubefold/transform/transform.hpp"

namespace cubefold::fft {

/// A factor w^(frequency * value of a dimension), w = exp(-2 pi i / order), conjugate for the inverse.
struct Twiddle {
  std::size_t dimension;  ///< of the layout after
  std::size_t order;      ///< frequency and value are below the two factors of it

  bool operator==(const Twiddle&) const = default;
};

/// Transforms of one local dimension, for every value of the others, unscaled: y(f) = sum_v x(v) w^(v f), w = exp(-+2
/// pi i / n). Then every y is multiplied by the twiddle and by the factor. IndexDimension i of the layout after is
/// dimension sources[i] of the one before: the same extent, spread and axis, in general another weight; the frequency
/// is the dimension with sources[i] == dimension. Kind::real: forward from n real numbers to n/2 + 1 points, inverse
/// back (the imaginary parts of frequency 0 and, for even n, n/2 are ignored); n is the extent where numbers are real.
struct CUBEFOLD_API TransformStage {
  Layout before;
  Layout after;
  std::size_t dimension;
  std::vector<std::size_t> sources;
  Transform transform = Transform::forward;
  Kind kind = Kind::complex;
  std::optional<Twiddle> twiddle;
  double factor = 1;

  std::size_t frequency() const;  ///< its place among the dimensions of the layout after
  std::size_t length() const;     ///< n

  bool operator==(const TransformStage&) const = default;
};

/// Every index goes where the layout after has it: all members of one process axis send each other blocks of equal size
/// (exchange_blocks.hpp), padded where dimensions are spread unevenly.
struct ExchangeStage {
  Layout before;
  Layout after;
  int axis = 0;

  bool operator==(const ExchangeStage&) const = default;
};

/// Point j times factor * exp(-+pi i j^2 / length) (chirp_exponent()). The process has the same point at a place before
/// and after; places that are new become 0, those that are gone were padding.
struct ChirpStage {
  Layout before;
  Layout after;
  std::size_t length;
  Transform transform = Transform::forward;
  double factor = 1;

  bool operator==(const ChirpStage&) const = default;
};

/// Point k times K(k), the result of stages first_stage up to this one for the input exp(+-pi i d^2 / length), d =
/// min(j, M - j), where d < length, and 0 else (M: points of the layout). It depends on nothing else and is made when
/// planned.
struct KernelStage {
  Layout before;
  Layout after;  ///< equal
  std::size_t length;
  Transform transform = Transform::forward;
  std::size_t first_stage;

  bool operator==(const KernelStage&) const = default;
};

/// Z(k), k < M, of pairs x(2j) + i x(2j+1) becomes X(k) = (Z(k) + Z*(M-k))/2 - i/2 w^k (Z(k) - Z*(M-k)), w = exp(-2 pi
/// i / 2M), for every index k of the layout after (Z has period M). k = low + low extent * high; the low dimension is
/// in conjugate pairs, the high one local and longer by one, so that nothing leaves a process. Inverse: before and
/// after change roles, Z(k) = (X(k) + X*(M-k))/2 + i/2 conj(w^k) (X(k) - X*(M-k)), without the imaginary parts of X(0)
/// and X(M).
struct RealPostprocessingStage {
  Layout before;
  Layout after;
  Transform transform = Transform::forward;
  std::size_t low;   ///< dimension of both layouts
  std::size_t high;  ///< dimension of both layouts

  bool operator==(const RealPostprocessingStage&) const = default;
};

/// The steps between real numbers and complex ones.
enum class RealStep : std::uint8_t {
  paired,    ///< real points 2i and 2i+1 are complex point i: the same memory, nothing moves
  unpaired,  ///< back
  widened,   ///< imaginary part 0
  narrowed,  ///< real part
  doubled,  ///< of half a spectrum X(0) .. X(n/2), n = index_count(): those with a conjugate twice, padding becomes 0
};

struct RealStage {
  Layout before;
  Layout after;
  RealStep step;

  bool operator==(const RealStage&) const = default;
};

using Stage =
    std::variant<TransformStage, ExchangeStage, ChirpStage, KernelStage, RealPostprocessingStage, RealStage>;

enum class Element : std::uint8_t { real, complex };

/// A distributed transform as a value: what every process does, one stage after the other, without saying how. A
/// stage's layout before is same_places() as what precedes it.
struct Program {
  Layout input;
  std::vector<Stage> stages;
  Layout output;
  Element input_element = Element::complex;
  Element output_element = Element::complex;

  bool operator==(const Program&) const = default;
};

CUBEFOLD_API const Layout& layout_before(const Stage& stage);
CUBEFOLD_API const Layout& layout_after(const Stage& stage);

/// These return whether points are real or complex before and after the stage.
CUBEFOLD_API Element element_before(const Stage& stage);
CUBEFOLD_API Element element_after(const Stage& stage);

/// Returns j^2 mod 2 length: the chirp of point j is exp(-+2 pi i chirp_exponent / (2 length)). Requires length < 2^63.
CUBEFOLD_API std::size_t chirp_exponent(std::size_t j, std::size_t length);

/// Returns how many complex numbers an array needs to hold the points between any two stages, on any process; a real
/// point is half a complex number.
CUBEFOLD_API std::size_t largest_complex_count(const Program& program);

/// Describes the stage in a few words, as `exchange over process axis 0`.
CUBEFOLD_API std::string describe(const Stage& stage);

/// What is wrong with a program.
struct ProgramFault {
  std::size_t stage;  ///< the number of stages for a fault of the output
  std::string what;
};

/// Returns the first stage that cannot be run as it stands: its layout before is not same_places() as what precedes it,
/// points are real where it takes complex ones, a dimension that it transforms is spread, an exchange touches a
/// dimension of another axis, ... Returns nothing if all processes can run the program, which does not say that it
/// computes a transform.
CUBEFOLD_API std::optional<ProgramFault> fault_of(const Program& program);

}  // namespace cubefold::fft
