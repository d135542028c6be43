#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What tests/driver does with a test that failed: it is run once more where the processors stood
# still, as a stand-in for tests/stalls says, and never otherwise.
. "$(dirname "$0")/../../support/lib.sh"

mkdir tests
# A test that fails in its first run; in all runs with "always".
cat >fails <<'EOF'
#!/bin/sh
echo x >>runs
sleep 0.2 # The watch has begun.
[ "$1" != always ] && [ "$(wc -l <runs)" = 2 ] && { echo "PASS: second"; exit; }
echo "FAIL: first: run"
exit 1
EOF
chmod +x fails

# stand_in TEXT: tests/stalls writes it.
stand_in() {
	printf '#!/bin/sh\necho "%s" >"$1"\n' "$1" >tests/stalls
	chmod +x tests/stalls
}
# drive [always]: prints the driver's lines; the runs are counted in runs.
drive() {
	rm -f runs
	OMPHWC_CALM= sh "$top_srcdir/tests/driver" --test-name fails --log-file log --trs-file trs \
		-- ./fails "$@"
}
runs() { wc -l <runs; }
unset OMPHWC_TEST_AGAIN

stand_in "3000.0 10.0"
drive >out
check "processors stood still for long: a second run" equal "$(runs)" 2
check "the second run's verdict counts" grep -q '^PASS: fails (1 passed, 0 failed' out
check "it is said" grep -q '^again: fails: it failed while processors stood still for 3000 ms of [01] s, for 10 ms at a stretch' out
check "the log has the first run's output" grep -q '^first run: FAIL: first: run' log
stand_in "9.0 25.0"
drive >out
check "one long stretch: a second run" equal "$(runs)" 2
drive always >out
check "failing twice is failing" grep -q '^FAIL: fails (0 passed, 1 failed' out
check "there is no third run" equal "$(runs)" 2
stand_in "9.0 9.0"
drive >out
check "processors that hardly stood still: no second run" equal "$(runs)" 1
check "it has failed" grep -q '^FAIL: fails (0 passed, 1 failed' out
# sometimes: fails in its first run, and in every run whose number $1 names.
cat >sometimes <<'EOF'
#!/bin/sh
echo x >>runs
n=$(wc -l <runs)
case " 1 $1 " in *" $n "*) echo "FAIL: run $n"; exit 1 ;; esac
echo "PASS: run $n"
EOF
chmod +x sometimes
again() {
	rm -f runs
	OMPHWC_TEST_AGAIN=3 OMPHWC_CALM= sh "$top_srcdir/tests/driver" --test-name some --log-file some.log --trs-file some.trs \
		-- ./sometimes "$@"
}
again >out
check "asked to: a test that failed runs three times more" equal "$(runs)" 4
check "all passed: it has, and is unstable" grep -q '^PASS: some (1 passed, 0 failed, .*, unstable)' out
check "the log has what failed" grep -q '^passed run: passed run: failed run: FAIL: run 1' some.log
sh "$top_srcdir/tests/closing" suite some.log >out
check "it is named at the end" grep -qx 'unstable: some: failed, then passed 3 times in a row' out
check "the whole log has what failed" grep -q 'FAIL: run 1' suite
again 3 >out
check "one that fails again has failed, and runs no further" equal "$(runs)" 3
check "it is not unstable" grep -q '^FAIL: some (0 passed, 1 failed, 0 skipped, [0-9]* s)' out
sed -i 's/exit 1 ;; esac/exit 0 ;; esac/' sometimes
again >out
check "a failed case whose status is lost has failed, too" equal "$(runs)" 4
rm tests/stalls
drive >out
check "no watch: no second run" equal "$(runs)" 1
check "it leaves nothing behind" equal "$(ls tests)" alone.lock
finish
