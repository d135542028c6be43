# SPDX-License-Identifier: BSD-3-Clause
# make.sh - the guests and what runs in them; sourced after lib.sh.
#
# Sets guest, tree (what is laid over its root) and sysroot, where the host finds
# the files of programs that ran there.

guest=$top_builddir/tests/guest
tree=$guest/cross/tree
sysroot=$work/root
suites="tests/unit/pmu/check_fastread_real tests/unit/pmu/check_pmu_event tests/unit/pmu/check_pmu_fault
tests/unit/unwind/check_prologue_aarch64 tests/unit/unwind/check_unwind tests/unit/unwind/check_walk"
[ -z "$long" ] || suites=

# make_guest: the case that everything could be built; skips all where the means
# are not here.
make_guest() {
	local step status
	for step in "setup $guest" "cross $guest $guest/cross $suites"; do
		"$top_srcdir"/tests/guests/$step >make.log 2>&1
		status=$?
		[ $status -ne 77 ] || skip_all "$(tail -n 1 make.log)"
		[ $status -eq 0 ] && continue
		fail "${step%% *} for arm64: $(tail -n 5 make.log | tr '\n' ' ')"
		finish
	done
	pass "it builds for arm64, without a warning"
	mkdir root
	ln -s "$guest/sysroot/lib" "$guest/sysroot/usr" "$tree/opt" "$tree/work" root/
}

# make_riscv64: the other guest, likewise, in the place of the first.
make_riscv64() {
	guest=$top_builddir/tests/guest/riscv64
	tree=$guest/tree
	"$top_srcdir/tests/guests/riscv64" "$guest" >make.log 2>&1
	case $? in
	0) pass "it builds for riscv64, without a warning" ;;
	77) skip_all "$(tail -n 1 make.log)" ;;
	*)
		fail "for riscv64: $(tail -n 5 make.log | tr '\n' ' ')"
		finish
		;;
	esac
	mkdir root
	ln -s "$guest/sysroot/lib" "$guest/sysroot/usr" "$tree/opt" "$tree/work" root/
}
