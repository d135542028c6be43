#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A large foreign program on GCC's libgomp: GROMACS simulates a box of water, with the same
# energies as alone, and a report of its regions.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v gmx >/dev/null || skip_all "no gmx: install gromacs"
gmx() { command gmx -quiet "$@" </dev/null; }
steps=500
[ -z "$long" ] || steps=5000
cat >topol.top <<'END'
#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spc.itp"
[ system ]
water
[ molecules ]
END
cat >md.mdp <<'END'
integrator = md
dt = 0.001
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 0.85
rvdw = 0.85
tcoupl = v-rescale
tc-grps = system
tau-t = 0.5
ref-t = 300
gen-vel = yes
gen-seed = 42
ld-seed = 42
nstenergy = 10
END
{ gmx solvate -cs spc216 -box 1.86206 1.86206 1.86206 -o conf.gro -p topol.top &&
	gmx grompp -f md.mdp -c conf.gro -p topol.top -o topol.tpr -maxwarn 5; } >prepare.log 2>&1 ||
	skip_all "GROMACS makes no box of water here: $(tail -n 1 prepare.log)"

# simulated NAME COMMAND…: runs it, and prints the energies.
simulated() {
	local name=$1
	shift
	"$@" gmx -quiet mdrun -ntmpi 1 -ntomp 2 -pin off -reprod -nsteps "$steps" -s topol.tpr \
		-deffnm "$name" >"$name.out" 2>&1 </dev/null || return
	printf '%s\n' Potential Kinetic-En. Pressure | command gmx -quiet energy -f "$name.edr" -o "$name.xvg" \
		>>"$name.out" 2>&1 && grep -v '^[#@]' "$name.xvg"
}
plain=$(simulated plain command) || skip_all "GROMACS fails here alone: $(tail -n 1 plain.out)"
check "energies were computed" below 5 "$(wc -l <<<"$plain")"
check "the same energies, by timer signals" equal \
	"$(simulated wall "$ompcount" -q -e wall -o wall.omphwc --)" "$plain"
check "the same energies" equal "$(simulated profiled "$ompcount" -q -e cpu-clock -o p.omphwc --)" "$plain"
"$ompcount" report --by region --limit 0 p.omphwc >regions
# One force calculation a step, and one before the first.
check "the kernels' region is counted" grep -qE " $((steps + 1)) +~?[0-9.]+  nonbonded_verlet_t::dispatchNonbondedKernel" regions
check "with its imbalance" grep -qE " ~?[12][.][0-9]+ +$((steps + 1))  " regions
folded p.omphwc >user
check "little is unknown" below "$(share user '<unknown>')" 0.02
check "no frame of the runtime shows" equal "$(grep -cE '(GOMP_|start_thread|libgomp)' user)" 0
finish
