#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/transform/layout.hpp"
#include "cubefold/transform/plan_options.hpp"

namespace cubefold::fft {

/// The factor w^(frequency * value of a dimension) with w = exp(-2 pi i / order), or with the conjugate of w for
/// inverse transforms.
struct Twiddle {
  std::size_t dimension;  ///< dimension of the layout after
  std::size_t order;      ///< product of the extents of the frequency and of the dimension

  bool operator==(const Twiddle&) const = default;
};

/// Transforms of one local dimension, for every value of the other dimensions: y(f) = sum_v x(v) w^(v f) with w =
/// exp(-+2 pi i / n). Every y is multiplied by the twiddle and by the factor. Dimension i of the layout after is
/// dimension sources[i] of the layout before. It has the same extent, spread and axis, but may have another weight. The
/// frequency is the dimension with sources[i] == dimension. Kind::real transforms n real numbers to n/2 + 1 points, or
/// for the inverse n/2 + 1 points to n real numbers; the inverse ignores the imaginary parts of frequency 0 and, for
/// even n, of n/2. n is the extent on the side of the real numbers.
struct CUBEFOLD_API TransformStage {
  Layout before;
  Layout after;
  std::size_t dimension;
  std::vector<std::size_t> sources;
  Transform transform = Transform::forward;
  Kind kind = Kind::complex;
  std::optional<Twiddle> twiddle;
  double factor = 1;

  /// A transform by sines or cosines of Kind::complex takes real and imaginary parts separately, or if the points are
  /// pairs of neighbours of the dimension, both as one row of 2 n real numbers.
  LineTransform line = LineTransform::fourier;
  bool of_pairs = false;

  std::size_t frequency() const;  ///< number of the frequency among the dimensions of the layout after
  std::size_t length() const;     ///< n

  bool operator==(const TransformStage&) const = default;
};

/// An exchange that moves every index to its place in the layout after. All members of one process axis send each other
/// blocks of equal size (block_geometry.hpp), which are padded if dimensions are spread unevenly.
struct ExchangeStage {
  Layout before;
  Layout after;
  int axis = 0;

  bool operator==(const ExchangeStage&) const = default;
};

/// Multiplies point j by factor * exp(-+pi i j^2 / length), see chirp_exponent(). The process has the same point at a
/// place before and after. New places become 0; removed places were padding.
struct ChirpStage {
  Layout before;
  Layout after;
  std::size_t length;
  Transform transform = Transform::forward;
  double factor = 1;

  bool operator==(const ChirpStage&) const = default;
};

/// Multiplies point k by the kernel K(k). The stages from first_stage up to this one compute the kernel from the input
/// exp(+-pi i d^2 / length) if d < length and 0 otherwise, where d = min(j, M - j) and M is the number of points of the
/// layout. The kernel depends on nothing else and is computed when the transform is planned.
struct KernelStage {
  Layout before;
  Layout after;  ///< equals the layout before
  std::size_t length;
  Transform transform = Transform::forward;
  std::size_t first_stage;

  bool operator==(const KernelStage&) const = default;
};

/// Computes the spectrum X of 2M real points x from the transform Z of the M complex points x(2j) + i x(2j+1): X(k) =
/// (Z(k) + Z*(M-k))/2 - i/2 w^k (Z(k) - Z*(M-k)) with w = exp(-2 pi i / 2M), for every index k = 0 .. M of the layout
/// after. Z has period M. The index is k = low + low extent * high. The low dimension is in conjugate pairs. The high
/// dimension is local and longer by one value in the layout of X, so no point leaves a process. For the inverse, before
/// and after change roles: Z(k) = (X(k) + X*(M-k))/2 + i/2 conj(w^k) (X(k) - X*(M-k)), where the imaginary parts of
/// X(0) and X(M) are ignored.
struct RealPostprocessingStage {
  Layout before;
  Layout after;
  Transform transform = Transform::forward;
  std::size_t low;   ///< number of the low dimension in both layouts
  std::size_t high;  ///< number of the high dimension in both layouts

  bool operator==(const RealPostprocessingStage&) const = default;
};

/// Says how real numbers become complex ones, or the reverse.
enum class RealStep : std::uint8_t {
  paired,    ///< real points 2i and 2i+1 become complex point i in the same memory
  unpaired,  ///< complex point i becomes real points 2i and 2i+1 in the same memory
  widened,   ///< real points become complex ones with imaginary part 0
  narrowed,  ///< complex points become their real parts

  /// In half a spectrum X(0) .. X(n/2) with n = index_count(), points with a conjugate in the other half are doubled,
  /// and padding becomes 0.
  doubled,
};

struct RealStage {
  Layout before;
  Layout after;
  RealStep step;

  bool operator==(const RealStage&) const = default;
};

using Stage =
    std::variant<TransformStage, ExchangeStage, ChirpStage, KernelStage, RealPostprocessingStage, RealStage>;

/// A distributed transform as a value. The stages say what all processes compute one after the other, but not how. The
/// layout before a stage is same_places() as the layout after the stage ahead of it.
struct Program {
  Layout input;
  std::vector<Stage> stages;
  Layout output;
  Kind input_kind = Kind::complex;
  Kind output_kind = Kind::complex;

  bool operator==(const Program&) const = default;
};

CUBEFOLD_API const Layout& layout_before(const Stage& stage);
CUBEFOLD_API const Layout& layout_after(const Stage& stage);

/// These return whether points are real or complex before and after the stage.
CUBEFOLD_API Kind kind_before(const Stage& stage);
CUBEFOLD_API Kind kind_after(const Stage& stage);

/// Returns j^2 mod 2 length: the chirp of point j is exp(-+2 pi i chirp_exponent / (2 length)). Requires length < 2^63.
CUBEFOLD_API std::size_t chirp_exponent(std::size_t j, std::size_t length);

/// Returns the number of complex numbers that an array needs to hold the points between any two stages on any process.
/// A real point counts as half a complex number.
CUBEFOLD_API std::size_t largest_complex_count(const Program& program);

/// Describes the stage in a few words, as `exchange over process axis 0`.
CUBEFOLD_API std::string describe(const Stage& stage);

/// An error in a program.
struct ProgramFault {
  std::size_t stage;  ///< index of the stage; the number of stages stands for the output
  std::string what;
};

/// Returns the first stage that cannot run. For example, its layout before is not same_places() as the points that it
/// gets, points are real but it takes complex ones, a dimension that it transforms is spread, or an exchange changes a
/// dimension of another axis. Returns nothing if all processes can run the program. Does not check that the program
/// computes a transform.
CUBEFOLD_API std::optional<ProgramFault> fault_of(const Program& program);

}  // namespace cubefold::fft
