/* This program fits the parameters of a model to measurements that are spread over all processes, as data-parallel
 * training does: in each step every process computes the gradient for its own measurements, and all gradients are
 * averaged by an allreduce of the whole vector. The program compares MPI_Allreduce with cubefold_allreduce.
 *
 *     CUBEFOLD_GRID=torus:4x2 mpirun -n 8 gradient [PARAMETERS [STEPS]] */
#include <cubefold/cubefold.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: gradient [PARAMETERS [STEPS]]\n"
    "\n"
    "Finds a signal of PARAMETERS (65536) values by STEPS (100) steps of gradient descent. Each process\n"
    "has measured the signal with another blur. Prints the error and the time of a step.\n"
    "\n"
    "Examples:\n"
    "  mpirun -n 4 gradient\n"
    "  CUBEFOLD_GRID=torus:4x4 mpirun -n 16 gradient 32768 50\n";

enum { most_parameters = 1 << 26, most_steps = 100000, round_count = 3 };
static const double descent = 0.7;

/* Averages a vector over all processes, in place. */
typedef void (*average_function)(double* values, int count, cubefold_comm comm);

/* The measurements of a process: m[i] = w[i] + blur * w[i + 1] for a signal w that wraps around. */
struct measurements {
  double* values;
  double blur;
  int count;
};

static int process(void) {
  int own = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  return own;
}

static int process_count(void) {
  int count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

/* Prints the text and ends the program. The error is the same on all processes. */
static void refuse(const char* text) {
  if (process() == 0) fprintf(stderr, "gradient: %s\n", text);
  MPI_Finalize();
  exit(2); /* NOLINT(concurrency-mt-unsafe): there are no threads */
}

static void must(int status) {
  if (status != CUBEFOLD_SUCCESS) refuse(cubefold_last_error());
}

static double* zeros(int count) {
  double* values = calloc((size_t)count, sizeof *values);
  if (values == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  return values;
}

static double signal_at(int i, int count) {
  return sin(0.37 * i) + 0.5 * cos(6.283185307179586 * i / count);
}

static struct measurements measure(int count) {
  struct measurements own = {zeros(count), 0.1 + 0.4 * process() / process_count(), count};
  for (int i = 0; i < count; ++i)
    own.values[i] = signal_at(i, count) + own.blur * signal_at((i + 1) % count, count);
  return own;
}

/* Computes the gradient of half the sum of squared residuals of the own measurements. */
static void compute_gradient(const struct measurements* own, const double* signal, double* gradient) {
  memset(gradient, 0, (size_t)own->count * sizeof *gradient);
  for (int i = 0; i < own->count; ++i) {
    const int next = i + 1 == own->count ? 0 : i + 1;
    const double residual = signal[i] + own->blur * signal[next] - own->values[i];
    gradient[i] += residual;
    gradient[next] += own->blur * residual;
  }
}

static void average_by_mpi(double* values, int count, cubefold_comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, cubefold_comm_virtual(comm));
  for (int i = 0; i < count; ++i) values[i] /= process_count();
}

static void average_by_cubefold(double* values, int count, cubefold_comm comm) {
  must(cubefold_allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, comm));
  for (int i = 0; i < count; ++i) values[i] /= process_count();
}

/* Finds the signal from zeros. Returns the seconds of a step. All processes must call this. */
static double fit(const struct measurements* own, double* signal, int step_count, average_function average,
                  cubefold_comm comm) {
  double* gradient = zeros(own->count);
  memset(signal, 0, (size_t)own->count * sizeof *signal);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int step = 0; step < step_count; ++step) {
    compute_gradient(own, signal, gradient);
    average(gradient, own->count, comm);
    for (int i = 0; i < own->count; ++i) signal[i] -= descent * gradient[i];
  }
  MPI_Barrier(MPI_COMM_WORLD);
  free(gradient);
  return (MPI_Wtime() - begin) / step_count;
}

static double error_of(const double* signal, int count) {
  double worst = 0;
  for (int i = 0; i < count; ++i) worst = fmax(worst, fabs(signal[i] - signal_at(i, count)));
  return worst;
}

/* Returns whether all processes have the same bits. All processes must call this. */
static int is_equal_everywhere(const double* signal, int count) {
  double* first = zeros(count);
  memcpy(first, signal, (size_t)count * sizeof *first);
  MPI_Bcast(first, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  int is_equal = memcmp(first, signal, (size_t)count * sizeof *first) == 0;
  MPI_Allreduce(MPI_IN_PLACE, &is_equal, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  free(first);
  return is_equal;
}

/* Returns the exit status: 0 if the signal is found, 1 if it is not. */
static int compare(cubefold_comm comm, int count, int step_count) {
  const struct measurements own = measure(count);
  double* signal = zeros(count);
  double by_mpi = 0;
  double by_cubefold = 0;
  for (int round = 0; round <= round_count; ++round) {
    if (round == 1) by_mpi = by_cubefold = 0; /* the first round has opened connections */
    by_mpi += fit(&own, signal, step_count, average_by_mpi, comm);
    by_cubefold += fit(&own, signal, step_count, average_by_cubefold, comm);
  }
  /* Each step divides the error by 1.2 at least, until it is that of rounding. */
  const double error = error_of(signal, count);
  const int is_right = error < fmax(2 * pow(1.2, -step_count), 1e-13) && is_equal_everywhere(signal, count);
  if (process() == 0) {
    const double milliseconds = 1e3 / round_count;
    printf("%d parameters, %d steps, error %.0e, the same bits everywhere: %s\n", count, step_count, error,
           is_right ? "right" : "WRONG");
    printf("MPI_Allreduce %.3f ms a step, cubefold_allreduce %.3f ms: %.2f times as fast\n",
           by_mpi * milliseconds, by_cubefold * milliseconds, by_mpi / by_cubefold);
  }
  free(signal);
  free(own.values);
  return is_right ? 0 : 1;
}

static int parse_number(const char* text, int most) {
  char* end = NULL;
  const long number = strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || number < 1 || number > most) {
    char reason[120];
    snprintf(reason, sizeof reason, "'%.40s' is no number from 1 to %d (see --help)", text, most);
    refuse(reason);
  }
  return (int)number;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1 && strcmp(argv[1], "--help") == 0) {
    if (process() == 0) fputs(help, stdout);
    MPI_Finalize();
    return 0;
  }
  if (argc > 3) refuse("there are two arguments at most (see --help)");
  const int count = argc > 1 ? parse_number(argv[1], most_parameters) : 1 << 16;
  const int step_count = argc > 2 ? parse_number(argv[2], most_steps) : 100;
  cubefold_comm comm = NULL;
  must(cubefold_comm_create(MPI_COMM_WORLD, NULL, NULL, &comm));
  const int status = compare(comm, count, step_count);
  must(cubefold_comm_free(&comm));
  MPI_Finalize();
  return status;
}
