#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The installed program works, also after its folder was moved.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
make=${MAKE:-make}
# made NAME: a folder's name as make knows it.
made() {
	printf 'print: ; @echo $(%s)\n' "$1" |
		env -u MAKEFLAGS -u MAKELEVEL $make -s -C "$top_builddir" -f Makefile -f - print
}
prefix=$(made prefix) libdir=$(made libdir) pkglibdir=$(made pkglibdir) pkgconfigdir=$(made pkgconfigdir) bindir=$(made bindir)

root=$work/root
check "make install" env -u MAKEFLAGS -u MAKELEVEL $make -s -C "$top_builddir" install DESTDIR="$root"
for f in "$bindir/ompcount" "$libdir/libomphwc.so" "$pkglibdir/libomphwc_heap.so" \
	"$libdir/libomphwc-pomp.so" "$pkglibdir/libomphwc-gomp.so" "$pkglibdir/libomphwc-gomp-thread.so" "$(made includedir)/omp_collector_api.h" \
	"$(made includedir)/omphwc.h" "$(made includedir)/omphwc.f90" \
	"$libdir/libomphwc_static.a" "$pkgconfigdir/omphwc.pc"; do
	check "$f is there" test -e "$root$f"
done
check "what only ompcount preloads is not where the loader looks" test ! -e "$root$libdir/libomphwc_heap.so"

build output clang -O2 || build output gcc -O2 || skip_all "$why"
"$prog" 3 </dev/null >plain 2>/dev/null
# works FROM: what lies there profiles, finds the heap's library, and reports.
works() {
	local ompcount=$1$bindir/ompcount
	rm -f p.omphwc
	"$ompcount" -o p.omphwc -- "$prog" 3 </dev/null >run 2>err
	check "ompcount in $2 passes the status on" equal $? 3
	check "and the output" cmp plain run
	check "its report has the program's function" grep -q ';smooth' <("$ompcount" report --format folded p.omphwc)
	"$ompcount" -q -e page-faults -o p.omphwc -- cat /proc/self/maps >maps
	check "it preloads the heap's library from there" grep -qF " $1$pkglibdir/libomphwc_heap.so" maps
	check "and its own" grep -qF " $1$libdir/libomphwc.so" maps
	check "with all that belongs to it" grep -qF " $1$pkglibdir/libomphwc-gomp-thread.so" maps
	check "ldd lists what that needs" grep -qE "$1$pkglibdir/[^ ]*libomphwc-gomp-thread\.so" <(ldd "$1$libdir/libomphwc.so")
}
works "$root" "an installation with DESTDIR"
check "OMP_TOOL_LIBRARIES takes its bare name" grep -q "file=libomphwc.so" <(
	LD_LIBRARY_PATH=$root$libdir LD_DEBUG=files OMP_TOOL_LIBRARIES=libomphwc.so \
		OMPHWC_OUTPUT=bare.omphwc "$prog" 3 2>&1 </dev/null)
mkdir elsewhere
mv "$root" elsewhere/root
works "$work/elsewhere/root" "one that was moved"
mv elsewhere/root "$root"

# A program may use any name for its own.
cat >names.c <<'END'
#include <stdlib.h>

int sampling = 7, process = 8, beside = 9;
int next(void);
int next(void) { return 10; }
void stack_walk(void);
void stack_walk(void) { abort(); }
__attribute__((destructor)) static void still(void)
{
	if (sampling != 7 || process != 8 || beside != 9 || next() != 10)
		abort();
}
END

# linked FLAG…: a program with the library inside, by what pkg-config says.
linked() {
	local flags
	flags=$(PKG_CONFIG_PATH=$root$pkgconfigdir pkg-config "--define-variable=libdir=$root$libdir" \
		"$@" --cflags --libs omphwc) || return
	"$clang" -g -O2 -fopenmp -o linked "$programs/output.c" names.c $flags || return
	rm -f linked.omphwc
	OMPHWC_EVENTS=cpu-clock OMPHWC_OUTPUT=linked.omphwc ./linked 3 </dev/null >run 2>err
	equal $? 3 && cmp plain run && grep -q ';smooth' <("$ompcount" report --format folded linked.omphwc) || return
	equal "$(readelf -dW linked | grep -c 'libomphwc')" 0
}
if [ -n "$clang" ] && command -v pkg-config >/dev/null && build output clang -O2; then
	check "pkg-config --static: a program with the library inside profiles itself" linked --static
	check "and without --static" linked
	check "the archive shows the program four names" equal \
		"$(nm "$root$libdir/libomphwc_static.a" | awk 'NF == 3 && $2 ~ /^[A-TV-Z]$/ { print $3 }' | sort | tr '\n' ' ')" \
		"omphwc_phase omphwc_pomp_event omphwc_pomp_list ompt_start_tool "
	check "the version is ours" equal "$(PKG_CONFIG_PATH=$root$pkgconfigdir pkg-config --modversion omphwc)" \
		"$("$ompcount" --version | sed -n '1s/.* //p')"
else
	skip "a program with the library inside: no clang that builds OpenMP programs, or no pkg-config"
fi

check "make uninstall" env -u MAKEFLAGS -u MAKELEVEL $make -s -C "$top_builddir" uninstall DESTDIR="$root"
check "leaves nothing behind" equal "$(find "$root" -type f -o -type l)" ""
finish
