#!/usr/bin/env bash
# Builds for aarch64 in a bare Debian, runs the core tests and programs there under qemu, and compares plans with those
# of the program PLANNER of this machine. ./dev arm runs it.
#
# Usage: try.sh PLANNER
set -euo pipefail
planner=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

dpkg --add-architecture arm64
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  cmake ninja-build pkg-config g++-aarch64-linux-gnu qemu-user python3 libfmt9 libyaml-0-2 nlohmann-json3-dev \
  libcli11-dev libgtest-dev:arm64 libfmt-dev:arm64 libyaml-dev:arm64 libfftw3-dev:arm64 libopenmpi-dev:arm64 >/dev/null

# With this, the kernel starts programs for aarch64 by qemu, also those that mpirun starts.
name=cubefold-aarch64
mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
printf ':%s:M::%s:%s:/usr/bin/qemu-aarch64:' "$name" \
  '\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00' \
  '\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff' \
  >/proc/sys/fs/binfmt_misc/register
trap 'echo -1 >/proc/sys/fs/binfmt_misc/$name' EXIT

cmake --preset arm
cmake --build --preset arm
ctest --preset arm

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,tcp
programs=build/arm/bin
mpirun -n 4 "$programs/cubefold-exchange" --grid torus:2x2 --repetitions 3
mpirun -n 4 "$programs/cubefold-fft" --grid torus:2x2 --lengths 16x16x16
# qemu hands the variable on to the program and does not load the library itself.
mpirun -n 4 -x QEMU_SET_ENV="LD_PRELOAD=$PWD/build/arm/lib/libcubefold-preload.so" -x CUBEFOLD_GRID=torus:2x2 \
  -x CUBEFOLD_ALLTOALL=direct "$programs/unchanged_program"

python3 tools/arm/plans.py "$planner" >build/plans_here.txt
python3 tools/arm/plans.py "$programs/cubefold" >build/plans_arm.txt
cmp build/plans_here.txt build/plans_arm.txt
echo "try.sh: the plans for $(grep -c '^==' build/plans_arm.txt) inputs are the same on both machines"
