#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Made jobs of many ranks: merged by one thread, by several, and by the processes of an MPI
# program, they are the same file; and reports on it are those on the profiles.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
[ -x "$top_builddir/bench/ranks" ] || skip_all "bench/ranks is not built"

# plain FORMAT: a report without the numbers of functions, which are those of their first use:
# text, csv and the like have none.
plain() {
	case $1 in
	*json* | *html*) sed -E 's/"(id|function|functions)":[0-9]+/"\1":0/g' | sort ;;
	*callgrind*) sed -E 's/^(c?fn=)\([0-9]+\)( .*)?$/\1/' | sort ;;
	*) cat ;;
	esac
}
mkdir made large
"$top_builddir/bench/ranks" made 100 40 2
OMP_NUM_THREADS=1 "$ompcount" merge -o made.omphwc made
OMP_NUM_THREADS=3 "$ompcount" merge -o job.omphwc made
check "of a made job: three threads make the same as one" cmp made.omphwc job.omphwc
# Every third rank, and the others.
# shellcheck disable=SC2046
"$ompcount" merge -o third.omphwc $(seq -f made/app-r%g.omphwc 0 3 99)
# shellcheck disable=SC2046
"$ompcount" merge -o others.omphwc $(seq -f made/app-r%g.omphwc 1 3 99) $(seq -f made/app-r%g.omphwc 2 3 99)
OMP_NUM_THREADS=1 "$ompcount" merge -o parts.omphwc third.omphwc others.omphwc
OMP_NUM_THREADS=3 "$ompcount" merge -o job.omphwc others.omphwc third.omphwc
check "of merged parts, too" cmp parts.omphwc job.omphwc
for options in "" "--format json" "--by thread"; do
	# shellcheck disable=SC2086
	"$ompcount" report $options made.omphwc | plain "$options" >one
	# shellcheck disable=SC2086
	"$ompcount" report $options parts.omphwc | plain "$options" >other
	check "merged parts are the job: report $options" cmp one other
done
# Of so many numbers, reports have sums by context and by thread instead of both.
"$top_builddir/bench/ranks" large 100 360 8
"$ompcount" merge -o large.omphwc large
for options in "" "--format json" "--format csv --by construct" "--by thread"; do
	# shellcheck disable=SC2046,SC2086
	"$ompcount" report $options $(seq -f large/app-r%g.omphwc 0 99) | plain "$options" >one
	# shellcheck disable=SC2086
	"$ompcount" report $options large.omphwc | plain "$options" >other
	check "of a large job: report $options" cmp one other
done
rm -r large large.omphwc
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
if [ ! -x "$top_builddir/ompcount-mpi" ]; then
	skip "MPI: ompcount-mpi is not built"
elif ! timeout 20 mpirun -np 2 true >mpi.log 2>&1; then
	skip "MPI: mpirun: $(grep -v '^[- ]*$' mpi.log | head -n 1)"
else
	for n in 2 3 4; do
		rm -f job.omphwc
		OMP_NUM_THREADS=1 timeout 30 mpirun -np "$n" "$top_builddir/ompcount-mpi" merge \
			-o job.omphwc made >mpi.log 2>&1
		check "$n processes of MPI make the same as one" cmp made.omphwc job.omphwc
	done
	timeout 30 mpirun -np 2 "$top_builddir/ompcount-mpi" merge \
		-o job.omphwc third.omphwc others.omphwc >mpi.log 2>&1
	check "MPI: of merged parts, too" cmp parts.omphwc job.omphwc
	cp made/app-r7.omphwc short.omphwc
	head -c 1000 short.omphwc >made/app-r7.omphwc
	rm -f job.omphwc
	timeout 30 mpirun -np 2 "$top_builddir/ompcount-mpi" merge -o job.omphwc made/*.omphwc >mpi.log 2>&1
	check "MPI: what can't be read makes status 1" equal $? 1
	check "MPI: it is named once" equal "$(grep -c 'app-r7.omphwc: ' mpi.log)" 1
	check "MPI: the rest is merged" [ -s job.omphwc ]
	rm -f job.omphwc
	timeout 30 mpirun -np 2 "$top_builddir/ompcount-mpi" merge -o absent/job.omphwc made >mpi.log 2>&1
	check "MPI: what can't be written makes status 1" equal $? 1
fi
finish
