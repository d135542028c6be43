#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# oldest.sh FOLDER CC... - makes FOLDER/libdl.so, libpthread.so and librt.so to link with.
#
# Until glibc 2.33 some functions were in these libraries. glibc 2.34 moved them into libc, under
# new versions, and keeps the old ones for programs that were linked before. A library that is
# linked with the ones made here refers to the old versions: it can be loaded by both.
set -e
folder=$1
shift
cc=$*
case $($cc -dumpmachine) in
x86_64*) base=GLIBC_2.2.5 later=GLIBC_2.3.3 ;;
aarch64*) base=GLIBC_2.17 later=GLIBC_2.17 ;;
riscv64*) base=GLIBC_2.27 later=GLIBC_2.27 ;;
*) echo "oldest.sh: no versions are known for $($cc -dumpmachine)" >&2; exit 1 ;;
esac

# library NAME SONAME VERSION FUNCTION... [VERSION FUNCTION...]
library() {
	name=$1 soname=$2
	shift 2
	: >"$folder/$name.c"
	: >"$folder/$name.map"
	for word; do
		case $word in
		GLIBC_*)
			[ ! -s "$folder/$name.map" ] || [ "$word" = "$version" ] || echo "};" >>"$folder/$name.map"
			[ "$word" = "$version" ] || echo "$word {" >>"$folder/$name.map"
			version=$word ;;
		*)
			echo "void $word(void); void $word(void) {}" >>"$folder/$name.c"
			echo "	$word;" >>"$folder/$name.map" ;;
		esac
	done
	echo "};" >>"$folder/$name.map"
	version=
	$cc -w -O0 -fno-builtin -fPIC -shared -nostdlib -o "$folder/$name.so" "$folder/$name.c" \
		-Wl,-soname,"$soname" -Wl,--version-script="$folder/$name.map"
}
mkdir -p "$folder"
version=
library libdl libdl.so.2 $base dlopen dlsym dlvsym dladdr dlerror dlclose $later dladdr1
library libpthread libpthread.so.0 $base pthread_key_create pthread_once pthread_setspecific \
	pthread_getspecific pthread_mutex_trylock pthread_attr_getstack pthread_getattr_np
library librt librt.so.1 $later timer_create timer_settime timer_gettime timer_delete
