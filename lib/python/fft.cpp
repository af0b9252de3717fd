#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cubefold/cubefold_fft.h"
#include "handle.hpp"
#include "mpi/agreement.hpp"
#include "mpi/c_handles.hpp"

namespace py = pybind11;

namespace cubefold::python {

namespace {

/// The numbers of a transform, and the constants of the C interface for them.
struct Numbers {
  const char* points;
  const char* spectrum;
  int kind;
  int precision;
};

constexpr std::array<Numbers, 4> known_numbers{{
    {"float32", "complex64", CUBEFOLD_FFT_REAL, CUBEFOLD_FFT_FLOAT},
    {"float64", "complex128", CUBEFOLD_FFT_REAL, CUBEFOLD_FFT_DOUBLE},
    {"complex64", "complex64", CUBEFOLD_FFT_COMPLEX, CUBEFOLD_FFT_FLOAT},
    {"complex128", "complex128", CUBEFOLD_FFT_COMPLEX, CUBEFOLD_FFT_DOUBLE},
}};

/// Returns the name of a dtype, or what was given in its place as text if it is none.
std::string dtype_name(const py::object& given) {
  try {
    return py::str(py::dtype::from_args(given)).cast<std::string>();
  } catch (const py::error_already_set&) {
    return py::str(given).cast<std::string>();
  }
}

Numbers numbers_of(const py::object& given) {
  const std::string name = dtype_name(given);
  for (const Numbers& numbers : known_numbers)
    if (name == numbers.points) return numbers;
  throw std::invalid_argument(
      fmt::format("dtype {} is none of float32, float64, complex64, complex128", name));
}

/// The part of an array that a process has: `extents` points from `offsets` on in each dimension, `strides` points
/// apart in memory. The plan needs memory for `place_count` points: padding follows the points of a half spectrum in
/// one dimension.
struct Box {
  std::vector<std::size_t> extents;
  std::vector<std::size_t> offsets;
  std::vector<std::size_t> strides;
  std::size_t place_count = 0;
};

/// A plan of both directions over the processes of a Comm, which it keeps alive. The array has `before` axes in front
/// of those that are transformed and `after` axes behind them.
struct Fft {
  py::object comm;
  Numbers numbers{};
  std::vector<std::size_t> before;
  std::vector<std::size_t> lengths;
  std::vector<std::size_t> after;
  std::vector<int> line_transforms;    ///< empty for Fourier transforms of all axes
  std::vector<std::size_t> input_box;  ///< extents and offsets, or empty
  std::vector<std::size_t> output_box;
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  cubefold_fft plan = nullptr;
  Box points;
  Box spectrum;
};

cubefold_comm comm_of(const Fft& fft) {
  return fft.comm.cast<const CommHandle&>().comm;
}

/// Runs work() and throws its failure on all processes, with the name of the function before the text. All processes
/// must call this.
template <typename Work>
void try_on_all(const Fft& fft, const char* function, Work work) {
  check_status(mpi::guarded(function, [&] {
    const auto failure = mpi::failure_of(work);
    MPI_Comm comm = mpi::valid(comm_of(fft)).virtual_comm();
    const py::gil_scoped_release others_run;
    mpi::agree(comm, failure);
  }));
}

std::vector<std::size_t> lengths_of(const std::vector<py::ssize_t>& shape) {
  std::vector<std::size_t> lengths;
  for (const py::ssize_t length : shape) {
    if (length < 1) throw std::invalid_argument(fmt::format("length {} is not positive", length));
    lengths.push_back(static_cast<std::size_t>(length));
  }
  return lengths;
}

/// Returns the number of a name in a list of names. Throws std::invalid_argument for others.
template <std::size_t count>
int number_of(const char* what, const std::string& given, const std::array<const char*, count>& names) {
  for (std::size_t i = 0; i < count; ++i)
    if (given == names[i]) return static_cast<int>(i);
  throw std::invalid_argument(fmt::format("{} {} is none of {}", what, given, fmt::join(names, ", ")));
}

/// Stores the scaling of both directions that NumPy has under this name.
void set_norm(cubefold_fft_options& options, const std::string& norm) {
  constexpr std::array<const char*, 3> names{"backward", "ortho", "forward"};
  constexpr std::array<std::array<int, 2>, 3> scalings{{{CUBEFOLD_FFT_UNSCALED, CUBEFOLD_FFT_BY_COUNT},
                                                        {CUBEFOLD_FFT_BY_ROOT, CUBEFOLD_FFT_BY_ROOT},
                                                        {CUBEFOLD_FFT_BY_COUNT, CUBEFOLD_FFT_UNSCALED}}};
  const auto [there, back] = scalings[static_cast<std::size_t>(number_of("norm", norm, names))];
  options.forward_scaling = there;
  options.inverse_scaling = back;
}

std::size_t product(const std::vector<std::size_t>& extents) {
  std::size_t count = 1;
  for (const std::size_t extent : extents) count *= extent;
  return count;
}

/// Divides the shape into axes before, in and behind those that are transformed, which are neighbours in their order.
/// Throws std::invalid_argument for others, and if there are axes on both sides.
void set_axes(Fft& fft, const std::vector<std::size_t>& shape, const std::optional<std::vector<int>>& axes) {
  const auto count = static_cast<int>(shape.size());
  const auto refuse = [&] {
    throw std::invalid_argument(fmt::format(
        "axes ({}) are not the first or the last ones of {} in their order", fmt::join(*axes, ", "), count));
  };
  int first = 0;
  int end = count;
  if (axes) {
    if (axes->empty()) refuse();
    first = axes->front() < 0 ? axes->front() + count : axes->front();
    end = first + static_cast<int>(axes->size());
    for (int i = first; i < end; ++i) {
      const int axis = (*axes)[static_cast<std::size_t>(i - first)];
      if ((axis < 0 ? axis + count : axis) != i) refuse();
    }
    if (first < 0 || end > count || (first > 0 && end < count)) refuse();
  }
  fft.before.assign(shape.begin(), shape.begin() + first);
  fft.lengths.assign(shape.begin() + first, shape.begin() + end);
  fft.after.assign(shape.begin() + end, shape.end());
  fft.options.interleaved_batch = fft.after.empty() ? 0 : 1;
  fft.options.batch = product(fft.after.empty() ? fft.before : fft.after);
}

/// Returns the box with all axes of the array. The batch is row-major in its axes.
Box box_of(const Fft& fft, int end) {
  const std::size_t dimension_count = fft.lengths.size();
  Box box{fft.lengths, fft.lengths, fft.lengths, 0};
  std::size_t batch_stride = 1;
  check_status(cubefold_fft_local_box(fft.plan, end, box.extents.data(), box.offsets.data()));
  check_status(cubefold_fft_local_count(fft.plan, end, &box.place_count));
  check_status(cubefold_fft_local_strides(fft.plan, end, box.strides.data(), &batch_stride));
  const auto add = [&](const std::vector<std::size_t>& axes, std::size_t place) {
    for (std::size_t i = axes.size(); i-- > 0; batch_stride *= axes[i]) {
      const auto at = static_cast<std::ptrdiff_t>(place);
      box.extents.insert(box.extents.begin() + at, axes[i]);
      box.offsets.insert(box.offsets.begin() + at, 0);
      box.strides.insert(box.strides.begin() + at, batch_stride);
    }
  };
  add(fft.before, 0);
  add(fft.after, dimension_count);
  return box;
}

void free_plan(Fft& fft) {
  const py::gil_scoped_release others_run;
  check_status(cubefold_fft_free(&fft.plan));
}

struct Arguments {
  std::optional<std::vector<int>> axes;
  std::string norm;
  std::string decomposition;
  std::array<int, 2> process_grid;
  bool transposed_output;
  std::size_t batch;
  int threads;
  std::vector<std::string> line_transforms;
  py::object input_box;
  py::object output_box;
};

/// Returns the slices of an array's axes as the extents and then the offsets of the axes that are transformed. Other
/// axes have to be whole. `lengths` are those of the transformed axes. Throws std::invalid_argument for others.
std::vector<std::size_t> box_of_slices(const char* name, const Fft& fft, const py::object& slices,
                                       const std::vector<std::size_t>& lengths) {
  std::vector<std::size_t> all = fft.before;
  all.insert(all.end(), lengths.begin(), lengths.end());
  all.insert(all.end(), fft.after.begin(), fft.after.end());
  const auto refuse = [&] {
    throw std::invalid_argument(
        fmt::format("{} is no tuple of {} slices with steps of 1 that take batches whole", name, all.size()));
  };
  if (!py::isinstance<py::tuple>(slices) || py::len(slices) != all.size()) refuse();
  std::vector<std::size_t> extents;
  std::vector<std::size_t> offsets;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const py::object each = slices.cast<py::tuple>()[i];
    py::ssize_t start = 0;
    py::ssize_t stop = 0;
    py::ssize_t step = 0;
    py::ssize_t count = 0;
    if (!py::isinstance<py::slice>(each) ||
        !each.cast<py::slice>().compute(static_cast<py::ssize_t>(all[i]), &start, &stop, &step, &count) ||
        step != 1)
      refuse();
    const bool is_transformed = i >= fft.before.size() && i < fft.before.size() + lengths.size();
    if (!is_transformed && static_cast<std::size_t>(count) != all[i]) refuse();
    if (!is_transformed) continue;
    extents.push_back(static_cast<std::size_t>(count));
    offsets.push_back(static_cast<std::size_t>(start));
  }
  extents.insert(extents.end(), offsets.begin(), offsets.end());
  return extents;
}

/// Stores the boxes of the points and of the spectrum. The transforms of the axes have to be stored before.
void set_boxes(Fft& fft, const Arguments& given) {
  std::vector<std::size_t> spectrum = fft.lengths;
  if (fft.numbers.kind == CUBEFOLD_FFT_REAL && fft.numbers.spectrum != fft.numbers.points)
    spectrum.back() = spectrum.back() / 2 + 1;
  if (!given.input_box.is_none()) {
    fft.input_box = box_of_slices("input_box", fft, given.input_box, fft.lengths);
    fft.options.input_box = fft.input_box.data();
  }
  if (!given.output_box.is_none()) {
    fft.output_box = box_of_slices("output_box", fft, given.output_box, spectrum);
    fft.options.output_box = fft.output_box.data();
  }
}

/// Stores the transforms of the axes. Real numbers stay real if the last axis has sines or cosines.
void set_line_transforms(Fft& fft, const std::vector<std::string>& names) {
  constexpr std::array<const char*, 9> known{"fourier", "redft00", "redft01", "redft10", "redft11",
                                             "rodft00", "rodft01", "rodft10", "rodft11"};
  if (names.empty()) return;
  if (names.size() != fft.lengths.size()) {
    throw std::invalid_argument(
        fmt::format("{} line_transforms for {} axes", names.size(), fft.lengths.size()));
  }
  for (const std::string& name : names)
    fft.line_transforms.push_back(number_of("line transform", name, known));
  fft.options.line_transforms = fft.line_transforms.data();
  if (fft.line_transforms.back() != CUBEFOLD_FFT_FOURIER) fft.numbers.spectrum = fft.numbers.points;
}

void set_options(Fft& fft, const std::vector<py::ssize_t>& shape, const py::object& dtype,
                 const Arguments& given) {
  constexpr std::array<const char*, 3> decompositions{"automatic", "slab", "pencil"};
  fft.numbers = numbers_of(dtype);
  std::vector<std::size_t> extents = lengths_of(shape);
  std::optional<std::vector<int>> axes = given.axes;
  if (given.batch != 1) {
    if (axes) throw std::invalid_argument("batch and axes exclude each other");
    axes.emplace();
    for (std::size_t i = 0; i < extents.size(); ++i) axes->push_back(static_cast<int>(i) + 1);
    extents.insert(extents.begin(), given.batch);
  }
  set_axes(fft, extents, axes);
  set_norm(fft.options, given.norm);
  fft.options.kind = fft.numbers.kind;
  fft.options.precision = fft.numbers.precision;
  fft.options.decomposition = number_of("decomposition", given.decomposition, decompositions);
  fft.options.process_grid[0] = given.process_grid[0];
  fft.options.process_grid[1] = given.process_grid[1];
  fft.options.transposed_output = given.transposed_output ? 1 : 0;
  fft.options.threads = given.threads;
  fft.options.both_directions = 1;
  set_line_transforms(fft, given.line_transforms);
  set_boxes(fft, given);
}

std::unique_ptr<Fft> made(const py::object& comm, const std::vector<py::ssize_t>& shape,
                          const py::object& dtype, const std::optional<std::vector<int>>& axes,
                          const std::string& norm, const std::string& decomposition,
                          const std::array<int, 2>& process_grid, bool transposed_output, std::size_t batch,
                          int threads, const std::vector<std::string>& line_transforms,
                          const py::object& input_box, const py::object& output_box) {
  auto fft = std::make_unique<Fft>();
  fft->comm = comm;
  if (!py::isinstance<CommHandle>(comm)) throw py::type_error("FFT: the communicator is no cubefold.Comm");
  try_on_all(*fft, "cubefold_fft_create", [&] {
    set_options(*fft, shape, dtype,
                {axes, norm, decomposition, process_grid, transposed_output, batch, threads, line_transforms,
                 input_box, output_box});
  });
  {
    cubefold_comm handle = comm_of(*fft);
    const py::gil_scoped_release others_run;
    check_status(cubefold_fft_create(handle, static_cast<int>(fft->lengths.size()), fft->lengths.data(),
                                     &fft->options, &fft->plan));
  }
  try {
    fft->points = box_of(*fft, CUBEFOLD_FFT_INPUT);
    fft->spectrum = box_of(*fft, CUBEFOLD_FFT_OUTPUT);
  } catch (...) {
    free_plan(*fft);
    throw;
  }
  return fft;
}

std::string tuple_text(const std::vector<std::size_t>& extents) {
  return py::str(py::tuple(py::cast(extents))).cast<std::string>();
}

/// Returns the object as an array, with its strides. Throws std::invalid_argument unless it has this dtype and the
/// box's shape.
py::array checked(const py::object& given, const char* dtype, const Box& box) {
  py::array array = py::array::ensure(given);
  if (!array || !array.dtype().equal(py::dtype(dtype))) {
    const auto type = array ? py::str(array.dtype()).cast<std::string>() : "no array";
    throw std::invalid_argument(fmt::format("the array is {}, this plan takes {}", type, dtype));
  }
  const std::vector<std::size_t> shape(array.shape(), array.shape() + array.ndim());
  if (shape != box.extents) {
    throw std::invalid_argument(
        fmt::format("the array has the shape {}, not {}", tuple_text(shape), tuple_text(box.extents)));
  }
  return array;
}

/// Returns whether the array lies in memory as the plan needs it.
bool is_in_order(const py::array& array, const Box& box) {
  if (static_cast<std::size_t>(array.size()) != box.place_count) return false;
  for (std::size_t i = 0; i < box.extents.size(); ++i) {
    const auto stride = static_cast<py::ssize_t>(box.strides[i]) * array.itemsize();
    if (box.extents[i] > 1 && array.size() > 0 && array.strides(static_cast<py::ssize_t>(i)) != stride)
      return false;
  }
  return true;
}

/// Returns new memory for all places of a box, as zeros.
py::array new_places(const char* dtype, const Box& box) {
  py::array places(py::dtype(dtype), box.place_count);
  std::memset(places.mutable_data(), 0, static_cast<std::size_t>(places.nbytes()));
  return places;
}

/// Returns the points of a box in memory for all its places.
py::array points_in(const py::array& places, const Box& box) {
  std::vector<py::ssize_t> strides;
  for (const std::size_t stride : box.strides)
    strides.push_back(static_cast<py::ssize_t>(stride) * places.itemsize());
  return {places.dtype(), box.extents, strides, places.data(), places};
}

void copy_to(const py::array& to, const py::array& from) {
  py::module_::import("numpy").attr("copyto")(to, from);
}

/// The type of the points at an end of a transform, and where they are.
struct End {
  const char* dtype;
  const Box& box;
};

void run(cubefold_fft plan, int transform, const void* input, void* output) {
  const py::gil_scoped_release others_run;
  check_status(cubefold_fft_execute_direction(plan, transform, input, output));
}

py::array execute(const Fft& fft, int transform, const py::object& given, const py::object& out, End from,
                  End to) {
  py::array input;
  py::array output;
  py::array result;
  try_on_all(fft, "cubefold_fft_execute_direction", [&] {
    if (fft.plan == nullptr) throw std::invalid_argument("the cubefold_fft is NULL");
    input = checked(given, from.dtype, from.box);
    if (!is_in_order(input, from.box)) {
      const py::array places = new_places(from.dtype, from.box);
      copy_to(points_in(places, from.box), input);
      input = places;
    }
    if (!out.is_none()) {
      if (!py::isinstance<py::array>(out)) throw std::invalid_argument("out is no array");
      result = checked(out, to.dtype, to.box);
      if (!result.writeable()) throw std::invalid_argument("out cannot be written to");
    }
    output = !out.is_none() && is_in_order(result, to.box) ? result : new_places(to.dtype, to.box);
  });
  run(fft.plan, transform, input.data(), output.mutable_data());
  if (out.is_none()) return points_in(output, to.box);
  if (!output.is(result)) copy_to(result, points_in(output, to.box));
  return result;
}

py::array forward(const Fft& fft, const py::object& array, const py::object& out) {
  return execute(fft, CUBEFOLD_FFT_FORWARD, array, out, {fft.numbers.points, fft.points},
                 {fft.numbers.spectrum, fft.spectrum});
}

py::array backward(const Fft& fft, const py::object& array, const py::object& out) {
  return execute(fft, CUBEFOLD_FFT_INVERSE, array, out, {fft.numbers.spectrum, fft.spectrum},
                 {fft.numbers.points, fft.points});
}

const Box& box_at(const Fft& fft, bool forward_output) {
  return forward_output ? fft.spectrum : fft.points;
}

py::tuple local_slice(const Fft& fft, bool forward_output) {
  const Box& box = box_at(fft, forward_output);
  py::list slices;
  for (std::size_t i = 0; i < box.extents.size(); ++i) {
    const auto first = static_cast<py::ssize_t>(box.offsets[i]);
    slices.append(py::slice(first, first + static_cast<py::ssize_t>(box.extents[i]), 1));
  }
  return slices;
}

py::tuple local_shape(const Fft& fft, bool forward_output) {
  return py::cast(box_at(fft, forward_output).extents);
}

std::string explain(const Fft& fft) {
  const char* text = "";
  check_status(cubefold_fft_explain(fft.plan, &text));
  return text;
}

}  // namespace

}  // namespace cubefold::python

PYBIND11_MODULE(_fft, module) {
  using namespace cubefold::python;  // NOLINT(google-build-using-namespace): all of this function is about it
  py::module_::import("cubefold._mpi");
  py::class_<Fft>(module, "FFT",
                  "A Fourier transform of an array that is distributed over the ranks of a Comm.")
      .def(py::init(&made), py::arg("comm"), py::arg("shape"), py::arg("dtype") = "complex128",
           py::arg("axes") = py::none(), py::arg("norm") = "backward", py::arg("decomposition") = "automatic",
           py::arg("process_grid") = std::array<int, 2>{}, py::arg("transposed_output") = false,
           py::arg("batch") = 1, py::arg("threads") = 1,
           py::arg("line_transforms") = std::vector<std::string>{}, py::arg("input_box") = py::none(),
           py::arg("output_box") = py::none(),
           "Plans transforms of an array. The dtype is that of the points before forward(): with\n"
           "float32 and float64 the spectrum is the half that numpy.fft.rfftn computes. The axes that\n"
           "are transformed are the first or the last ones; norm is that of numpy.fft. With a batch\n"
           "above 1, arrays have one axis more in front. input_box and output_box are the slices of the\n"
           "points and of the spectrum that this process has, instead of those that the plan gives it;\n"
           "together they have every point once. cubefold_fft.h describes the other options.\n"
           "All processes must call all methods but shape(), local_slice() and explain().")
      .def("forward", &forward, py::arg("array"), py::arg("out") = py::none(),
           "Returns this process's part of numpy.fft.fftn or rfftn, in `out` if that is an array.")
      .def("backward", &backward, py::arg("array"), py::arg("out") = py::none(),
           "Returns this process's part of numpy.fft.ifftn or irfftn, in `out` if that is an array.")
      .def("local_slice", &local_slice, py::arg("forward_output") = true,
           "Returns the slices of the whole spectrum that this process has, or of the points.")
      .def("shape", &local_shape, py::arg("forward_output") = true,
           "Returns the shape of this process's part of the spectrum, or of the points.")
      .def("explain", &explain, "Returns the stages of both directions and their predicted times.")
      .def("free", &free_plan, "Frees the plan.")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](Fft& fft, const py::args&) { free_plan(fft); });
}
