#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
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

/// The part of an array that a process has: `extents` points from `offsets` on in each dimension. The plan needs
/// memory for `place_count` points: padding follows the points of a half spectrum in one dimension.
struct Box {
  std::vector<std::size_t> extents;
  std::vector<std::size_t> offsets;
  std::size_t place_count = 0;
};

/// The plans of both directions over the processes of a Comm, which it keeps alive.
struct Fft {
  py::object comm;
  Numbers numbers{};
  std::vector<std::size_t> shape;
  cubefold_fft forward = nullptr;
  cubefold_fft backward = nullptr;
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
    const MPI_Comm comm = mpi::valid(comm_of(fft)).virtual_comm();
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

void plan(const Fft& fft, int transform, cubefold_fft& made) {
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  options.transform = transform;
  options.kind = fft.numbers.kind;
  options.precision = fft.numbers.precision;
  cubefold_comm comm = comm_of(fft);
  const py::gil_scoped_release others_run;
  check_status(
      cubefold_fft_create(comm, static_cast<int>(fft.shape.size()), fft.shape.data(), &options, &made));
}

Box box_of(const Fft& fft, int end) {
  Box box{fft.shape, fft.shape};
  check_status(cubefold_fft_local_box(fft.forward, end, box.extents.data(), box.offsets.data()));
  check_status(cubefold_fft_local_count(fft.forward, end, &box.place_count));
  return box;
}

void free_plans(Fft& fft) {
  const py::gil_scoped_release others_run;
  const int first = cubefold_fft_free(&fft.forward);
  const int second = cubefold_fft_free(&fft.backward);
  check_status(first);
  check_status(second);
}

std::unique_ptr<Fft> made(const py::object& comm, const std::vector<py::ssize_t>& shape,
                          const py::object& dtype) {
  auto fft = std::make_unique<Fft>();
  fft->comm = comm;
  if (!py::isinstance<CommHandle>(comm)) throw py::type_error("FFT: the communicator is no cubefold.Comm");
  try_on_all(*fft, "cubefold_fft_create", [&] {
    fft->numbers = numbers_of(dtype);
    fft->shape = lengths_of(shape);
  });
  plan(*fft, CUBEFOLD_FFT_FORWARD, fft->forward);
  try {
    plan(*fft, CUBEFOLD_FFT_INVERSE, fft->backward);
    fft->points = box_of(*fft, CUBEFOLD_FFT_INPUT);
    fft->spectrum = box_of(*fft, CUBEFOLD_FFT_OUTPUT);
  } catch (...) {
    free_plans(*fft);
    throw;
  }
  return fft;
}

std::string tuple_text(const std::vector<std::size_t>& extents) {
  return py::str(py::tuple(py::cast(extents))).cast<std::string>();
}

/// Returns the array as contiguous memory. Throws std::invalid_argument unless it has this dtype and the box's shape.
py::array checked(const py::object& given, const char* dtype, const Box& box) {
  const py::array array = py::array::ensure(given, py::array::c_style);
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

/// Returns memory for all places of a box, which begins with the points of `array`, or `array` itself if it is that.
py::array with_padding(const py::array& array, const Box& box) {
  if (static_cast<std::size_t>(array.size()) == box.place_count) return array;
  py::array padded(array.dtype(), box.place_count);
  auto* bytes = static_cast<char*>(padded.mutable_data());
  std::memset(bytes, 0, static_cast<std::size_t>(padded.nbytes()));
  std::memcpy(bytes, array.data(), static_cast<std::size_t>(array.nbytes()));
  return padded;
}

/// Returns an array of the box's shape that begins at the first place.
py::array without_padding(const py::array& places, const Box& box) {
  return {places.dtype(), box.extents, places.data(), places};
}

/// The type of the points at an end of a transform, and where they are.
struct End {
  const char* dtype;
  const Box& box;
};

void run(cubefold_fft plan, const void* input, void* output) {
  const py::gil_scoped_release others_run;
  check_status(cubefold_fft_execute(plan, input, output));
}

py::array execute(const Fft& fft, cubefold_fft plan, const py::object& given, End from, End to) {
  py::array input;
  py::array output;
  try_on_all(fft, "cubefold_fft_execute", [&] {
    if (plan == nullptr) throw std::invalid_argument("the cubefold_fft is NULL");
    input = with_padding(checked(given, from.dtype, from.box), from.box);
    output = py::array(py::dtype(to.dtype), to.box.place_count);
  });
  run(plan, input.data(), output.mutable_data());
  return without_padding(output, to.box);
}

py::array forward(const Fft& fft, const py::object& array) {
  return execute(fft, fft.forward, array, {fft.numbers.points, fft.points},
                 {fft.numbers.spectrum, fft.spectrum});
}

py::array backward(const Fft& fft, const py::object& array) {
  return execute(fft, fft.backward, array, {fft.numbers.spectrum, fft.spectrum},
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
  return py::tuple(slices);
}

py::tuple local_shape(const Fft& fft, bool forward_output) {
  return py::tuple(py::cast(box_at(fft, forward_output).extents));
}

std::string explain(const Fft& fft) {
  const char* text = "";
  check_status(cubefold_fft_explain(fft.forward, &text));
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
           "Plans transforms of an array of 1 to 3 dimensions. The dtype is that of the points before "
           "forward(): with\n"
           "float32 and float64 the spectrum is the half that numpy.fft.rfftn computes. All processes must "
           "call all\n"
           "methods but shape(), local_slice() and explain().")
      .def("forward", &forward, py::arg("array"), "Returns this process's part of numpy.fft.fftn or rfftn.")
      .def("backward", &backward, py::arg("array"),
           "Returns this process's part of numpy.fft.ifftn or irfftn.")
      .def("local_slice", &local_slice, py::arg("forward_output") = true,
           "Returns the slices of the whole spectrum that this process has, or of the points.")
      .def("shape", &local_shape, py::arg("forward_output") = true,
           "Returns the shape of this process's part of the spectrum, or of the points.")
      .def("explain", &explain, "Returns the stages of forward() and their predicted times.")
      .def("free", &free_plans, "Frees the plans.")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](Fft& fft, const py::args&) { free_plans(fft); });
}
