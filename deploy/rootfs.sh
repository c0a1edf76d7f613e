#!/bin/sh
# Assembles the file system of the images: the bundle, this Node.js with its shared libraries, and the passwd and group
# entries of the user. Run it in the root of the project, after the build.
#
#   sh deploy/rootfs.sh <folder>
set -eu
root=$1
node=$(readlink -f "$(command -v node)")

mkdir -p "$root/app" "$root/etc" "$root/usr/bin" volume
cp "$node" "$root/usr/bin/node"
for library in $(ldd "$node" | grep -o '/[^ ]*'); do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done

cp -R bin dist package.json LICENSE "$root/app/"
# One start of each kind fills the compile cache that later starts read.
for command in serve sidecar health; do
  "$node" "$root/app/bin/sluice.mjs" "$command" --help > /dev/null
done

echo 'sluice:x:65532:65532::/data:/nonexistent' > "$root/etc/passwd"
echo 'sluice:x:65532:' > "$root/etc/group"
# Resolve names from the hosts file first, then by DNS: the default of the C library as well.
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
chmod -R go-w,a+rX "$root"
