#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A container without a library of ours that it can load runs its programs as ever, and ompcount
# says why. The runners and the root folders are stand-ins.
. "$(dirname "$0")/../../support/lib.sh"
need_tool

mkdir bin own
cat >stand-in <<'END'
#!/bin/sh
echo "preload: ${LD_PRELOAD-none}, manifest: ${OMPHWC_MANIFEST+there}"
exit 5
END
for runner in apptainer podman docker ch-run srun; do
	install -m 755 stand-in "bin/$runner"
done
PATH=$work/bin:$PATH
library=$("$ompcount" --library-path)
library=${library##*:}
folder=${library%/*}
export HOME=$work/own

# runs COMMAND…: with ompcount, in a folder from which the library is not seen.
runs() {
	(cd "$work/own" && "$ompcount" -e cpu-clock -o "$work/%p.omphwc" "$@") >out 2>err
}
plain() { # WHAT WHY: it ran as without, and one line has the reason.
	check "$1: its status" equal "$status" 5
	check "$1: its environment" equal "$(cat out)" "preload: none, manifest: "
	check "$1: one line says why" equal "$(wc -l <err) $(grep -cF -- "$2" err)" "1 1"
}
unset LD_PRELOAD
case $folder/ in
/tmp/* | "$work"/*) skip "unbound libraries: the library is in a folder that containers see" ;;
*)
	runs apptainer exec image.sif ./app; status=$?
	plain "apptainer, not bound" "add --bind $folder:$folder"
	runs apptainer exec --bind "$folder:/opt" image.sif ./app; status=$?
	plain "apptainer, bound elsewhere" "add --bind $folder:$folder"
	runs podman run image ./app; status=$?
	plain "podman, not bound" "add -v $folder:$folder"
	runs srun -n 2 apptainer exec image.sif ./app; status=$?
	plain "srun, not bound" "add --bind $folder:$folder" ;;
esac
runs podman run -v "$folder:$folder" image ./app; status=$?
plain "podman, bound" "add -e LD_PRELOAD=$library"
for bound in "--bind=$folder" "--bind=/other,$folder:$folder:ro" "-B$folder" "--bind=${folder%/*}"; do
	runs apptainer exec "$bound" image.sif ./app
	check "apptainer, ${bound%%/*}: the library is preloaded" grep -qF "$library" out
done
APPTAINER_BIND=$folder runs apptainer exec image.sif ./app
check "APPTAINER_BIND: the library is preloaded" grep -qF "$library" out

# Root folders.
if [ -n "$gcc" ]; then
	defines() { # VERSION…: makes a libc.so.6 that does, of the version $release, which need not have symbols.
		local v before=''
		for v; do
			echo "GLIBC_$v { global: f${v//./_}; } $before;"
			before=GLIBC_$v
		done >map
		for v; do echo "void f${v//./_}(void) {}"; done >libc.c
		[ -z "$release" ] || echo "const char banner[] = \"GNU C Library (made) stable release version $release.\\n\";" >>libc.c
		"$gcc" -shared -fPIC -nostdlib -Wl,--version-script=map -Wl,-soname,libc.so.6 -o libc.so.6 libc.c
	}
	mkdir -p {old,new,musl,foreign}/{usr,lib64,lib}
	release='' defines 2.2.5 2.4 2.17 && cp libc.so.6 old/lib64
	release=2.20 defines 2.2.5 2.17 2.18 && mkdir -p older/usr older/lib64 && cp libc.so.6 older/lib64
	release=2.29 defines 2.2.5 2.17 2.28 && cp libc.so.6 new/lib64
	cp libc.so.6 musl/lib/ld-musl-x86_64.so.1
	cp libc.so.6 foreign/lib64
	printf '\003\000' | dd of=foreign/lib64/libc.so.6 bs=1 seek=18 conv=notrunc 2>/dev/null
	for r in "old is glibc 2.17, and libomphwc.so needs 2.27" "older is glibc 2.20, and libomphwc.so needs 2.27" "musl is musl, and libomphwc.so needs glibc 2.27" \
		"foreign is for another kind of machine than libomphwc.so"; do
		for how in "apptainer exec" ch-run "srun apptainer exec"; do
			runs $how "--bind=$folder" "$work/${r%% *}" ./app; status=$?
			plain "$how, ${r%% *}" "the C library in $work/$r"
		done
	done
	runs apptainer exec "--bind=$folder" "$work/new" ./app
	check "a root folder with glibc 2.28: the library is preloaded" grep -qF "$library" out
else
	skip "root folders: no gcc"
fi
finish
