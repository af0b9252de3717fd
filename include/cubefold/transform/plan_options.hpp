#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/transform/local_box.hpp"

namespace cubefold::fft {

/// The direction of a transform of m points. PlanOptions says by what the sums are multiplied.
enum class Transform : std::uint8_t {
  forward,  ///< X(k) = sum_j x(j) exp(-2 pi i j k / m)
  inverse,  ///< x(j) = sum_k X(k) exp(+2 pi i j k / m), by default times 1/m
};

/// The factor of a transform of n points; n is the product of all lengths, for real points that of the real array.
enum class Scaling : std::uint8_t {
  none,      ///< 1
  by_count,  ///< 1/n
  by_root,   ///< 1/sqrt(n), with which both directions keep the energy
};

/// Says what numbers points are. For a whole transform, these are the points in the time domain; spectra are complex.
enum class Kind : std::uint8_t {
  complex,
  real,  ///< m real numbers, whose spectrum has the frequencies 0 to m/2
};

/// Says which process has the point of index i in a one-dimensional transform.
enum class Distribution : std::uint8_t {
  block,         ///< consecutive indices on each process: natural order
  cyclic,        ///< process i mod process count
  block_cyclic,  ///< 2^(n+2s) points: process (i / 2^s) mod 2^n. Source: [Lcc] section 6.2
  scrambled,     ///< order after the last local transforms: i = a + A b, a in blocks, b fastest in memory
};

/// Returns `block`, `cyclic`, `block_cyclic` or `scrambled`.
CUBEFOLD_API std::string_view to_string(Distribution distribution);

/// Returns the distribution of a name; inverse of to_string(). Throws std::invalid_argument that quotes the text and
/// lists the names.
CUBEFOLD_API Distribution parse_distribution(std::string_view text);

/// Says how long FFTW searches for the fastest local transforms: FFTW_ESTIMATE, _MEASURE, _PATIENT, _EXHAUSTIVE. With
/// all but `estimate`, planning also measures MPI's own all-to-all against exchanges of cubefold, and on one host the
/// whole transform in alternatives, for which it takes the memory of one array.
enum class Rigor : std::uint8_t { estimate, measure, patient, exhaustive };

/// Says which dimensions of an array of two or more are distributed: the first over all processes (slab), or the first
/// two over two parts of the network grid's axes (pencil). Pencils need three dimensions, and a grid in which two axes
/// have several nodes, or PlanOptions::process_grid; elsewhere a plan with `pencil` is refused.
enum class Decomposition : std::uint8_t {
  /// Takes slabs for two dimensions and on a grid with one axis. Otherwise takes the decomposition that sends fewer
  /// bytes on one host, and the one with the smaller predicted time on several.
  automatic,
  slab,
  pencil,
};

/// Says how the processes compute a one-dimensional transform together.
enum class Algorithm : std::uint8_t {
  automatic,        ///< smallest predicted time; on one host without butterflies
  transposed,       ///< N = N1 N2: transforms of lengths N1 and N2 between exchanges
  bluestein,        ///< a convolution, for every length
  binary_exchange,  ///< butterflies between neighbours in the cube; all points are sent. [Lcc] section 6.2
  half_exchange,    ///< local butterflies after each stage of a CC-cube algorithm; half is sent
};

/// Returns `automatic`, `slab` or `pencil`.
CUBEFOLD_API std::string_view to_string(Decomposition decomposition);

/// Returns `automatic`, `transposed`, `bluestein`, `binary-exchange` or `half-exchange`.
CUBEFOLD_API std::string_view to_string(Algorithm algorithm);

/// The transform along one dimension of n points: the Fourier transform, or one of the real ones of FFTW's manual, with
/// its definitions. The real ones take the real and the imaginary parts of complex points separately. Their inverses
/// are themselves, but redft01 and redft10, and rodft01 and rodft10, are inverse to one another. For the scaling, a
/// dimension counts as n points for fourier, 2 (n - 1) for redft00, 2 (n + 1) for rodft00, and 2 n for the others.
enum class LineTransform : std::uint8_t {
  fourier,
  redft00,
  redft01,
  redft10,
  redft11,
  rodft00,
  rodft01,
  rodft10,
  rodft11,
};

/// Returns `fourier`, `redft00` and so on.
CUBEFOLD_API std::string_view to_string(LineTransform line);

/// Returns the line transform of a name; inverse of to_string(). Throws std::invalid_argument that quotes the text and
/// lists the names.
CUBEFOLD_API LineTransform parse_line_transform(std::string_view text);

struct PlanOptions {
  Transform transform = Transform::forward;
  Kind kind = Kind::complex;
  Distribution input = Distribution::block;  ///< only block for more than one dimension
  Distribution output = Distribution::block;

  /// Leaves the spectrum, which is the output or for inverse transforms the input, in the distribution of the last
  /// forward transform, in which dimension 1 is distributed instead of dimension 0. On each process it is row-major
  /// with the dimensions 1, 0, 2, ... This is for arrays of two dimensions or more.
  bool transposed_output = false;

  std::size_t batch =
      1;  ///< number of arrays, which lie one behind the other on each process, or interleaved
  Decomposition decomposition = Decomposition::automatic;
  Algorithm algorithm = Algorithm::automatic;
  Rigor rigor = Rigor::estimate;

  Scaling forward_scaling = Scaling::none;  ///< factor of forward transforms
  Scaling inverse_scaling = Scaling::by_count;

  /// Lets the numbers of one point of all arrays of the batch lie together, as those of FFTW with its howmany: number b
  /// of the point at place i is at i * batch + b.
  bool interleaved_batch = false;

  /// Gives each row of the real array 2 (n/2 + 1) places, as FFTW does, where n is the last length. The numbers behind
  /// the n-th are padding. This is for real arrays of two dimensions or more.
  bool padded_rows = false;

  /// Lets the plan also transform in the other direction, by execute() with a direction. Both are planned together.
  bool both_directions = false;

  /// The numbers p0 and p1 of processes over which dimensions 0 and 1 of an array are distributed; {p, 1} are slabs. If
  /// one is 0, it follows from the number of processes; if both are 0, the plan chooses. On a network of several axes
  /// each has to be the product of the extents of some axes. Elsewhere the ranks are p0 rows of p1.
  std::array<std::size_t, 2> process_grid{};

  /// Number of threads of each process that compute, with the calling thread. Only that one calls MPI.
  /// Another number may round differently.
  std::size_t threads = 1;

  /// Gives the ranks consecutive blocks of a slab decomposition in their order, as in one dimension, instead of the
  /// nodes of the network in theirs. Requires Decomposition::slab.
  bool blocks_by_rank = false;

  /// The transform of each dimension of an array, when it goes forward; empty for fourier in all. With real points, the
  /// last dimension is fourier and gives half a spectrum, or no dimension is fourier and the output is real, too.
  std::vector<LineTransform> line_transforms = {};

  /// The box in which this process has its points at an end, row-major, instead of the plan's own distribution: either
  /// all processes name one, or none does. Together the boxes have every point of the array at that end once. A
  /// process may have no points; then any extent is 0. One exchange of unequal blocks more moves the points between
  /// the boxes and the plan's distribution, unless both are equal on all processes; it costs two more arrays of
  /// workspace. transposed_output only says where the spectrum is before that exchange, and saves exchanges. Requires
  /// Distribution::block at that end, and no padded rows there.
  std::optional<LocalBox> input_box = std::nullopt;
  std::optional<LocalBox> output_box = std::nullopt;

  bool operator==(const PlanOptions&) const = default;
};

/// Returns `none`, `1/n` or `1/sqrt(n)`.
CUBEFOLD_API std::string_view to_string(Scaling scaling);

/// Returns the factor of a transform of point_count points with the direction and the scalings of the options.
CUBEFOLD_API double scale_of(const PlanOptions& options, std::size_t point_count);

/// Returns whether both ends of the transform have real numbers.
CUBEFOLD_API bool has_real_spectrum(const PlanOptions& options);

/// Returns the transform of a dimension in the direction of the options.
CUBEFOLD_API LineTransform line_transform_of(const PlanOptions& options, std::size_t dimension);

/// Returns the product of the lengths, as they count for the scaling.
CUBEFOLD_API std::size_t scaled_count(const std::vector<std::size_t>& lengths, const PlanOptions& options);

/// Returns all options in one line, for people and for comparison between processes, which may have different boxes.
CUBEFOLD_API std::string to_string(const PlanOptions& options);

/// Returns the options of the transform back: the direction and the ends are exchanged.
CUBEFOLD_API PlanOptions reversed(PlanOptions options);

}  // namespace cubefold::fft
