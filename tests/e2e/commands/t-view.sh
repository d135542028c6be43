#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ompcount view on a real terminal: its panes and keys, at all sizes and in a plain locale,
# while the size changes, and of hostile names.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
. "$top_srcdir/tests/support/screen.sh"
"$ompcount" view none </dev/null >/dev/null 2>err
check "no such profile" equal "$? $(grep -c '^ompcount: none: ' err)" "1 1"
cat >hot.c <<'END'
static double sum;

__attribute__((noinline)) void inner(int n)
{
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += 1.0 / (i + 1);
}

__attribute__((noinline)) void outer(void)
{
	for (int i = 0; i < 30; i++)
		inner(1000000);
	__asm__ volatile("");
}

int main(void)
{
	outer();
	return sum < 0;
}
END
"$gcc" -g -O1 -fopenmp -o hot hot.c 2>build.log || skip_all "no OpenMP program can be built: $(tail -n 1 build.log)"
"$ompcount" -q -e cpu-clock -F 2000 -o p.omphwc ./hot
"$ompcount" view p.omphwc </dev/null >out 2>err
got=$?
if grep -q "has no ncurses" err; then
	check "without ncurses it says so" equal "$got" 1
	skip "the screen: built without ncurses"
	finish
fi
check "without a terminal it says so" equal "$got $(cat err)" "1 ompcount: view: it needs a terminal: use ompcount report"
view="'$ompcount' view p.omphwc"

for terminal_locale in C C.UTF-8; do
	for columns in 60 80 120 200; do
		screen $columns 24 "$view"
		check "$columns columns, $terminal_locale: the summary" shown '^parallel efficiency'
		check "$columns columns: it fits" fits $columns
		check "and where to begin" shown '^(findings|  !  )'
		[ $columns -lt 80 ] || check "$columns columns: all tables by name" shown \
			'^\[i:summary\]p:tree r:regions c:constructs f:functions l:lines t:threads$'
		keys p
		check "$columns columns, $terminal_locale: the tree" shown ' main$'
		check "$columns columns: it fits" fits $columns
		keys q
		check "$columns columns: q leaves, and restores the screen" shown '^status 0'
	done
done

# selected: the line that is drawn in reverse, but for the first and the last one.
selected() { picture -e | sed '1d;$d' | sed -n 's/^[^ -~]*\[[0-9;]*7m//p' | sed 's/\x1b\[[0-9;]*m//g; s/ *$//'; }
# selects REGEX: waits until a line that matches is selected.
selects() {
	for _ in $(seq 50); do
		selected | grep -qE -- "$1" && return
		sleep 0.1
	done
	picture
	return 1
}
screen 100 30 "$view"
shown '^(findings|  !  )' >/dev/null
check "a finding is selected" selects '^  [!1]'
keys r
check "of the regions the first" selects 'inner:5 \(hot\.c\)'
for _ in 1 2 3 4 5 6 7 8; do
	selected >>rows
	keys Down
done
for _ in 1 2 3 4 5 6 7 8; do
	keys Up
done
sleep 0.5
selected >>rows
check "only rows are selected" equal "$(grep -c . rows) $(grep -vcE '^ +[0-9.]+ ' rows)" "9 0"
keys p
check "the costly path is open" shown '- +outer$'
keys C
check "C closes all" shown '\+ +main$'
check "all" equal "$(picture | grep -c outer)" 0
keys Enter
check "enter opens" shown ' outer$'
keys Left
check "left closes" shown '\+ +main$'
keys E
check "E opens all" shown ' inner$'
keys / i n n e r Enter a
check "a shows the source of what was found" shown '1\.0 / \(i \+ 1\)'
check "with its line" shown ' 7  	*.*sum \+= 1\.0| 7 +sum \+= 1\.0'
check "the hottest one is selected" selects ' [57] .*(sum|pragma)'
keys Escape
check "escape goes back to the tree" shown '\[p:tree\]'
keys r
check "r: regions" shown ' inner:5 \(hot\.c\)$'
keys a
check "a: the source of the selected region" shown '#pragma omp parallel for'
check "at its line" selects ' 5 .*#pragma omp parallel for'
keys q f
check "f: functions" shown ' inner \(hot\.c:3\)$'
keys t
check "t: threads" shown 'thread 0, initial'
keys Enter
check "a thread has no source" shown 'no source is known of it'
keys i
check "i: the summary" shown '^parallel efficiency|^work .* = '
keys l
check "l: lines" shown ' inner \(hot\.c:7\)$'
keys c
check "c: constructs" shown ' in inner \(hot\.c:'
keys s s s
check "s: sorted by another column" shown 'sorted by: wait'
keys h
check "h: help" shown 'annotate: the source'
keys Escape / n o n e s u c h Enter
check "a search that finds nothing" shown 'nonesuch: not found'
resize 60 12
check "the terminal is made small" shown 'imbal|entries|construct'
keys p
check "and the tree is there" shown ' main$'
check "and fits" fits 60
resize 20 4
resize 130 40
keys p
check "and large" shown ' ovhd +self +call tree'
keys q
check "it leaves" shown '^status 0'
# What ends it leaves the terminal as it was.
for end in C-c 'C-\' TERM HUP USR1 XCPU; do
	screen 100 30 "trap : INT QUIT; stty -a | grep -o '.icanon\|.echo ' >before
		bash -c 'echo \$\$ >pid; exec \"\$@\"' bash $view; status=\$?
		stty -a | grep -o '.icanon\|.echo ' | cmp - before; (exit \$status)"
	shown '^parallel efficiency' >/dev/null
	case $end in C-*) keys "$end" ;; *) kill -$end "$(cat pid)" ;; esac
	check "$end ends it" shown 'status [1-9]'
	check "$end: the terminal is restored" equal "$(picture | grep -c 'efficiency\|differ')" 0
done

# Names with control characters, in the program's own path and in its arguments.
evil=$(printf 'e\033[2Jv\302\233il\a')
if cp hot "$evil" 2>/dev/null && "$ompcount" -q -e cpu-clock -o e.omphwc "./$evil" "$evil" 2>err; then
	screen 120 30 "'$ompcount' view e.omphwc"
	keys p
	check "hostile names: the screen stays" shown ' main$'
	keys i
	check "hostile names: they are shown as text" shown 'e\\033\[2Jv\\302\\233il\\007'
	keys q
	check "hostile names: it leaves" shown '^status 0'
else
	skip "hostile names: $(tail -n 1 err)"
fi
screen 100 30 "'$ompcount' view --view machine p.omphwc"
keys p
check "the machine view" shown ' main| start_thread|clone'
keys q
"$ompcount" -q --count -e page-faults -o c.omphwc ./hot
screen 100 30 "'$ompcount' view c.omphwc"
check "what was counted is in the summary" shown ' counted in$'
keys q
screen 100 30 "TERM=dumb $view"
check "a terminal that can't do it" shown 'TERM is not the name of a terminal that can show it: set TERM, or use ompcount report'
# Memory runs out: once a file is there, or after so many allocations.
cat >starve.c <<'END'
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static int starved(void)
{
	static long left = -2;
	const char *after;

	if (left == -2) {
		after = getenv("STARVE_AFTER");
		left = after ? atol(after) : -1;
	}
	if (left > 0)
		left--;
	if (left != 0 && (left > 0 || access("starve", F_OK) != 0))
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t n) { return starved() ? 0 : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return starved() ? 0 : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return starved() ? 0 : __libc_realloc(p, n); }
void *reallocarray(void *p, size_t n, size_t m) { return realloc(p, n * m); }
END
line='ompcount: out of memory: the system refuses more: see ulimit -v and free -h'
if ! "$gcc" -fno-builtin -shared -fPIC -o starve.so starve.c 2>build.log ||
	! LD_PRELOAD=./starve.so "$ompcount" --version >out 2>err || [ -s err ]; then
	skip "without memory: no library can stand in for malloc"
	finish
fi
screen 100 30 "LD_PRELOAD=./starve.so $view"
check "before memory runs out" shown '^parallel efficiency'
touch starve
keys p
keys a
check "without memory it ends, and restores the screen" shown "^${line}status 1|^status 1"
check "without memory it says so in one line" equal "$(picture | grep -v '^status' | grep .)" "$line"
rm -f starve
ended=0 wrong=
for after in $(seq 1 40) 50 70 100 150 200 300 500 700 1000 1500 2000 3000; do
	STARVE_AFTER=$after LD_PRELOAD=./starve.so "$ompcount" report p.omphwc >out 2>err
	got=$?
	# The reader's lack of memory is an error of the file.
	[ $got = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -qxF -e "$line" \
		-e "ompcount: p.omphwc: Cannot allocate memory" err && ended=$((ended + 1)) && continue
	[ $got = 0 ] && continue
	wrong="$wrong $after: $got $(head -n 1 err);"
done
check "a report without memory ends with one line" equal "$wrong" ""
check "it often did" below 10 "$ended"
rm -f r.txt*
STARVE_AFTER=300 LD_PRELOAD=./starve.so "$ompcount" report --format json -o r.txt p.omphwc 2>err
check "no unfinished output is left" equal "$(ls r.txt.* 2>/dev/null)" ""
finish
