#define CUBEFOLD_REAL float
#define CUBEFOLD_NAME FFTW_MANGLE_FLOAT
#include "functions_of_precision.hpp"
