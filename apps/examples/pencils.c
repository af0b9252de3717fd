/* This program transforms an array of n^3 points that is cut into pencils, in plain MPI. Processes that exchange points
 * are on one line of the torus, along axis 0 in the first exchange and along axis 1 in the second one. The lines are
 * communicators, which MPI_Comm_split_type makes in a program that runs with the preloaded library, and
 * cubefold_comm_split where MPI 4 or the library is missing.
 *
 *     CUBEFOLD_GRID=torus:2x2 mpirun -n 4 pencils [POINTS] */
#include <complex.h>
#include <cubefold/cubefold.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: pencils [POINTS]\n"
    "\n"
    "Transforms POINTS (16) x POINTS x POINTS points along all three axes on a torus of two axes, of which\n"
    "each extent has to divide POINTS. Prints the largest error of the transform of a wave.\n"
    "\n"
    "Examples:\n"
    "  CUBEFOLD_GRID=torus:2x2 mpirun -n 4 pencils\n"
    "  CUBEFOLD_GRID=torus:4x4 mpirun -n 16 pencils 64\n";

typedef double complex point;

static int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

static int size_of(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

static void must(int status) {
  if (status == CUBEFOLD_SUCCESS) return;
  if (rank_in(MPI_COMM_WORLD) == 0) fprintf(stderr, "pencils: %s\n", cubefold_last_error());
  MPI_Finalize();
  exit(2); /* NOLINT(concurrency-mt-unsafe): there are no threads */
}

/* Transforms `count` lines of n points each by the definition of the discrete transform. */
static void transform_lines(int n, int count, point* lines, point* line) {
  const double step = -8 * atan(1.0) / n;
  for (int l = 0; l < count; ++l, lines += n) {
    for (int k = 0; k < n; ++k) {
      line[k] = 0;
      for (int j = 0; j < n; ++j) line[k] += lines[j] * cexp(I * step * (j * k % n));
    }
    for (int k = 0; k < n; ++k) lines[k] = line[k];
  }
}

/* Takes points [b][c][n], of whose axis of n = p b points the p processes of a line have b each, to [c][b][n]: the axis
 * that was cut is whole, and the one that was whole is cut. */
static void turn(int n, int c, point* points, point* other, MPI_Comm line) {
  const int p = size_of(line);
  const int b = n / p;
  const int size = b * b * c; /* points for each process */
  for (int at = 0; at < p * size; ++at) {
    const int j = at % b;
    const int i = at / b % c;
    other[at] = points[(j * c + i) * n + at / (b * c)];
  }
  MPI_Alltoall(other, size, MPI_C_DOUBLE_COMPLEX, points, size, MPI_C_DOUBLE_COMPLEX, line);
  for (int at = 0; at < p * size; ++at) {
    const int j = at % b;
    const int i = at / b % c;
    const int k = at / (b * c) % b;
    other[(i * b + k) * n + at / size * b + j] = points[at];
  }
  memcpy(points, other, (size_t)(b * c * n) * sizeof *points);
}

/* Makes the communicator of the own line along an axis of the torus, in the order of the keys. *function becomes the
 * name of the function that has made it. */
static MPI_Comm line_along(const char* axis, int key, cubefold_comm torus, const char** function) {
  MPI_Comm line = MPI_COMM_NULL;
#if MPI_VERSION >= 4
  char resource[32];
  MPI_Info info;
  MPI_Info_create(&info);
  snprintf(resource, sizeof resource, "cubefold://%s", axis);
  MPI_Info_set(info, "mpi_hw_resource_type", resource);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, key, info, &line);
  MPI_Info_free(&info);
  *function = "MPI_Comm_split_type";
  if (line != MPI_COMM_NULL) return line;
#endif
  (void)key; /* ranks are coordinates */
  *function = "cubefold_comm_split";
  must(cubefold_comm_split(torus, axis, &line));
  return line;
}

/* Returns a number that processes of one line have in common, and others have not. */
static int number_of(MPI_Comm line) {
  int lowest = rank_in(MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, line);
  return lowest;
}

/* Transforms x[n / rows][n / columns][n] to [n / rows][n / columns][n] with the axes in the order z, x, y. */
static void transform(int n, point* x, point* other, MPI_Comm row, MPI_Comm column) {
  const int count = n / size_of(row) * (n / size_of(column));
  transform_lines(n, count, x, other);
  turn(n, n / size_of(column), x, other, row);
  transform_lines(n, count, x, other);
  turn(n, n / size_of(row), x, other, column);
  transform_lines(n, count, x, other);
}

static point* new_points(int count) {
  point* points = calloc((size_t)count, sizeof *points);
  if (points != NULL) return points;
  MPI_Abort(MPI_COMM_WORLD, 2);
  exit(2); /* NOLINT(concurrency-mt-unsafe): there are no threads */
}

/* Returns the largest error of the transform of the wave whose one coefficient is at (1, 2, 3). */
static double error_of_wave(int n, MPI_Comm row, MPI_Comm column) {
  const int b = n / size_of(row);
  const int c = n / size_of(column);
  const int first = b * rank_in(row);
  const int second = c * rank_in(column);
  const double step = 8 * atan(1.0) / n;
  double error = 0;
  point* x = new_points(b * c * n);
  point* other = new_points(b * c * n);
  for (int at = 0; at < b * c * n; ++at) {
    const int i = first + at / (c * n);
    const int j = second + at / n % c;
    x[at] = cexp(I * step * (i + 2 * j + 3 * (at % n)));
  }
  transform(n, x, other, row, column);
  for (int i = 0; i < b; ++i) {
    for (int j = 0; j < c; ++j) {
      for (int k = 0; k < n; ++k) {
        const int is_coefficient = first + i == 3 && second + j == 1 && k == 2;
        const double wrong = cabs(x[(i * c + j) * n + k] / pow(n, 3) - is_coefficient);
        if (wrong > error) error = wrong;
      }
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  free(x);
  free(other);
  return error;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(help, stdout) < 0;
  cubefold_comm torus = NULL;
  const char* function = NULL;
  MPI_Init(&argc, &argv);
  const int n = argc > 1 ? atoi(argv[1]) : 16; /* NOLINT(cert-err34-c): 0 is refused below */
  must(cubefold_comm_create(MPI_COMM_WORLD, NULL, NULL, &torus));
  MPI_Comm column = line_along("axis/1", 0, torus, &function);
  MPI_Comm row = line_along("axis/0", number_of(column), torus, &function);
  MPI_Comm_free(&column);
  column = line_along("axis/1", number_of(row), torus, &function);
  const int fits = n > 3 && n <= 1024 && n % size_of(row) == 0 && n % size_of(column) == 0;
  const int is_plane = size_of(row) * size_of(column) == size_of(MPI_COMM_WORLD);
  const double error = fits && is_plane ? error_of_wave(n, row, column) : 1;
  if (rank_in(MPI_COMM_WORLD) == 0) {
    if (fits && is_plane) {
      printf("%d x %d processes, lines by %s, largest error %.1e\n", size_of(row), size_of(column), function,
             error);
    } else {
      fprintf(stderr, "pencils: POINTS is not from 4 to 1024, or %d x %d processes do not divide it\n",
              size_of(row), size_of(column));
    }
  }
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  cubefold_comm_free(&torus);
  MPI_Finalize();
  return error < 1e-10 ? 0 : 2;
}
