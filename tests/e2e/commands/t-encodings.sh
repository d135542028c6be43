#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Names that are no UTF-8, or that have characters which a terminal obeys or hides: every output is
# what its format says, and has none of these characters.
. "$(dirname "$0")/../../support/lib.sh"
need_tool
command -v python3 >/dev/null || skip_all "no python3"

# Bytes that are no UTF-8, a surrogate and an overlong one; ESC, BEL, DEL and C1's CSI; the
# directions' embedding and isolate; characters without a shape, of the first plane and the 14th.
bad=$'\xff\xed\xa0\x80\xc0\xaf\xf4\x90\x80\x80\x1b[31m\a\x7f\xc2\x9b32m'
hidden=$'\xe2\x80\xaetxt.\xe2\x81\xa6\xe2\x80\x8b\xef\xbb\xbf\xc2\xad\xe2\x80\xa8\xf3\xa0\x80\x81'
evil="$bad$hidden<!--<script>&amp;\"'=,;"
fine=$'\xc3\xa4\xe6\xbc\xa2\xf0\x9f\x98\x80'

folder=$work/$evil$fine
mkdir "$folder" || skip_all "the file system takes no such names"
printf '#line 5 "%s"\n' "$(printf %s "$evil" | sed 's/["\\]//g')$fine.c" >"$folder/a$evil.c"
cat >>"$folder/a$evil.c" <<'END'
#include <omp.h>
#include <time.h>

void odd(double until) __asm__("odd\377\342\200\256\342\201\246\302\233\303\244");

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

void odd(double until)
{
#pragma omp critical
	while (now() < until)
		;
}

int main(void)
{
#pragma omp parallel
	{
		odd(now() + 0.05);
#pragma omp barrier
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 4; i++)
			odd(now() + 0.01);
	}
	return 0;
}
END
compiler=$gcc
"$compiler" -g -O1 -fopenmp -x c -o "$folder/$evil$fine" "$folder/a$evil.c" 2>build.log || skip_all "gcc cannot build it: $(tail -n 1 build.log)"
p=$folder/p$evil.omphwc

cat >check.py <<'END'
import csv, io, json, re, sys, unicodedata
kind, path = sys.argv[1:]
raw = open(path, "rb").read()
def hidden(s, but="\n"):
    return sorted({hex(ord(c)) for c in s if c not in but and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")})
if kind == "pprof":
    import gzip
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    for c in ("\u202e", "\u2066", "\x9b", "\u200b"):
        assert c.encode() not in raw, hex(ord(c))
    sys.exit()
text = raw.decode("utf-8")
assert not hidden(text, "\n\t"), hidden(text, "\n\t")
assert text.strip()
def names(o):
    if isinstance(o, dict):
        for v in o.values(): yield from names(v)
    elif isinstance(o, list):
        for v in o: yield from names(v)
    elif isinstance(o, str):
        yield o
if kind == "json":
    o = json.loads(text)
    all = list(names(o))
    assert any("\u6f22" in s for s in all), "the name is lost"
    json.dumps(o, ensure_ascii=False).encode("utf-8")
elif kind == "csv":
    rows = [r for r in csv.reader(io.StringIO(text), strict=True) if r]
    assert rows
elif kind == "html":
    data = re.search(r'<script[^>]*id="?data"?[^>]*>(.*?)</script>', text, re.S).group(1)
    assert "<!--" not in data and "<script" not in data, "ends the page's data"
    for s in names(json.loads(data)):
        assert not hidden(s, "\n\t\x1b\x07"), (s, hidden(s))
END

# is KIND WHAT FILE
is() { check "$2" python3 check.py "$1" "$3"; }

cd "$folder" || exit 1
"$ompcount" -F 2000 -e cpu-clock --timeline --entries --blame --trace -o "$p" -- "$folder/$evil$fine" "$evil" "$fine" >"$work/out" 2>"$work/err"
cd "$work" || exit 1
is text "the summary" err
for f in "" "--by "{region,construct,function,line,path,thread,state,module,file,cpu,rank,host,address,blame,time,task,count} \
	"--calls main" "--view machine" "--view expert" --annotate; do
	# shellcheck disable=SC2086
	"$ompcount" report $f "$p" >out 2>&1
	is text "text${f:+, $f}" out
done
for f in json speedscope hatchet trace; do
	"$ompcount" report -f $f -o out "$p" 2>err
	is json "$f" out
done
for f in folded callgrind; do
	"$ompcount" report -f $f -o out "$p" 2>err
	is text "$f" out
done
"$ompcount" report -f csv -o out "$p" 2>err
is csv csv out
for by in function line region thread path module construct task time; do
	"$ompcount" report -f csv --by $by -o out "$p" 2>err && is csv "csv --by $by" out
done
"$ompcount" report -f html -o out "$p" 2>err
is html html out
"$ompcount" report -f pprof -o out "$p" 2>err && is pprof pprof out
"$ompcount" list "$p" >out 2>&1
is text list out
"$ompcount" diff "$p" "$p" >out 2>&1
is text diff out
"$ompcount" diff -f json "$p" "$p" >out 2>err
is json "diff -f json" out
"$ompcount" merge -o "m$evil.omphwc" "$p" "$p" >out 2>&1
cat out - >out2 <<<end
is text merge out2
"$ompcount" report "$evil" "$p.$evil" >out 2>&1
is text "a name that is none" out
"$ompcount" "$evil" >out 2>&1
is text "a program that is none" out
"$ompcount" --"$evil" true >out 2>&1
is text "an option that is none" out
finish
