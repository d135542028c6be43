#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A process that outlives ompcount keeps its environment.  No path in it may be one that
# another user could create, neither after a run's end nor after it was killed.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
unset OMPHWC_LIBRARY TMPDIR
[ -n "$gcc" ] || skip_all "no gcc"

cat >who.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int n = 0;
#pragma omp parallel reduction(+:n)
	n++;
	printf("%d threads\n", n);
	if (argc > 1)
		return argv[1] == NULL;
	/* One that lives on, and starts the program again when it is told to. */
	if (system("(while ! [ -e again ]; do sleep 0.05; done; ./who again >second 2>&1; : >done) >/dev/null 2>&1 &") ||
	    system("env -0 >env") || system("touch started; while [ -e stay ]; do sleep 0.05; done"))
		return 1;
	return 0;
}
EOF
"$gcc" -fopenmp -o who who.c || skip_all "gcc can't build a program with OpenMP"

# Paths that are searched, loaded or opened for writing, except for those in the library's
# own folder, which existed before.
names() {
	tr '\0' '\n' <env | sed -n 's/^LD_PRELOAD=//p' |
		tr ': ' '\n\n' | grep -vxF -e "$tool" -e ''
}
# The deepest existing folder of each path must be private.
all_private() {
	local name n=0
	while read -r name; do
		while [ ! -d "$name" ] || [ -L "$name" ]; do name=$(dirname "$name"); done
		is_private "$name" || return
		n=$((n + 1))
	done < <(names)
	equal "$n" "$1"
}
wait_for() {
	local left=200
	while [ $((left--)) -gt 0 ] && [ ! -e "$1" ]; do sleep 0.05; done
	[ -e "$1" ]
}

printf '#include <stdio.h>\n__attribute__((constructor)) static void taken(void) { FILE *f = fopen("%s/taken", "w"); if (f) fclose(f); }\nvoid GOMP_parallel(void) {}\n' "$work" >taken.c
"$gcc" -shared -fPIC -o taken.so taken.c
chmod a+rx "$work" taken.so
# Another user creates all paths, as far as the system permits.
attack() {
	local name
	while read -r name; do
		case $name in
		*.so) mkdir -p "$(dirname "$name")" && cp "$work/taken.so" "$name" ;;
		esac
	done 2>/dev/null
}

# run_once WHAT NAMES END: the environment has NAMES paths of ours.
run_once() {
	local what=$1 n=$2 end=$3
	rm -f env started again done second stay taken
	[ "$end" = ended ] || : >stay
	"$ompcount" -q -e cpu-clock -o p-%p.omphwc ./who >out 2>err &
	wait_for started || { fail "$what: did not start: $(cat err)"; return; }
	[ "$end" = ended ] || kill -KILL $!
	rm -f stay
	{ wait $!; } 2>/dev/null
	check "$what: every name is private" all_private "$n"
	if [ "$(id -u)" = 0 ]; then
		names | setpriv --reuid=65534 --regid=65534 --clear-groups \
			bash -c "$(declare -f attack); work=$work; attack"
	fi
	: >again
	check "$what: who lives on can start it again" wait_for done
	check "$what: as before" grep -qx "2 threads" second
	check "$what: nobody's else code runs" test ! -e taken
}
[ "$(id -u)" = 0 ] || skip "another user's attempt: only root can play it"
[ -n "$private" ] || skip "a link to the library: neither the build's folder nor the home is private"
for end in ended killed; do
	run_once "$end" 0 $end
done
# A library that can only be loaded through a link.
if [ -n "$private" ]; then
	mkdir "$work/a b"
	cp "$tool" "$work/a b/libomphwc.so"
	OMPHWC_LIBRARY="$work/a b/libomphwc.so" run_once "a link to the library" 1 ended
fi
# Nothing is created in TMPDIR if others could create it.
export TMPDIR=$work/tmp
mkdir -m 0700 tmp
rm -f again
"$ompcount" -q -e cpu-clock -o p-%p.omphwc ./who >out 2>err
check "nothing is made in a TMPDIR that is not private" equal "$(grep -za "$TMPDIR" env | tr '\0' ' ' | grep -o 'OMPHWC_[A-Z]*\|LD_[A-Z]*')" ""
: >again
wait_for done
sleep 0.2
finish
