# Debian's cross compiler for aarch64, with Debian's libraries for arm64 and its Open MPI, whose compiler wrapper is not
# used, as it would be a program for arm64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
set(MPI_C_HEADER_DIR /usr/lib/aarch64-linux-gnu/openmpi/include)
set(MPI_C_LIB_NAMES mpi)
set(MPI_mpi_LIBRARY /usr/lib/aarch64-linux-gnu/libmpi.so)
