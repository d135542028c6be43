# SPDX-License-Identifier: BSD-3-Clause
# exports.py - adds up what report has written for other tools, and compares each sum with the
# profile's total in the JSON report.
#
# usage: exports.py WHAT FOLDER SCHEMA [pandas].  The folder has the files of t-exports.sh; each case is
# reported by a line PASS, FAIL or SKIP.
import csv
import json
import os
import re
import sys

what, folder, schema = sys.argv[1:4]
with_pandas = "pandas" in sys.argv[4:]


def path(name):
    return os.path.join(folder, name)


def case(name, good, why=""):
    print("PASS: %s: %s" % (what, name) if good else "FAIL: %s: %s: %s" % (what, name, why))


def equal(name, sums, totals):
    case(name, sums == totals, "%s is not %s" % (sums, totals))


report = json.load(open(path("json")))
events = [e for e in report["events"] if e["sampled"]]
labels = [e["label"] for e in events]
totals = [e["total"]["weight"] for e in events]
case("there are samples", sum(totals) > 0, "none")


def check_schema():
    try:
        import jsonschema
    except ImportError:
        print("SKIP: %s: schema: no python3-jsonschema" % what)
        return
    errors = list(jsonschema.Draft202012Validator(json.load(open(schema))).iter_errors(report))
    case("the JSON report fits its schema", not errors, errors and errors[0].message)


def check_folded():
    for by in "path", "thread", "lines":
        sums = []
        for number, label in enumerate(labels):
            lines = open(path("folded.%s.%d" % (by, number))).read().splitlines()
            sums.append(sum(int(l.rsplit(" ", 1)[1]) for l in lines if not l.startswith("# ")))
        equal("folded, %s" % by, sums, totals)


def column(event, part=""):
    unit = "ns" if event["unit"] == "ns" else "events"
    return "%s_%s%s" % (event["label"], part, unit)


def check_csv():
    for name in sorted(os.listdir(folder)):
        if not name.startswith("csv."):
            continue
        rows = list(csv.DictReader(open(path(name), newline="")))
        case("%s: each row has all columns" % name,
             all(None not in r and None not in r.values() for r in rows), "not so")
        if name == "csv.time" and rows:
            equal(name, [sum(int(r["weight"]) for r in rows if r["event"] == l) for l in labels],
                  totals)
        if name in ("csv.task", "csv.device", "csv.dependence", "csv.descriptor", "csv.count",
                    "csv.blame", "csv.time", "csv.parallelism", "csv.finding"):
            continue
        equal(name, [sum(int(r[column(e)]) for r in rows) for e in events], totals)
        if name == "csv.cpu":
            continue
        parts = [sum(int(r.get(column(e, p), 0)) for r in rows
                     for p in ("work_", "wait_", "overhead_", "mpi_", "blocked_")) for e in events]
        equal("%s, by class" % name, parts, totals)


def check_pandas():
    try:
        import pandas
    except ImportError:
        print("SKIP: %s: pandas: no python3-pandas" % what)
        return
    table = pandas.read_csv(path("csv.path"))
    equal("pandas, csv", [int(table[column(e)].sum()) for e in events], totals)
    roots = table[table.parent == 0]
    equal("pandas, inclusive", [int(roots[column(e, "inclusive_")].sum()) for e in events], totals)
    flat = pandas.json_normalize(hatchet_nodes(json.load(open(path("hatchet")))))
    equal("pandas, hatchet", [int(flat["metrics." + m].sum()) for m in metrics()], totals)


def metrics():
    shown = report["events"][report["event"]]
    return ["time" if e is shown and e["unit"] == "ns" else e["label"] for e in events]


def hatchet_nodes(nodes):
    todo, found = list(nodes), []
    while todo:
        node = todo.pop()
        found.append(node)
        todo += node["children"]
    return found


# What Hatchet's reader of literals asks for.
def check_hatchet():
    nodes = hatchet_nodes(json.load(open(path("hatchet"))))
    case("hatchet: a name, a type and metrics in each node",
         all(n["frame"]["name"] and n["frame"]["type"] and n["metrics"] for n in nodes), "not so")
    case("hatchet: no attribute is null",
         all(v is not None for n in nodes for v in n["frame"].values()), "one is")
    equal("hatchet", [sum(n["metrics"][m] for n in nodes) for m in metrics()], totals)
    case("hatchet: inclusive metrics", all(
        n["metrics"][m + " (inc)"] == n["metrics"][m] + sum(
            c["metrics"][m + " (inc)"] for c in n["children"])
        for n in nodes for m in metrics()), "not own and children's")


def check_speedscope():
    for name in "speedscope", "speedscope.thread":
        file = json.load(open(path(name)))
        sums = dict.fromkeys(labels, 0)
        frames = len(file["shared"]["frames"])
        for p in file["profiles"]:
            case("%s: %s" % (name, p["name"]),
                 p["type"] == "sampled" and len(p["samples"]) == len(p["weights"]) and
                 p["endValue"] - p["startValue"] == sum(p["weights"]) and
                 all(0 <= f < frames for s in p["samples"] for f in s), "its parts do not fit")
            sums[p["name"].split(", ")[0]] += sum(p["weights"])
        equal(name, list(sums.values()), totals)
        case("%s: the profile that is shown first" % name,
             file["profiles"][file["activeProfileIndex"]]["name"].startswith(labels[0]), "another")


def check_callgrind():
    sums, call = [0] * len(events), False
    for line in open(path("callgrind")):
        if line.startswith("calls="):
            call = True
        elif line[0].isdigit():
            numbers = line.split()[1:]
            if not call:
                sums = [a + int(b) for a, b in zip(sums, numbers)]
            call = False
    equal("callgrind", sums, totals)
    if not os.path.exists(path("callgrind.annotated")):
        print("SKIP: %s: callgrind_annotate: no valgrind" % what)
        return
    for line in open(path("callgrind.annotated")):
        if line.rstrip().endswith("PROGRAM TOTALS"):
            found = re.findall(r"([0-9,]+) \(", line)
            equal("callgrind_annotate", [int(n.replace(",", "")) for n in found], totals)
            return
    case("callgrind_annotate", False, "no totals")


# callgrind_annotate adds up the calls of each function. It shows code whose lines are known, but not
# its function's file (the dynamic linker's assembly), once for each of the two files.
def check_inclusive():
    if not os.path.exists(path("callgrind.inclusive")):
        return
    found = {}
    for line in open(path("callgrind.inclusive")):
        parts = re.match(r"\s*([0-9,]+) \(.*%\) .*?[^ ]:(\S.*?)( \[[^]]*\])?$", line)
        if parts:
            found.setdefault(parts.group(2), []).append(int(parts.group(1).replace(",", "")))
    rows = list(csv.DictReader(open(path("csv.function"), newline="")))
    names = [r["function"] for r in rows]
    once = [r for r in rows if names.count(r["function"]) == 1 and r["function"] in found and
            re.fullmatch(r"\w+", r["function"])]
    wrong = [r["function"] for r in once
             if set(found[r["function"]]) != {int(r[column(events[0], "inclusive_")])}]
    case("callgrind_annotate: functions with what they call", once and not wrong, wrong[:3])


# The text of protoc --decode.
def check_pprof():
    if not os.path.exists(path("pprof.text")):
        print("SKIP: %s: pprof: not built, or no protoc" % what)
        return
    kind, types, strings, samples = None, [], [], []
    for line in open(path("pprof.text")):
        word = line.split()
        if not line.startswith(" "):
            kind = word[0]
            if kind == "sample":
                samples.append([])
            if kind == "string_table:":
                strings.append(line.split(" ", 1)[1].strip()[1:-1])
        elif line.startswith("  type: ") and kind == "sample_type":
            types.append(int(word[1]))
        elif line.startswith("  value: "):
            samples[-1].append(int(word[1]))
    names = [strings[t] for t in types]
    sums = [sum(s[names.index(label)] for s in samples) for label in labels]
    equal("pprof", sums, totals)


check_schema()
check_folded()
check_csv()
check_hatchet()
if with_pandas:
    check_pandas()
check_speedscope()
check_callgrind()
check_inclusive()
check_pprof()
