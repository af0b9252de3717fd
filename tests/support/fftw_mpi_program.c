/* A program that knows nothing of cubefold. It makes plans by all functions of FFTW MPI for Fourier transforms, runs
 * them, and writes the numbers of each process, one line for each transform, to a file RESULTS.RANK. Other functions of
 * FFTW MPI get the same plans. Arguments: RESULTS, and `measure` for FFTW_MEASURE in place of FFTW_ESTIMATE, or
 * `threads` for threads of FFTW and MPI_THREAD_MULTIPLE. Compiled with SINGLE, it uses numbers of type float. */
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SINGLE
typedef float real;
#define FFTW(name) fftwf_##name
#else
typedef double real;
#define FFTW(name) fftw_##name
#endif

typedef FFTW(complex) complex_number;
typedef FFTW(plan) plan_of_fftw;

enum { most_dimensions = 4 };

typedef enum { in_place = 1, new_arrays = 2, general_form = 4 } ways;

/* An array, and how it is transformed. Without general_form, the function for its number of dimensions is used. */
typedef struct {
  const char* name;
  int rank;
  ptrdiff_t n[most_dimensions];
  ptrdiff_t howmany;
  ptrdiff_t block; /* of the first dimension; 0 is FFTW's default */
  unsigned flags;  /* of the forward transform */
  int ways;
} transform;

static FILE* results;
static unsigned rigor = FFTW_ESTIMATE;

static unsigned flags_back(unsigned flags) {
  unsigned back = 0;
  if (flags & FFTW_MPI_TRANSPOSED_IN) back |= FFTW_MPI_TRANSPOSED_OUT;
  if (flags & FFTW_MPI_TRANSPOSED_OUT) back |= FFTW_MPI_TRANSPOSED_IN;
  if (flags & FFTW_MPI_SCRAMBLED_OUT) back |= FFTW_MPI_SCRAMBLED_IN;
  return back;
}

/* A number that differs from place to place and from process to process. */
static real number(ptrdiff_t place) {
  int process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  return (real)sin(1.0 + (double)place * 0.7 + process * 1.3);
}

static void write_rows(const char* name, const real* numbers, ptrdiff_t rows, ptrdiff_t count,
                       ptrdiff_t places) {
  fprintf(results, "%s", name);
  for (ptrdiff_t row = 0; row < rows; ++row)
    for (ptrdiff_t i = 0; i < count; ++i) fprintf(results, " %.17g", (double)numbers[row * places + i]);
  fprintf(results, "\n");
}

/* The numbers of this process on one side: rows of the last dimension that has howmany numbers for each point. */
typedef struct {
  ptrdiff_t rows;
  ptrdiff_t count;  /* real numbers in a row */
  ptrdiff_t places; /* those with padding */
} side;

static ptrdiff_t product(const ptrdiff_t* n, int begin, int end) {
  ptrdiff_t all = 1;
  for (int d = begin; d < end; ++d) all *= n[d];
  return all;
}

/* Returns a side of a transform of several dimensions, of which this process has `local` of dimension `first`. */
static side side_of(const transform* t, int first, ptrdiff_t local, int is_real, int is_half) {
  ptrdiff_t n[most_dimensions];
  memcpy(n, t->n, sizeof n);
  const ptrdiff_t last = n[t->rank - 1];
  if (is_half) n[t->rank - 1] = last / 2 + 1;
  n[first] = local;
  side made = {product(n, 0, t->rank - 1), 2 * n[t->rank - 1] * t->howmany, 0};
  made.places = made.count;
  if (is_real) {
    made.count = last * t->howmany;
    made.places = 2 * (last / 2 + 1) * t->howmany;
  }
  return made;
}

static real* allocated(ptrdiff_t complex_numbers) {
  real* array = (real*)FFTW(alloc_complex)((size_t)complex_numbers + 1);
  for (ptrdiff_t i = 0; i < 2 * complex_numbers; ++i) array[i] = 0;
  return array;
}

static void fill(real* array, side s) {
  for (ptrdiff_t row = 0; row < s.rows; ++row)
    for (ptrdiff_t i = 0; i < s.count; ++i) array[row * s.places + i] = number(row * s.count + i);
}

static plan_of_fftw plan_complex(const transform* t, int sign, unsigned flags, real* in_numbers,
                                 real* out_numbers) {
  complex_number* in = (complex_number*)in_numbers;
  complex_number* out = (complex_number*)out_numbers;
  const ptrdiff_t* n = t->n;
  if (t->howmany > 1 || t->block)
    return FFTW(mpi_plan_many_dft)(t->rank, n, t->howmany, t->block, t->block, in, out, MPI_COMM_WORLD, sign,
                                   flags);
  if (t->ways & general_form || t->rank > 3)
    return FFTW(mpi_plan_dft)(t->rank, n, in, out, MPI_COMM_WORLD, sign, flags);
  if (t->rank == 1) return FFTW(mpi_plan_dft_1d)(n[0], in, out, MPI_COMM_WORLD, sign, flags);
  if (t->rank == 2) return FFTW(mpi_plan_dft_2d)(n[0], n[1], in, out, MPI_COMM_WORLD, sign, flags);
  return FFTW(mpi_plan_dft_3d)(n[0], n[1], n[2], in, out, MPI_COMM_WORLD, sign, flags);
}

static plan_of_fftw plan_r2c(const transform* t, unsigned flags, real* in, real* out_numbers) {
  complex_number* out = (complex_number*)out_numbers;
  const ptrdiff_t* n = t->n;
  if (t->howmany > 1 || t->block)
    return FFTW(mpi_plan_many_dft_r2c)(t->rank, n, t->howmany, t->block, t->block, in, out, MPI_COMM_WORLD,
                                       flags);
  if (t->ways & general_form || t->rank > 3)
    return FFTW(mpi_plan_dft_r2c)(t->rank, n, in, out, MPI_COMM_WORLD, flags);
  if (t->rank == 2) return FFTW(mpi_plan_dft_r2c_2d)(n[0], n[1], in, out, MPI_COMM_WORLD, flags);
  return FFTW(mpi_plan_dft_r2c_3d)(n[0], n[1], n[2], in, out, MPI_COMM_WORLD, flags);
}

static plan_of_fftw plan_c2r(const transform* t, unsigned flags, real* in_numbers, real* out) {
  complex_number* in = (complex_number*)in_numbers;
  const ptrdiff_t* n = t->n;
  if (t->howmany > 1 || t->block)
    return FFTW(mpi_plan_many_dft_c2r)(t->rank, n, t->howmany, t->block, t->block, in, out, MPI_COMM_WORLD,
                                       flags);
  if (t->ways & general_form || t->rank > 3)
    return FFTW(mpi_plan_dft_c2r)(t->rank, n, in, out, MPI_COMM_WORLD, flags);
  if (t->rank == 2) return FFTW(mpi_plan_dft_c2r_2d)(n[0], n[1], in, out, MPI_COMM_WORLD, flags);
  return FFTW(mpi_plan_dft_c2r_3d)(n[0], n[1], n[2], in, out, MPI_COMM_WORLD, flags);
}

/* All functions that take a plan get it, before it is run. */
static void ask_about(plan_of_fftw plan) {
  double add = -1;
  double multiply = -1;
  double fused = -1;
  FFTW(flops)(plan, &add, &multiply, &fused);
  char* text = FFTW(sprint_plan)(plan);
  if (add < 0 || multiply < 0 || fused < 0 || strlen(text) < 3) {
    fprintf(stderr, "FFTW tells nothing of a plan\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  FFTW(free)(text);
  if (FFTW(cost)(plan) < 0 || FFTW(estimate_cost)(plan) < 0) MPI_Abort(MPI_COMM_WORLD, 1);
}

static ptrdiff_t largest(ptrdiff_t a, ptrdiff_t b) {
  return a > b ? a : b;
}

/* The memory and the sides of both transforms of an array. */
typedef struct {
  ptrdiff_t count;
  side before;
  side after;
} memory;

static memory memory_of(const transform* t, int is_real) {
  ptrdiff_t local[4] = {0};
  memory made;
  if (t->rank == 1) {
    made.count = t->howmany == 1
                     ? FFTW(mpi_local_size_1d)(t->n[0], MPI_COMM_WORLD, FFTW_FORWARD, t->flags, &local[0],
                                               &local[1], &local[2], &local[3])
                     : FFTW(mpi_local_size_many_1d)(t->n[0], t->howmany, MPI_COMM_WORLD, FFTW_FORWARD,
                                                    t->flags, &local[0], &local[1], &local[2], &local[3]);
    made.before = side_of(t, 0, local[0], 0, 0);
    made.after = side_of(t, 0, local[2], 0, 0);
    return made;
  }
  ptrdiff_t n[most_dimensions];
  memcpy(n, t->n, sizeof n);
  if (is_real) n[t->rank - 1] = n[t->rank - 1] / 2 + 1;
  const ptrdiff_t block = t->block;
  made.count =
      t->flags
          ? FFTW(mpi_local_size_many_transposed)(t->rank, n, t->howmany, block, block, MPI_COMM_WORLD,
                                                 &local[0], &local[1], &local[2], &local[3])
          : FFTW(mpi_local_size_many)(t->rank, n, t->howmany, block, MPI_COMM_WORLD, &local[0], &local[1]);
  const int in_dimension = t->flags & FFTW_MPI_TRANSPOSED_IN ? 1 : 0;
  const int out_dimension = t->flags & FFTW_MPI_TRANSPOSED_OUT ? 1 : 0;
  made.before = side_of(t, in_dimension, local[2 * in_dimension], is_real, 0);
  made.after = side_of(t, out_dimension, local[2 * out_dimension], 0, is_real);
  return made;
}

/* Multiplies numbers by others of the same order. */
static void multiply(real* numbers, const real* factors, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i += 2) {
    const real re = numbers[i] * factors[i] - numbers[i + 1] * factors[i + 1];
    numbers[i + 1] = numbers[i] * factors[i + 1] + numbers[i + 1] * factors[i];
    numbers[i] = re;
  }
}

/* Transforms an array forward, writes the spectrum, and transforms it back. FFTW has no plan for some of these, as with
 * scrambled order on one process. */
static void transform_both_ways(const transform* t, int is_real) {
  const memory m = memory_of(t, is_real);
  real* planned_in = allocated(m.count);
  real* planned_out = t->ways & in_place ? planned_in : allocated(m.count);
  const unsigned back_flags = flags_back(t->flags) | rigor;
  plan_of_fftw forward = is_real ? plan_r2c(t, t->flags | rigor, planned_in, planned_out)
                                 : plan_complex(t, FFTW_FORWARD, t->flags | rigor, planned_in, planned_out);
  plan_of_fftw back = is_real ? plan_c2r(t, back_flags, planned_out, planned_in)
                              : plan_complex(t, FFTW_BACKWARD, back_flags, planned_out, planned_in);
  if (!forward || !back) {
    fprintf(results, "%s,%s,none\n", t->name, is_real ? "real" : "complex");
    FFTW(destroy_plan)(back);
    FFTW(destroy_plan)(forward);
    if (planned_out != planned_in) FFTW(free)(planned_out);
    FFTW(free)(planned_in);
    return;
  }
  ask_about(forward);
  ask_about(back);
  real* in = planned_in;
  real* out = planned_out;
  if (t->ways & new_arrays) {
    in = allocated(m.count);
    out = t->ways & in_place ? in : allocated(m.count);
  }
  fill(in, m.before);
  if (!(t->ways & new_arrays)) {
    FFTW(execute)(forward);
  } else if (is_real) {
    FFTW(mpi_execute_dft_r2c)(forward, in, (complex_number*)out);
  } else {
    FFTW(mpi_execute_dft)(forward, (complex_number*)in, (complex_number*)out);
  }
  char name[100];
  snprintf(name, sizeof name, "%s,%s,%s", t->name, is_real ? "real" : "complex", "forward");
  if (t->flags & FFTW_MPI_SCRAMBLED_OUT) {
    multiply(out, out, m.after.rows * m.after.count);
  } else {
    write_rows(name, out, m.after.rows, m.after.count, m.after.places);
  }
  if (!(t->ways & new_arrays)) {
    FFTW(execute)(back);
  } else if (is_real) {
    FFTW(mpi_execute_dft_c2r)(back, (complex_number*)out, in);
  } else {
    FFTW(mpi_execute_dft)(back, (complex_number*)out, (complex_number*)in);
  }
  snprintf(name, sizeof name, "%s,%s,%s", t->name, is_real ? "real" : "complex", "back");
  write_rows(name, in, m.before.rows, m.before.count, m.before.places);
  FFTW(destroy_plan)(back);
  FFTW(destroy_plan)(forward);
  if (t->ways & new_arrays) {
    if (out != in) FFTW(free)(out);
    FFTW(free)(in);
  }
  if (planned_out != planned_in) FFTW(free)(planned_out);
  FFTW(free)(planned_in);
}

static const transform complex_only[] = {
    {"line", 1, {720}, 1, 0, 0, 0},
    {"line-in-place", 1, {720}, 1, 0, 0, in_place},
    {"line-general", 1, {720}, 1, 0, 0, general_form},
    {"line-many", 1, {720}, 3, 0, 0, 0},
    {"line-scrambled", 1, {720}, 1, 0, FFTW_MPI_SCRAMBLED_OUT, 0},
    {"line-scrambled-many", 1, {720}, 2, 0, FFTW_MPI_SCRAMBLED_OUT, new_arrays},
    {"line-uneven", 1, {90}, 1, 0, 0, 0},
    {"line-prime", 1, {53}, 1, 0, 0, 0},
    {"plane-transposed-in", 2, {10, 12}, 1, 0, FFTW_MPI_TRANSPOSED_IN, 0},
    {"plane-transposed", 2, {10, 12}, 1, 0, FFTW_MPI_TRANSPOSED_IN | FFTW_MPI_TRANSPOSED_OUT, in_place},
};

static const transform of_both_kinds[] = {
    {"plane", 2, {10, 12}, 1, 0, 0, 0},
    {"plane-in-place", 2, {12, 9}, 1, 0, 0, in_place},
    {"plane-general", 2, {12, 10}, 1, 0, 0, general_form},
    {"plane-transposed-out", 2, {10, 12}, 1, 0, FFTW_MPI_TRANSPOSED_OUT, 0},
    {"plane-many", 2, {12, 8}, 3, 0, 0, 0},
    {"plane-blocks", 2, {12, 8}, 1, 7, 0, 0},
    {"cube", 3, {8, 6, 10}, 1, 0, 0, 0},
    {"cube-in-place", 3, {8, 6, 7}, 1, 0, 0, in_place},
    {"cube-new-arrays", 3, {8, 6, 10}, 1, 0, 0, new_arrays},
    {"cube-new-arrays-in-place", 3, {8, 6, 10}, 1, 0, 0, new_arrays | in_place},
    {"cube-general", 3, {8, 6, 10}, 1, 0, 0, general_form},
    {"cube-uneven", 3, {5, 7, 6}, 1, 0, 0, 0},
    {"cube-flat", 3, {2, 7, 6}, 1, 0, 0, 0},
    {"cube-transposed-out", 3, {8, 6, 10}, 1, 0, FFTW_MPI_TRANSPOSED_OUT, 0},
    {"cube-transposed-out-uneven", 3, {5, 7, 6}, 1, 0, FFTW_MPI_TRANSPOSED_OUT, in_place},
    {"cube-transposed-in", 3, {8, 6, 10}, 1, 0, FFTW_MPI_TRANSPOSED_IN, 0},
    {"cube-transposed", 3, {8, 6, 10}, 1, 0, FFTW_MPI_TRANSPOSED_IN | FFTW_MPI_TRANSPOSED_OUT, 0},
    {"cube-many", 3, {8, 6, 4}, 2, 0, 0, in_place},
    {"cube-many-transposed-out", 3, {8, 6, 4}, 3, 0, FFTW_MPI_TRANSPOSED_OUT, new_arrays},
    {"four", 4, {4, 6, 3, 4}, 1, 0, 0, 0},
    {"four-transposed-out", 4, {4, 6, 3, 4}, 1, 0, FFTW_MPI_TRANSPOSED_OUT, 0},
};

/* These transforms are always FFTW's own. */
static void cosines_and_transpositions(void) {
  ptrdiff_t rows = 0;
  ptrdiff_t first = 0;
  const ptrdiff_t count = FFTW(mpi_local_size_2d)(8, 12, MPI_COMM_WORLD, &rows, &first);
  real* array = allocated(largest(count, 1));
  plan_of_fftw cosines =
      FFTW(mpi_plan_r2r_2d)(8, 12, array, array, MPI_COMM_WORLD, FFTW_REDFT10, FFTW_RODFT01, rigor);
  ask_about(cosines);
  const side s = {rows, 12, 12};
  fill(array, s);
  FFTW(execute)(cosines);
  write_rows("cosines", array, rows, 12, 12);
  FFTW(mpi_execute_r2r)(cosines, array, array);
  write_rows("cosines,again", array, rows, 12, 12);
  FFTW(destroy_plan)(cosines);
  plan_of_fftw transposed = FFTW(mpi_plan_transpose)(8, 12, array, array, MPI_COMM_WORLD, rigor);
  fill(array, s);
  FFTW(execute)(transposed);
  ptrdiff_t columns = 0;
  FFTW(mpi_local_size_2d)(12, 8, MPI_COMM_WORLD, &columns, &first);
  write_rows("transposed", array, columns, 8, 8);
  FFTW(destroy_plan)(transposed);
  FFTW(free)(array);
}

/* A serial plan is made and run while plans of FFTW MPI exist in other programs; here it only has to work. */
static void serial_transform(void) {
  real* array = allocated(30);
  complex_number* points = (complex_number*)array;
  plan_of_fftw plan = FFTW(plan_dft_1d)(30, points, points, FFTW_FORWARD, FFTW_ESTIMATE);
  const side s = {1, 60, 60};
  fill(array, s);
  FFTW(execute)(plan);
  FFTW(execute_dft)(plan, points, points);
  write_rows("serial", array, 1, 60, 60);
  FFTW(destroy_plan)(plan);
  FFTW(free)(array);
}

int main(int argc, char** argv) {
  const int has_threads = argc > 2 && strcmp(argv[2], "threads") == 0;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  if (has_threads) FFTW(init_threads)();
  FFTW(mpi_init)();
  if (has_threads) FFTW(plan_with_nthreads)(2);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 1);
  if (argc > 2 && strcmp(argv[2], "measure") == 0) rigor = FFTW_MEASURE;
  char file[1000];
  snprintf(file, sizeof file, "%s.%d", argv[1], rank);
  results = fopen(file, "w");
  for (size_t i = 0; i < sizeof complex_only / sizeof *complex_only; ++i)
    transform_both_ways(&complex_only[i], 0);
  for (size_t i = 0; i < sizeof of_both_kinds / sizeof *of_both_kinds; ++i)
    for (int is_real = 0; is_real < 2; ++is_real) transform_both_ways(&of_both_kinds[i], is_real);
  cosines_and_transpositions();
  serial_transform();
  fclose(results);
  FFTW(mpi_gather_wisdom)(MPI_COMM_WORLD);
  FFTW(mpi_broadcast_wisdom)(MPI_COMM_WORLD);
  FFTW(mpi_cleanup)();
  MPI_Finalize();
  return 0;
}
