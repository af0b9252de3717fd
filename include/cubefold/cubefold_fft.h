/* This is the C interface of cubefold's distributed Fourier transforms, for C99 and C++. The library is cubefold::fft.
 * It uses FFTW, so the GPL applies to it and to every program that links it. docs/fft.md has pictures of the
 * distributions.
 *
 *     cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
 *     options.output = CUBEFOLD_FFT_SCRAMBLED;
 *     cubefold_fft_create(comm, 1, &point_count, &options, &plan);
 *     cubefold_fft_execute(plan, points, spectrum);
 *     cubefold_fft_free(&plan);
 *
 * All functions return CUBEFOLD_SUCCESS or another code of cubefold.h; cubefold_last_error() returns the text. If all
 * processes must call a function, these are the processes of the handle that the plan is made with, and all of them
 * must make such calls in the same order. */
#ifndef CUBEFOLD_FFT_H
#define CUBEFOLD_FFT_H

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): C */
#include <stdint.h> /* NOLINT(modernize-deprecated-headers): C */

#include "cubefold/cubefold.h"
#include "cubefold/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The forward transform is X(k) = sum_j x(j) exp(-2 pi i j k / n) in each dimension. The inverse has the opposite sign
 * in the exponent, and is divided by the number of points unless inverse_scaling says something else. */
enum { CUBEFOLD_FFT_FORWARD = 0, CUBEFOLD_FFT_INVERSE = 1 };

/* The factors of transforms of n points: 1, 1/n or 1/sqrt(n). n is the product of all lengths. */
enum { CUBEFOLD_FFT_UNSCALED = 0, CUBEFOLD_FFT_BY_COUNT = 1, CUBEFOLD_FFT_BY_ROOT = 2 };

/* A complex transform has complex input and output. A real transform has real input and computes the half of the
 * spectrum that determines the other half, k = 0 .. n/2 in the last dimension. Its inverse takes that half and computes
 * real numbers. */
enum { CUBEFOLD_FFT_COMPLEX = 0, CUBEFOLD_FFT_REAL = 1 };

/* The numbers are double and double _Complex (std::complex<double>), or float and float _Complex. */
enum { CUBEFOLD_FFT_DOUBLE = 0, CUBEFOLD_FFT_FLOAT = 1 };

/* The distribution says which points of a one-dimensional transform a process has. Transforms of several
 * dimensions allow only blocks. */
enum {
  CUBEFOLD_FFT_BLOCK = 0,        /* consecutive points, as FFTW MPI has them */
  CUBEFOLD_FFT_CYCLIC = 1,       /* every p-th point on p processes; cyclic to cyclic needs one exchange */
  CUBEFOLD_FFT_BLOCK_CYCLIC = 2, /* 2^s blocks of 2^s points, for 2^(n+2s) points and 2^n processes */
  CUBEFOLD_FFT_SCRAMBLED = 3     /* order after the second exchange; one exchange less than block to block */
};

/* The decomposition says which of several dimensions are distributed. A slab decomposition distributes the first one
 * over all processes, and a pencil decomposition the first two over axes of the grid. Pencils need three dimensions,
 * and a known network in which two axes have several nodes or a process_grid; elsewhere CUBEFOLD_FFT_PENCIL is an
 * error. */
enum { CUBEFOLD_FFT_AUTOMATIC_DECOMPOSITION = 0, CUBEFOLD_FFT_SLAB = 1, CUBEFOLD_FFT_PENCIL = 2 };

/* These are the algorithms for one dimension. The automatic choice is the cheapest one that is able to do the
 * transform. */
enum {
  CUBEFOLD_FFT_AUTOMATIC_ALGORITHM = 0,
  CUBEFOLD_FFT_TRANSPOSED = 1,
  CUBEFOLD_FFT_BLUESTEIN = 2,
  CUBEFOLD_FFT_BINARY_EXCHANGE = 3,
  CUBEFOLD_FFT_HALF_EXCHANGE = 4
};

/* The rigor says how long FFTW searches for the fastest local transforms: FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT or
 * FFTW_EXHAUSTIVE. */
enum {
  CUBEFOLD_FFT_ESTIMATE = 0,
  CUBEFOLD_FFT_MEASURE = 1,
  CUBEFOLD_FFT_PATIENT = 2,
  CUBEFOLD_FFT_EXHAUSTIVE = 3
};

/* The transforms along one dimension: the Fourier transform, and the sines and cosines of FFTW's manual, with its
 * definitions. An inverse transform with 1/n undoes them; n counts 2 (n - 1) for REDFT00, 2 (n + 1) for RODFT00, and 2
 * n for the other sines and cosines of n points. */
enum {
  CUBEFOLD_FFT_FOURIER = 0,
  CUBEFOLD_FFT_REDFT00 = 1,
  CUBEFOLD_FFT_REDFT01 = 2,
  CUBEFOLD_FFT_REDFT10 = 3,
  CUBEFOLD_FFT_REDFT11 = 4,
  CUBEFOLD_FFT_RODFT00 = 5,
  CUBEFOLD_FFT_RODFT01 = 6,
  CUBEFOLD_FFT_RODFT10 = 7,
  CUBEFOLD_FFT_RODFT11 = 8
};

/* The options of a plan. They must be the same on all processes. */
typedef struct cubefold_fft_options { /* NOLINT(modernize-use-using): C */
  size_t size;   /* size of this struct; later versions of the library add members at its end */
  int transform; /* CUBEFOLD_FFT_FORWARD or _INVERSE */
  int kind;      /* _COMPLEX or _REAL */
  int precision; /* _DOUBLE or _FLOAT */
  int input;     /* distribution of the input */
  int output;    /* distribution of the output */
  /* If not 0, a transform of several dimensions leaves its output in the distribution after the last exchange,
   * which saves the exchanges back: dimension 1 is distributed instead of dimension 0, and the numbers of a process
   * are row-major with the dimensions 1, 0, 2. The inverse takes its input in that distribution. */
  int transposed_output;
  size_t batch;      /* number of arrays, one behind the other on each process or interleaved; at least 1 */
  int decomposition; /* _AUTOMATIC_DECOMPOSITION, _SLAB or _PENCIL */
  int algorithm;
  int rigor;
  int reserved;        /* 0 */
  int forward_scaling; /* _UNSCALED, _BY_COUNT or _BY_ROOT */
  int inverse_scaling;
  /* If not 0, the numbers of one point of all arrays lie together, as with the howmany of FFTW: number b of the point
   * at place i is at i * batch + b. */
  int interleaved_batch;
  /* If not 0, each row of a real array of two dimensions or more has 2 (n/2 + 1) places, as in FFTW; those behind the n
   * numbers of the row are padding. */
  int padded_rows;
  /* If not 0, the plan also transforms in the other direction, by cubefold_fft_execute_direction. */
  int both_directions;
  /* The numbers p0 and p1 of processes over which dimensions 0 and 1 of an array are distributed; {p, 1} are slabs. If
   * one is 0, it follows from the number of processes; if both are 0, the plan chooses. On a network of several axes,
   * each has to be the product of the extents of some axes, so that exchanges stay on these axes. On other networks,
   * and where nothing is known of it, the ranks are p0 rows of p1. Everything else is an error. */
  int process_grid[2];
  /* Number of threads of each process that compute; 0 and 1 stand for the calling one alone. MPI_THREAD_FUNNELED is
   * enough. Another number may round differently. */
  int threads;
  /* NULL, or the forward transform of each dimension of an array of several. Complex points are taken as their real and
   * imaginary parts by sines and cosines. With real points, the last dimension is CUBEFOLD_FFT_FOURIER and gives half a
   * spectrum, or no dimension is and the output is real, too. */
  const int* line_transforms;
  /* NULL, or the box in which the calling process has its points at an end, instead of the plan's distribution: 2 d
   * numbers for d dimensions, first the extents and then the offsets, as cubefold_fft_local_box has them. The points
   * of a box are row-major. Either all processes name a box at an end, or none does; together the boxes have every
   * point of the array at that end once. A process without points has an extent of 0. The half spectrum of a real
   * transform has rows of n/2 + 1 points. One exchange more moves the points between the boxes and the plan's
   * distribution, which has to be CUBEFOLD_FFT_BLOCK, unless both are equal; it costs two more arrays of workspace.
   * transposed_output then only says where the spectrum is before that exchange, and saves exchanges. */
  const size_t* input_box;
  const size_t* output_box;
} cubefold_fft_options;

/* The defaults are a forward complex transform in double precision, of one array, with block distributions of input and
 * output, an automatic decomposition and algorithm, and CUBEFOLD_FFT_ESTIMATE. Inverse transforms are divided by n. */
#define CUBEFOLD_FFT_DEFAULTS                                                                             \
  {                                                                                                       \
    sizeof(struct cubefold_fft_options), 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, {0, 0}, 0, NULL, \
        NULL, NULL                                                                                        \
  }

typedef struct cubefold_fft_s* cubefold_fft; /* NOLINT(modernize-use-using): C */

/* Plans transforms of an array over the virtual ranks of a handle, on the axes of its grid. All processes must call
 * this function. The array has 1 to 32 dimensions with the given lengths; the last dimension is counted fastest.
 * Lengths may be any positive numbers, except with block-cyclic distributions. NULL as options means
 * CUBEFOLD_FFT_DEFAULTS. Planning takes longer with more rigor than CUBEFOLD_FFT_ESTIMATE. If one process makes a
 * mistake, or if lengths or options differ between processes, the call fails on all of them with the same text, and
 * *plan is NULL. */
CUBEFOLD_API int cubefold_fft_create(cubefold_comm comm, int dimension_count, const size_t* lengths,
                                     const cubefold_fft_options* options, cubefold_fft* plan);

/* Frees the plan and sets *plan to NULL, also if MPI fails while the processes agree on earlier failures. All processes
 * must call this function. It does nothing for a NULL plan. */
CUBEFOLD_API int cubefold_fft_free(cubefold_fft* plan);

/* The end of a transform that a function is asked about. */
enum { CUBEFOLD_FFT_INPUT = 0, CUBEFOLD_FFT_OUTPUT = 1 };

/* Returns how many real or complex numbers of all arrays together the calling process has at an end. The count may be
 * 0. The counts of the two ends may differ, even for one dimension with block distributions. Does not communicate. */
CUBEFOLD_API int cubefold_fft_local_count(cubefold_fft plan, int end, size_t* count);

/* Returns the box of the calling process in a block distribution, or that of the options: it has extents[i] points from
 * offsets[i] on in dimension i. The last dimension is counted fastest unless the plan is transposed. Memory is
 * allocated by the count of cubefold_fft_local_count, which may be more than the points of the box, as in the half
 * spectrum of a real transform of one dimension. Returns CUBEFOLD_ERROR_ARGUMENT if the points of the process are not a
 * box. Does not communicate. */
CUBEFOLD_API int cubefold_fft_local_box(cubefold_fft plan, int end, size_t* extents, size_t* offsets);

/* Returns the order in memory of the box of the calling process, counted in numbers of that end: strides[i] between
 * neighbours in dimension i, and *batch_stride between the numbers of one point in two arrays of the batch. Transposed
 * output is row-major with the dimensions 1, 0, 2, so that strides[1] is the largest. Does not communicate. Returns
 * CUBEFOLD_ERROR_ARGUMENT if the points of the process are not a box. */
CUBEFOLD_API int cubefold_fft_local_strides(cubefold_fft plan, int end, size_t* strides,
                                            size_t* batch_stride);

/* These return the positions of points in any distribution. cubefold_fft_owner returns the virtual rank that has a
 * point, and the place of the point among those of that rank in each array. cubefold_fft_point_at returns the point at
 * a place of the calling process, or CUBEFOLD_FFT_NO_POINT for a place that is padding. Points are counted row by row:
 * (j0, j1, j2) is point (j0 n1 + j1) n2 + j2. The half spectrum of a real transform has rows of n2/2 + 1 points. The
 * calls do not communicate, cost O(1), and return CUBEFOLD_ERROR_ARGUMENT at an end where the program has boxes of its
 * own. */
CUBEFOLD_API int cubefold_fft_owner(cubefold_fft plan, int end, size_t point, int* rank, size_t* place);
CUBEFOLD_API int cubefold_fft_point_at(cubefold_fft plan, int end, size_t place, size_t* point);
#define CUBEFOLD_FFT_NO_POINT SIZE_MAX

/* Performs the transform. All processes must call this function. `input` and `output` have as many numbers as
 * cubefold_fft_local_count() returns for the two ends. If they are the same memory, the transform is in place, and the
 * memory must be large enough for the larger end. Otherwise they must not overlap, and the input is not changed. A
 * process with invalid arguments leaves the others waiting for it, as in MPI_Alltoall. */
CUBEFOLD_API int cubefold_fft_execute(cubefold_fft plan, const void* input, void* output);

/* Performs the transform in a direction, CUBEFOLD_FFT_FORWARD or _INVERSE: the direction of the options, or with
 * both_directions also the other one, from the memory that cubefold_fft_execute writes to that which it reads. All
 * processes must call this function with the same direction. Otherwise it is as cubefold_fft_execute. */
CUBEFOLD_API int cubefold_fft_execute_direction(cubefold_fft plan, int transform, const void* input,
                                                void* output);

/* cubefold_fft_alloc returns memory for arrays, aligned as suits FFTW best, and in large pages if it is large and the
 * system has them. cubefold_fft_free_memory frees it and sets *memory to NULL. All processes of the handle must call
 * both functions, each with its own number of bytes, because later versions may place the memory where the processes of
 * a node share it. Arrays need not come from here. */
CUBEFOLD_API int cubefold_fft_alloc(cubefold_comm comm, size_t bytes, void** memory);
CUBEFOLD_API int cubefold_fft_free_memory(void** memory);

/* cubefold_fft_workspace_bytes returns the size of the memory that cubefold_fft_execute needs besides the two arrays.
 * The plan allocates this memory itself. cubefold_fft_use_workspace replaces it by memory of the caller, which must
 * have at least that size and the alignment of malloc; the plan uses it until the plan is freed. It returns
 * CUBEFOLD_ERROR_ARGUMENT for NULL if the plan needs any memory. The calls do not communicate. */
CUBEFOLD_API int cubefold_fft_workspace_bytes(cubefold_fft plan, size_t* bytes);
CUBEFOLD_API int cubefold_fft_use_workspace(cubefold_fft plan, void* memory);

/* Returns a text of some lines that says what the plan does and why: stages, messages, bytes, predicted time and its
 * ratio to the lower bound. The text belongs to the plan and is valid until the next call for it. The call does
 * not communicate. */
CUBEFOLD_API int cubefold_fft_explain(cubefold_fft plan, const char** text);

/* The times of the calling process's last cubefold_fft_execute. overlap_seconds is the part of the transforms that ran
 * while packets were under way. cubefold_fft_last_times does not communicate. */
typedef struct cubefold_fft_times { /* NOLINT(modernize-use-using): C */
  double transform_seconds;
  double exchange_seconds;
  double overlap_seconds;
} cubefold_fft_times;
CUBEFOLD_API int cubefold_fft_last_times(cubefold_fft plan, cubefold_fft_times* times);

/* These export and import the wisdom of FFTW about local transforms in both precisions. All processes must call them.
 * Virtual rank 0 writes its wisdom to the file, or reads the file for all processes. */
CUBEFOLD_API int cubefold_fft_export_wisdom(cubefold_comm comm, const char* file);
CUBEFOLD_API int cubefold_fft_import_wisdom(cubefold_comm comm, const char* file);

#ifdef __cplusplus
}
#endif

#endif
