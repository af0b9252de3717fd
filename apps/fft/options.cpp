#include "fft/options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

#include "fft/input_source.hpp"
#include "program/values.hpp"

namespace cubefold::fft_program {

namespace {

using fft::Algorithm;
using fft::Decomposition;
using fft::Distribution;
using fft::Rigor;

constexpr const char* examples = R"(Examples:
  cubefold-signal --points 65536 --output signal.npy
  mpirun -n 16 cubefold-fft --grid torus:4x4 --placement xor --input signal.npy --output spectrum.npy --check
  mpirun -n 16 cubefold-fft --grid torus:4x4 --input spectrum.npy --output again.npy --inverse
  mpirun -n 16 cubefold-fft --input signal.npy --real --distribution cyclic,block --plot spectrum.svg
  mpirun -n 4 cubefold-fft --lengths 256x256x256 --repeat 5 --compare fftw
  mpirun -n 16 cubefold-fft --grid torus:4x4 --lengths 2^20 --distribution scrambled --explain
  mpirun -n 8 cubefold-fft --lengths 64x64x64 --boxes 2x2x2 --process-grid 2x4 --check
  mpirun -n 4 cubefold-fft --lengths 64x64x64 --real --lines redft10,redft10,fourier --threads 2

Arrays have one to three dimensions of any lengths, on any number of processes, and elements float32, float64,
complex64 or complex128. The result has the precision of the input. It is that of numpy.fft.fftn, with --inverse
numpy.fft.ifftn, and with --real numpy.fft.rfftn or irfftn. Files are in natural order for every distribution.

Exit status: 0 without errors, 1 if --check or --compare finds the result wrong, 2 if an option, a file or a size does
not fit.)";

const std::map<std::string, Decomposition> decompositions{{"automatic", Decomposition::automatic},
                                                          {"slab", Decomposition::slab},
                                                          {"pencil", Decomposition::pencil}};
const std::map<std::string, Algorithm> algorithms{{"automatic", Algorithm::automatic},
                                                  {"transposed", Algorithm::transposed},
                                                  {"bluestein", Algorithm::bluestein},
                                                  {"binary-exchange", Algorithm::binary_exchange},
                                                  {"half-exchange", Algorithm::half_exchange}};
const std::map<std::string, Rigor> rigors{{"estimate", Rigor::estimate},
                                          {"measure", Rigor::measure},
                                          {"patient", Rigor::patient},
                                          {"exhaustive", Rigor::exhaustive}};
const std::map<std::string, Norm> norms{
    {"backward", Norm::backward}, {"ortho", Norm::ortho}, {"forward", Norm::forward}};
const std::map<std::string, Signal> signals{{"random", Signal::random}, {"tones", Signal::tones}};
const std::map<std::string, Precision> precisions{{"single", Precision::float32},
                                                  {"double", Precision::float64}};

/// Adds an option that takes one of the names. Error messages call such a value a `name`.
template <typename Value>
void add_choice(CLI::App& app, const std::string& name, Value& value,
                const std::map<std::string, Value>& names, const std::string& help) {
  const auto read = [name, &names](const std::string& text) {
    return program::value_named(name, text, names);
  };
  program::add_parsed(app, "--" + name, value, read, help);
}

Distribution distribution_of(std::string_view text) {
  return fft::parse_distribution(text == "block-cyclic" ? "block_cyclic" : text);
}

/// Returns the distributions of input and output. A single name is the distribution of both. Only frequencies can be
/// scrambled, so with the single name `scrambled` the points are in blocks.
std::pair<Distribution, Distribution> distributions_of(const Options& options) {
  const std::string_view text = options.distribution;
  const auto comma = text.find(',');
  if (comma != std::string_view::npos) {
    return {distribution_of(text.substr(0, comma)), distribution_of(text.substr(comma + 1))};
  }
  const Distribution both = distribution_of(text);
  if (both != Distribution::scrambled) return {both, both};
  if (options.inverse) return {Distribution::scrambled, Distribution::block};
  return {Distribution::block, Distribution::scrambled};
}

std::string known_distributions(const std::string& text) {
  const auto comma = std::min(text.find(','), text.size());
  distribution_of(std::string_view(text).substr(0, comma));
  if (comma < text.size()) distribution_of(std::string_view(text).substr(comma + 1));
  return text;
}

std::string known_baseline(const std::string& text) {
  const std::map<std::string, std::string> names{{"fftw", "fftw"}};
  return program::value_named("baseline", text, names);
}

/// Parses two numbers of processes, of which one may be 0.
std::array<std::size_t, 2> process_grid_in(const std::string& text) {
  const auto cross = std::min(text.find('x'), text.size());
  const auto first = program::whole_number_in(std::string_view(text).substr(0, cross));
  const auto second =
      cross < text.size() ? program::whole_number_in(std::string_view(text).substr(cross + 1)) : std::nullopt;
  if (!first || !second)
    throw std::invalid_argument(fmt::format("{} is no grid of two numbers, such as 2x4", text));
  return {*first, *second};
}

std::vector<fft::LineTransform> lines_in(const std::string& text) {
  std::vector<fft::LineTransform> lines;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(',', first), text.size());
    lines.push_back(fft::parse_line_transform(std::string_view(text).substr(first, end - first)));
    first = end + 1;
  }
  return lines;
}

/// Adds options about where points are and who computes.
void add_process_options(CLI::App& app, Options& options) {
  program::add_parsed(app, "--process-grid", options.process_grid, process_grid_in,
                      "Numbers of processes for the first two dimensions, as 2x4; 0 for one of them\n"
                      "follows from the number of processes. Default: by --decomposition");
  program::add_parsed(app, "--boxes", options.boxes, program::parse_lengths,
                      "Take and give the points in a grid of bricks, as 2x2x2, of which every process\n"
                      "has one, instead of the plan's distribution");
  app.add_option("--threads", options.threads, "Number of threads of each process")
      ->transform(program::whole_number(1, 4096))
      ->capture_default_str();
  app.add_option("--batch", options.batch,
                 "Transform so many equal arrays together, which share messages; the report is of\n"
                 "the first one, but for times, and --check is of all")
      ->transform(program::whole_number(1, 1000000))
      ->capture_default_str();
}

void add_transform_options(CLI::App& app, Options& options) {
  app.add_flag("--inverse", options.inverse,
               "Inverse transform, divided by the number of points but for --norm");
  app.add_flag("--real", options.real,
               "Transform real numbers to half of the spectrum, which has n/2 + 1\n"
               "frequencies of the last dimension, or with --inverse back");
  program::add_parsed(app, "--lines", options.lines, lines_in,
                      "Transform of each of two or three dimensions: fourier, or a cosine or sine by\n"
                      "FFTW's names, redft00 to rodft11. With --real either the last is fourier, or\n"
                      "none is and real numbers stay real");
  add_choice(app, "norm", options.norm, norms,
             "Scaling of both directions as in numpy.fft: backward, ortho or forward.\nDefault: backward");
  app.add_flag("--odd", options.odd, "The last dimension of --inverse --real has an odd length");
  program::add_parsed(app, "--distribution", options.distribution, known_distributions,
                      "Distribution of one dimension over the processes: block, cyclic, block_cyclic\n"
                      "or scrambled, or one for input and one for output, as cyclic,block")
      ->default_str(options.distribution);
  app.add_flag("--transposed", options.transposed,
               "For two or three dimensions: leave the output in the order of the last\n"
               "exchange, or with --inverse take such input, which saves exchanges");
  add_choice(app, "decomposition", options.decomposition, decompositions,
             "Decomposition of two or three dimensions: slab or pencil.\nDefault: the one that is predicted "
             "to be faster");
  add_choice(app, "algorithm", options.algorithm, algorithms,
             "Algorithm of one dimension: transposed, bluestein, binary-exchange or half-exchange.\n"
             "Default: the one that is predicted to be fastest");
}

void add_run_options(CLI::App& app, Options& options) {
  add_choice(app, "rigor", options.rigor, rigors,
             "How long FFTW plans: estimate, measure, patient or exhaustive.\nDefault: estimate");
  app.add_option("--wisdom", options.wisdom,
                 "Read FFTW's wisdom from this file, if it exists, and write it there");
  app.add_option("--repeat", options.repeat,
                 "Number of timed runs; before several, one more runs that does not count")
      ->transform(program::whole_number(1, 1000000))
      ->capture_default_str();
  app.add_flag("--explain", options.explain, "Print the plan, and do not transform");
  app.add_flag("--check", options.check, "Compare with a serial transform by FFTW on process 0");
  program::add_parsed(app, "--compare", options.compare, known_baseline,
                      "With fftw, time FFTW MPI in turn, and compare the results");
  app.add_option("--plot", options.plot,
                 "Draw the result as SVG: magnitudes of one dimension, or a plane of more\nas a heat map");
  app.add_option("--slice", options.slice,
                 "Plane of three dimensions to draw, as the index of the first dimension")
      ->transform(program::whole_number(0))
      ->capture_default_str();
  app.add_option("--json", options.json,
                 "Also write the report to this file as JSON; - is standard output, which then\n"
                 "has nothing else. This holds for --output and --plot too");
}

void require_one_source(const Options& options) {
  if (options.input.empty() && options.lengths.empty())
    throw std::invalid_argument("either --input or --lengths is required (see cubefold-fft --help)");
  if (!options.input.empty() && !options.lengths.empty())
    throw std::invalid_argument("--input has lengths of its own: --lengths is for runs without a file");
}

void require_different_files(const Options& options) {
  std::map<std::string, const char*> named;
  for (const auto& [option, path] :
       {std::pair("--output", options.output), std::pair("--json", options.json),
        std::pair("--plot", options.plot), std::pair("--wisdom", options.wisdom)}) {
    if (path.empty()) continue;
    const auto [other, is_new] = named.emplace(path, option);
    if (!is_new)
      throw std::invalid_argument(fmt::format("{} and {} both name {}", other->second, option, path));
  }
}

/// Throws std::invalid_argument if the name of a picture has another ending than .svg. Names without an ending are
/// allowed, such as /dev/stdout.
void require_svg(const std::string& plot) {
  const auto ending = std::filesystem::path(plot).extension();
  if (ending.empty() || ending == ".svg") return;
  throw std::invalid_argument(fmt::format("--plot {}: pictures are SVG, and their names end in .svg", plot));
}

void require_file(const std::string& wisdom) {
  std::error_code none;
  const auto status = std::filesystem::status(wisdom, none);
  if (wisdom != "-" && (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status))) return;
  throw std::invalid_argument(
      fmt::format("--wisdom {}: wisdom is read and written; it takes a file", wisdom));
}

}  // namespace

void add_options(CLI::App& app, Options& options) {
  app.add_option("--input", options.input, "NumPy file of one to three dimensions");
  program::add_parsed(app, "--lengths", options.lengths, program::parse_lengths,
                      "Number of points if there is no input file, as 2^20 or 128x128x128");
  add_choice(app, "signal", options.signal, signals,
             "Points of --lengths: random, in [-0.5, 0.5), or tones.\nDefault: random");
  add_choice(app, "precision", options.precision, precisions,
             "Precision of the points of --lengths: single or double. Default: double");
  app.add_option("--output", options.output, "NumPy file for the result. Default: no file");
  add_transform_options(app, options);
  add_process_options(app, options);
  add_run_options(app, options);
  add_network_options(app, options.network);
  for (const auto& [option, needed] : {std::pair("--signal", "--lengths"),
                                       std::pair("--precision", "--lengths"), std::pair("--slice", "--plot")})
    app.get_option(option)->needs(app.get_option(needed));
  app.footer(examples);
}

void require_fitting(const Options& options) {
  require_one_source(options);
  require_different_files(options);
  require_svg(options.plot);
  require_file(options.wisdom);
  if (options.batch > 1 && !(options.output.empty() && options.plot.empty() && options.compare.empty()))
    throw std::invalid_argument("--batch times and checks: --output, --plot and --compare take one array");
  if (!options.compare.empty() && !options.lines.empty())
    throw std::invalid_argument("--compare fftw is for Fourier transforms, without --lines");
  if (options.odd && !(options.inverse && options.real)) {
    throw std::invalid_argument("--odd goes with --inverse --real only");
  }
  if (options.odd && !options.lengths.empty() && options.lengths.back() % 2 == 0) {
    throw std::invalid_argument(fmt::format(
        "--odd says that the last length is odd, and --lengths that it is {}", options.lengths.back()));
  }
}

fft::PlanOptions plan_options(const Options& options) {
  fft::PlanOptions result;
  result.transform = options.inverse ? fft::Transform::inverse : fft::Transform::forward;
  result.kind = options.real ? fft::Kind::real : fft::Kind::complex;
  std::tie(result.input, result.output) = distributions_of(options);
  result.transposed_output = options.transposed;
  result.decomposition = options.decomposition;
  result.process_grid = options.process_grid;
  result.threads = options.threads;
  result.batch = options.batch;
  result.line_transforms = options.lines;
  result.forward_scaling = options.norm == Norm::backward ? fft::Scaling::none
                           : options.norm == Norm::ortho  ? fft::Scaling::by_root
                                                          : fft::Scaling::by_count;
  result.inverse_scaling = options.norm == Norm::backward ? fft::Scaling::by_count
                           : options.norm == Norm::ortho  ? fft::Scaling::by_root
                                                          : fft::Scaling::none;
  result.algorithm = options.algorithm;
  result.rigor = options.rigor;
  return result;
}

}  // namespace cubefold::fft_program
