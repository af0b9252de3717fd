#!/usr/bin/env bash
# Installs the Debian packages of a folder into a new bare Debian, runs checks.sh there and purges them again. It needs
# root and debootstrap. The mirror and the settings of the network are those of apt on this machine.
#
# Usage: try.sh PACKAGES FOLDER
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# The new Debian has its own processes and mounts, which end with this script.
if [[ ${3:-} != --inside ]]; then
  ((EUID == 0)) || { echo "try.sh: not root, so there is no bare system to try the packages in" >&2; exit 2; }
  exec unshare --mount --pid --fork --propagation private "${BASH_SOURCE[0]}" "$1" "$2" --inside
fi
packages=$(realpath "$1") root=$2/bare log=$2/debootstrap.log
. /etc/os-release
mirror=$(apt-get indextargets 'Created-By: Packages' "Codename: $VERSION_CODENAME" --format '$(REPO_URI)' | head -n 1)

rm -rf --one-file-system "$2"
mkdir -p "$root"
echo "try.sh: making a bare $PRETTY_NAME (log: $log)" >&2
debootstrap --variant=minbase "$VERSION_CODENAME" "$root" "$mirror" >"$log" 2>&1 || { tail "$log" >&2; exit 1; }
apt-config dump --no-empty | { grep '^Acquire::https\?::' || true; } >"$root/etc/apt/apt.conf.d/network"
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/without-sync"  # nobody needs this system after a power cut
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t sysfs sysfs "$root/sys"

install -d "$root/try"
cp "$packages"/*.deb "$root/try/"
cp -r "$source"/tools/packages/checks.sh "$source"/apps/examples/readme.c "$source"/tests/consumer \
  "$source"/tests/support/unchanged_program.c "$root/try/"

# After chroot alone, the namespaces of cubefold-lab would have the root of this machine.
cd "$root"
mkdir outside
pivot_root . outside
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
  bash -c 'umount --lazy /outside && rmdir /outside && cd / && exec bash /try/checks.sh'
