#define CUBEFOLD_REAL double
#define CUBEFOLD_NAME FFTW_MANGLE_DOUBLE
#include "functions_of_precision.hpp"
