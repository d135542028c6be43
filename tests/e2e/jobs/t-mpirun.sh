#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Hybrid programs of Open MPI and MPICH, started in every way: each rank has its profile, no
# helper of the launcher has one, and the report is of the whole job.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Shared memory only, and no copies by ptrace, which containers forbid.
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_btl_base_warn_component_unused=0
unset OMPHWC_LIBRARY
ranks="0 1 2 3"
patience=5 # seconds for a start: there are some twenty
region=$(grep -n 'omp parallel' "$programs/hybrid.c" | cut -d : -f 1)

# mpi NAME COMPILER: sets $mpirun and $app, the program built with it; else 1, with $why.
mpi() {
	local cc=${!2}
	why="no $2"
	[ -n "$cc" ] || return
	mpirun=mpirun.$1
	why="mpicc.$1 is not installed"
	command -v "mpicc.$1" >/dev/null && command -v "$mpirun" >/dev/null || return
	app=$work/hybrid-$1-$2
	OMPI_CC=$cc MPICH_CC=$cc "mpicc.$1" -g -O1 -fopenmp -o "$app" "$programs/hybrid.c" \
		>"$work/build.log" 2>&1 || { why="mpicc.$1: $(tail -n 1 "$work/build.log")"; return 1; }
	why="$mpirun starts no four ranks here"
	local begin=$SECONDS
	[ "$(started "$mpirun" -np 4 "$app")" = "$ranks" ] || return
	why="$mpirun takes $((SECONDS - begin)) s to start four ranks: /etc/hosts may lack this host's name"
	[ $((SECONDS - begin)) -le $patience ]
}

# started COMMAND…: the ranks that say that they ran; what is said besides is in err.
started() {
	timeout 60 "$@" 2>err | sed -n 's/^rank \([0-9]*\) of 4$/\1/p' | sort -n | paste -sd' '
}

# look: reads the profiles in this folder into $work/job.
look() { "$ompcount" report --format json -o "$work/job" . 2>/dev/null; }
# told KEY: that value of the job.
told() {
	sed -n 's/^"job":{\(.*\)},$/\1/p' "$work/job" | tr ',' '\n' | sed -n "s/^\"$1\":\"*\([^\"]*\)\"*$/\1/p"
}
# profiled_ranks: the ranks of the processes that have a profile.
profiled_ranks() {
	sed -n '/^"processes":/,/^"without_names"/p' "$work/job" | grep -o '"rank":[^,]*' |
		sed 's/^"rank"://; s/"//g; s/null/none/' | sort -nu | paste -sd' '
}

# form WHAT COMMAND…: runs it in a folder of its own, and looks at what it leaves.
form() {
	local what=$1
	shift
	mkdir -p "$work/form" && cd "$work/form" && rm -f ./*
	check "$what: the ranks run" equal "$(started "$@")" "$ranks"
	look
	check "$what: a profile of each rank, and none else" equal "$(profiled_ranks)" "$ranks"
	check "$what: the regions of all" equal "$(sed -n \
		's/^{"kind":"region","function":"work",[^}]*"line":\([0-9]*\),[^}]*"entries":\([0-9]*\),.*/\1 \2/p' \
		"$work/job")" "$region 16"
	check "$what: one report" equal "$(told ranks) $(told missing) $(told without_openmp)" "4 null null"
}

# summaries: how many were printed.
summaries() { grep -c '^next: ' err; }

# The ranks' program may be started by other programs.
printf '#!/bin/sh\ntrue\nenv X=1 %s "$@"\n' "$(command -v taskset >/dev/null && echo 'taskset -c 0')" >wrapper
chmod +x wrapper

for name in openmpi mpich; do
	for cc in gcc clang; do
		mpi $name $cc || { skip "$name, $cc: $why"; continue; }
		what="$name, $cc"
		form "$what, ompcount mpirun" "$ompcount" -e cpu-clock "$mpirun" -np 4 "$app"
		check "$what, ompcount mpirun: one summary" equal "$(summaries)" 1
		variable=LD_PRELOAD
		[ $cc = gcc ] || variable=OMP_TOOL_LIBRARIES
		form "$what, $variable as of a modulefile" \
			env OMPHWC_EVENTS=cpu-clock $variable="$tool" "$mpirun" -np 4 "$app"
		[ $cc = gcc ] || [ -n "$long" ] || continue
		form "$what, mpirun ompcount" "$mpirun" -np 4 "$ompcount" -e cpu-clock "$app"
		check "$what, mpirun ompcount: one summary" equal "$(summaries)" 1
		check "$what, mpirun ompcount: it says where the rest is" \
			grep -qx "next: *ompcount view $work/form (all ranks)" err
		form "$what, a script" "$ompcount" -q -e cpu-clock "$mpirun" -np 4 "$work/wrapper" "$app"
	done
	mpi $name gcc || continue
	what=$name
	# What becomes of ranks is reported.
	cd "$work/form" && rm -f ./*
	"$ompcount" -q -e cpu-clock "$mpirun" -np 4 "$app" idle=1 exit=2 >out 2>err
	look
	check "$what: a rank without OpenMP is named" equal "$(told without_openmp)" 1
	check "$what: one that ended by _exit is not called killed" equal "$(told killed)" null
	"$ompcount" report . >text 2>err
	check "$what: the head says so" grep -qx 'rank 1 never began OpenMP' text
	for p in ./*.omphwc; do
		"$ompcount" report --format json -o one.json "$p"
		! grep -q '"rank":"3"' one.json || rm "$p"
	done
	look
	check "$what: a rank without a profile is named" equal "$(told ranks) $(told missing)" "3 3"
	rm -f ./*
	"$ompcount" -q -e cpu-clock "$mpirun" -np 4 "$app" kill=1 >out 2>err
	look
	check "$what: killed ranks leave profiles" equal "$(profiled_ranks)" "$ranks"
	check "$what: and are named" grep -q 1 <(told killed | sed 's/0-3/1/')
done

# What is known of the ranks' program before it starts.
if command -v mpirun.openmpi >/dev/null; then
	cd "$work/form" && rm -f ./*
	printf 'int main(void) { return 0; }\n' >static.c
	if "$gcc" -static -o static static.c 2>/dev/null; then
		"$ompcount" mpirun.openmpi -np 2 ./static >out 2>err
		check "static ranks: why nothing is profiled" \
			grep -q '^ompcount: nothing was profiled: ./static: it is statically linked' err
	fi
fi

# Another node, by a shell that hands nothing on, as Open MPI's mpirun reaches it.
cd "$work" || exit
cat >remote <<'E'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
shift
exec env -i HOME="$HOME" PATH="$PATH" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 sh -c "$*"
E
chmod +x remote
cat >plain.c <<'E'
int main(void)
{
	volatile double sum = 0;
	double part = 0;
#pragma omp parallel for reduction(+ : part)
	for (int i = 0; i < 4000000; i++)
		part += 1.0 / (1 + i);
	sum = part;
	return sum < 0;
}
E
nodes=(--mca plm_rsh_agent "$work/remote" --host "$(uname -n):2,127.0.0.3:2" -np 4)
if "$gcc" -g -O1 -fopenmp -o plain plain.c && command -v mpirun.openmpi >/dev/null &&
	timeout 10 mpirun.openmpi "${nodes[@]}" true >/dev/null 2>&1; then
	cd "$work/form" && rm -f ./*
	timeout 60 "$ompcount" -e cpu-clock mpirun.openmpi "${nodes[@]}" "$work/plain" >out 2>err
	look
	check "two nodes: ranks that got nothing are missing" equal "$(told ranks) $(told missing)" "2 2-3"
	check "two nodes: the summary says what to do" \
		grep -q "^ompcount: 2 of 4 ranks have no profile: .* mpirun.openmpi .* ompcount PROGRAM" err
	rm -f ./*
	timeout 60 mpirun.openmpi "${nodes[@]}" "$ompcount" -q -e cpu-clock "$work/plain" >out 2>err
	look
	check "two nodes: mpirun ompcount reaches all" equal "$(told ranks) $(told missing)" "4 null"
else
	skip "two nodes: mpirun.openmpi starts nothing by a shell here"
fi
nodes=(-launcher ssh -launcher-exec "$work/remote" -hosts 127.0.0.2,127.0.0.3 -np 4)
if [ -x "$work/plain" ] && command -v mpirun.mpich >/dev/null &&
	timeout 10 mpirun.mpich "${nodes[@]}" true >/dev/null 2>&1; then
	cd "$work/form" && rm -f ./*
	timeout 60 "$ompcount" -q -e cpu-clock mpirun.mpich "${nodes[@]}" "$work/plain" >out 2>err
	look
	check "two nodes: MPICH hands all on" equal "$(told ranks) $(told missing)" "4 null"
else
	skip "two nodes: mpirun.mpich starts nothing by a shell here"
fi
finish
