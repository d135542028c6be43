#!/bin/bash
# ompcount view on a real terminal: its panes and keys, at all sizes and in a plain locale,
# while the size changes, and of hostile names.
. "$(dirname "$0")/lib.sh"
need_tool
. "$top_srcdir/tests/screen.sh"
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
check "without a terminal it says so" equal "$got $(cat err)" "1 ompcount: view: it needs a terminal: say ompcount report"
view="'$ompcount' view p.omphwc"

for terminal_locale in C C.UTF-8; do
	for columns in 60 80 120 200; do
		screen $columns 24 "$view"
		check "$columns columns, $terminal_locale: the tree" shown ' main$'
		check "$columns columns: it fits" fits $columns
		keys q
		check "$columns columns: q leaves, and restores the screen" shown '^status 0'
	done
done

screen 100 30 "$view"
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
keys Escape
check "escape goes back to the tree" shown '\[p:tree\]'
keys r
check "r: regions" shown ' inner:5 \(hot\.c\)$'
keys a
check "a: the source of the selected region" shown '#pragma omp parallel for'
keys q f
check "f: functions" shown ' inner \(hot\.c:3\)$'
keys t
check "t: threads" shown 'thread 0, initial'
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
screen 100 30 "$view"
shown ' main$' >/dev/null
keys C-c
check "an interrupt ends it" shown '^status [1-9]'

# Names with control characters, in the program's own path and in its arguments.
evil=$(printf 'e\033[2Jv\302\233il\a')
if cp hot "$evil" 2>/dev/null && "$ompcount" -q -e cpu-clock -o e.omphwc "./$evil" "$evil" 2>err; then
	screen 120 30 "'$ompcount' view e.omphwc"
	check "hostile names: the screen stays" shown ' main$'
	keys i
	check "hostile names: they are shown as text" shown 'e\\033\[2Jv\\302\\233il\\007'
	keys q
	check "hostile names: it leaves" shown '^status 0'
else
	skip "hostile names: $(tail -n 1 err)"
fi
screen 100 30 "'$ompcount' view --view machine p.omphwc"
check "the machine view" shown ' main| start_thread|clone'
keys q
screen 100 30 "TERM=dumb $view"
check "a terminal that can't do it" shown 'TERM is not the name of a terminal that can show it: set TERM, or say ompcount report'
finish
