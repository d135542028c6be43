#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# runtimes.sh DIR [offload] - LLVM's OpenMP runtimes, several versions side by side.
#
# With offload: DIR/offload has release 19's libomptarget, whose device is the host itself.
#
# Debian's packages of them displace one another, so they are unpacked, not
# installed: DIR/N/libomp.so.5, and DIR/N/gomp/libgomp.so.1 for programs that
# gcc built, for each N that can be had.  DIR/N/why says why one can't.  What is
# there already is left as it is.
set -u
dir=$1
mkdir -p "$dir"
exec 9>"$dir/lock"
flock 9

# usable LIBRARY N: puts it, or a link to it, in its place.
usable() {
	mkdir -p "$dir/$2/gomp"
	cp -f "$1" "$dir/$2/libomp.so.5" &&
		ln -sf ../libomp.so.5 "$dir/$2/gomp/libgomp.so.1"
}

unpack() {
	local n=$1 tmp status=0
	tmp=$(mktemp -d "$dir/unpack.XXXXXX")
	(cd "$tmp" && timeout 120 apt-get -q download "libomp5-$n" && dpkg -x ./*.deb .) \
		>"$tmp/log" 2>&1 || status=1
	if [ $status -eq 0 ]; then
		usable "$(find "$tmp" -name libomp.so.5 -type f | head -n 1)" "$n" || status=1
	fi
	[ $status -eq 0 ] || why=$(tail -n 1 "$tmp/log")
	rm -rf "$tmp"
	return $status
}

# extracted FOLDER PACKAGE…: these packages' files; else 1, with the reason in $why.
extracted() {
	local to=$1
	shift
	(cd "$to" && timeout 240 apt-get -q download "$@" && for p in ./*.deb; do
		dpkg -x "$p" . || exit 1
	done) >"$to/log" 2>&1 && return
	why=$(tail -n 1 "$to/log")
	return 1
}

offload() {
	local tmp to=$dir/offload lib
	[ ! -e "$to/libomptarget.so" ] && [ -z "$(find "$to/why" -mmin -10 2>/dev/null)" ] || return 0
	mkdir -p "$to"
	tmp=$(mktemp -d "$dir/unpack.XXXXXX")
	if extracted "$tmp" libomp-19-dev libomp5-19 libllvm19; then
		for lib in libomp.so.5 libomptarget.so.19.1 libLLVM.so.19.1; do
			cp -L "$(find "$tmp" -name $lib | head -n 1)" "$to/" || why="no $lib in it"
		done
		# By these names libomptarget is linked, and looks for libomp.
		ln -sf libomp.so.5 "$to/libomp.so"
		[ -n "$why" ] || ln -sf libomptarget.so.19.1 "$to/libomptarget.so"
	fi
	[ -z "$why" ] || echo "libomp-19-dev cannot be had: $why" >"$to/why"
	rm -rf "$tmp"
}
why=
[ "${2-}" != offload ] || { offload; exit; }

for n in 14 16 19; do
	[ ! -e "$dir/$n/libomp.so.5" ] || continue
	# What could not be had a moment ago is not asked for again.
	[ -z "$(find "$dir/$n/why" -mmin -10 2>/dev/null)" ] || continue
	mkdir -p "$dir/$n"
	installed=/usr/lib/llvm-$n/lib/libomp.so.5
	why=
	if [ -e "$installed" ]; then
		usable "$(readlink -f "$installed")" "$n"
	elif ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
		echo "no apt-get here to get libomp $n with" >"$dir/$n/why"
	else
		unpack "$n" || echo "libomp5-$n cannot be had: $why" >"$dir/$n/why"
	fi
done
