#!/usr/bin/env bash
# Makes a new bare Debian of a suite, as bookworm or testing, in a folder, copies files into its /try, and runs a
# command there. It needs root and debootstrap. The mirror and the settings of the network are those of apt on this
# machine.
#
# Usage: bare_debian.sh SUITE FOLDER COMMAND FILE...
set -euo pipefail

# The new Debian has its own processes and mounts, which end with this script.
if [[ $1 != --inside ]]; then
  ((EUID == 0)) || { echo "bare_debian.sh: not root, so there is no bare system to try this in" >&2; exit 2; }
  exec unshare --mount --pid --fork --propagation private "${BASH_SOURCE[0]}" --inside "$@"
fi
suite=$2 folder=$3 command=$4 root=$3/bare log=$3/debootstrap.log
shift 4
. /etc/os-release
mirror=$(apt-get indextargets 'Created-By: Packages' "Codename: $VERSION_CODENAME" --format '$(REPO_URI)' | head -n 1)

rm -rf --one-file-system "$folder"
mkdir -p "$root"
echo "bare_debian.sh: making a bare Debian $suite (log: $log)" >&2
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$log" 2>&1 || { tail "$log" >&2; exit 1; }
apt-config dump --no-empty | { grep '^Acquire::https\?::' || true; } >"$root/etc/apt/apt.conf.d/network"
# The mirror may be a snapshot, whose Release file has expired.
echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/snapshot"
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/without-sync"  # nobody needs this system after a power cut
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t sysfs sysfs "$root/sys"

install -d "$root/try"
cp -r "$@" "$root/try/"

# After chroot alone, the namespaces of cubefold-lab would have the root of this machine.
cd "$root"
mkdir outside
pivot_root . outside
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
  bash -c 'umount --lazy /outside && rmdir /outside && cd /try && exec bash -c "$0"' "$command"
