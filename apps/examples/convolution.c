/* This program convolves a signal with a kernel. The product of their spectra is the spectrum of the convolution, in
 * any order of the frequencies. Between the transforms of points in block order the spectrum is scrambled, so each
 * transform saves an exchange. Each transform of points in cyclic order takes one exchange.
 *
 *     CUBEFOLD_GRID=torus:4x2 mpirun -n 8 convolution [POINTS [block|cyclic]] */
#include <complex.h>
#include <cubefold/cubefold_fft.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: convolution [POINTS [block|cyclic]]\n"
    "\n"
    "Smooths a signal of POINTS (2^20) random numbers with a kernel of 65 taps, by three transforms.\n"
    "The signal is distributed over all processes, in blocks or cyclically. Prints the difference of\n"
    "samples from their definition.\n"
    "\n"
    "Examples:\n"
    "  mpirun -n 4 convolution\n"
    "  CUBEFOLD_GRID=torus:4x4 mpirun -n 16 convolution 65536 cyclic\n"
    "  mpirun -n 3 convolution 10007       # a prime\n";

enum { reach = 32 }; /* the kernel has points from -reach to reach */

static int process(void) {
  int own = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  return own;
}

/* Prints the text and ends the program. The error is the same on all processes. */
static void refuse(const char* text) {
  if (process() == 0) fprintf(stderr, "convolution: %s\n", text);
  MPI_Finalize();
  exit(2); /* NOLINT(concurrency-mt-unsafe): there are no threads */
}

static void must(int status) {
  if (status != CUBEFOLD_SUCCESS) refuse(cubefold_last_error());
}

/* Returns point j of the signal. It is a random number in [-0.5, 0.5) that is the same on every process. */
static double signal_at(size_t j) {
  uint64_t bits = (j + 1) * UINT64_C(0x9e3779b97f4a7c15);
  bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
  return (double)((bits ^ bits >> 31) >> 11) * 0x1p-53 - 0.5;
}

static double tap(int offset) {
  return exp(-offset * offset / 128.0) / 20.05;
}

/* Returns the point that is offset steps from j in a circle of n points. */
static size_t in_circle(size_t j, int offset, size_t n) {
  return offset >= 0 ? (j + (size_t)offset % n) % n : (j + n - (size_t)-offset % n) % n;
}

static double kernel_at(size_t j, size_t n) {
  double sum = 0;
  if (j > reach && n - j > reach) return 0;
  for (int offset = -reach; offset <= reach; ++offset) sum += in_circle(0, offset, n) == j ? tap(offset) : 0;
  return sum;
}

/* Returns point j of the convolution, computed by its definition. */
static double expected_at(size_t j, size_t n) {
  double sum = 0;
  for (int offset = -reach; offset <= reach; ++offset)
    sum += tap(offset) * signal_at(in_circle(j, -offset, n));
  return sum;
}

static cubefold_fft make_plan(cubefold_comm comm, size_t n, int transform, int input, int output) {
  cubefold_fft plan = NULL;
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  options.transform = transform;
  options.input = input;
  options.output = output;
  must(cubefold_fft_create(comm, 1, &n, &options, &plan));
  return plan;
}

static double complex* numbers_at(cubefold_fft plan, int end, size_t* count) {
  must(cubefold_fft_local_count(plan, end, count));
  double complex* numbers = calloc(*count + 1, sizeof *numbers);
  if (numbers == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  return numbers;
}

/* Returns whether a place of this process has a point of the signal. Some places are padding for some lengths. */
static int has_point(cubefold_fft plan, size_t place, size_t* point) {
  must(cubefold_fft_point_at(plan, CUBEFOLD_FFT_INPUT, place, point));
  return *point != CUBEFOLD_FFT_NO_POINT;
}

/* Returns the largest difference at 1000 places of each process. All processes must call this. */
static double worst_difference(cubefold_fft plan, const double complex* found, size_t count, size_t n) {
  double worst = 0;
  size_t point = 0;
  for (size_t place = 0; place < count; place += count / 1000 + 1)
    if (has_point(plan, place, &point)) worst = fmax(worst, cabs(found[place] - expected_at(point, n)));
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return worst;
}

/* Returns the exit status: 0 if the result is right, 1 if it is wrong. */
static int convolve(cubefold_comm comm, size_t n, int order) {
  const int between = order == CUBEFOLD_FFT_BLOCK ? CUBEFOLD_FFT_SCRAMBLED : CUBEFOLD_FFT_CYCLIC;
  cubefold_fft there = make_plan(comm, n, CUBEFOLD_FFT_FORWARD, order, between);
  cubefold_fft back = make_plan(comm, n, CUBEFOLD_FFT_INVERSE, between, order);
  size_t count = 0;
  size_t frequency_count = 0;
  double complex* signal = numbers_at(there, CUBEFOLD_FFT_INPUT, &count);
  double complex* kernel = numbers_at(there, CUBEFOLD_FFT_INPUT, &count);
  double complex* spectrum = numbers_at(there, CUBEFOLD_FFT_OUTPUT, &frequency_count);
  double complex* response = numbers_at(there, CUBEFOLD_FFT_OUTPUT, &frequency_count);
  for (size_t place = 0, point = 0; place < count; ++place) {
    if (!has_point(there, place, &point)) continue;
    signal[place] = signal_at(point);
    kernel[place] = kernel_at(point, n);
  }

  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = -MPI_Wtime();
  must(cubefold_fft_execute(there, kernel, response));
  must(cubefold_fft_execute(there, signal, spectrum));
  for (size_t place = 0; place < frequency_count; ++place) spectrum[place] *= response[place];
  must(cubefold_fft_execute(back, spectrum, signal));
  seconds += MPI_Wtime();

  const double worst = worst_difference(there, signal, count, n);
  if (process() == 0) {
    printf("%zu points in %s order in %.3f s: %s\n", n, order == CUBEFOLD_FFT_BLOCK ? "block" : "cyclic",
           seconds, worst < 1e-14 ? "right" : "WRONG");
    printf("samples differ from the sum that defines them by %.1e at most\n", worst);
  }
  free(signal);
  free(kernel);
  free(spectrum);
  free(response);
  must(cubefold_fft_free(&there));
  must(cubefold_fft_free(&back));
  return worst < 1e-14 ? 0 : 1;
}

static size_t parse_count(const char* text) {
  char* end = NULL;
  const unsigned long long count = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || count == 0)
    refuse("POINTS is a positive number (see --help)");
  return (size_t)count;
}

static int parse_order(const char* text) {
  if (strcmp(text, "block") != 0 && strcmp(text, "cyclic") != 0)
    refuse("the order of points is block or cyclic (see --help)");
  return strcmp(text, "block") == 0 ? CUBEFOLD_FFT_BLOCK : CUBEFOLD_FFT_CYCLIC;
}

int main(int argc, char** argv) {
  int status = 0;
  MPI_Init(&argc, &argv);
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    if (process() == 0) fputs(help, stdout);
  } else {
    const size_t point_count = argc > 1 ? parse_count(argv[1]) : (size_t)1 << 20;
    const int order = parse_order(argc > 2 ? argv[2] : "block");
    if (argc > 3) refuse("there are two arguments at most (see --help)");
    cubefold_comm comm = NULL;
    must(cubefold_comm_create(MPI_COMM_WORLD, NULL, "identity", &comm)); /* on the grid of CUBEFOLD_GRID */
    status = convolve(comm, point_count, order);
    must(cubefold_comm_free(&comm));
  }
  MPI_Finalize();
  return status;
}
