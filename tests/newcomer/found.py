# SPDX-License-Identifier: BSD-3-Clause
"""Whether a report leads to a fault.

found.py RULES PLACE LINE FILE HELPS <report.json
  RULES  of findings: names with spaces between them; NAME@thread: it has a thread; "scale": the
         report is scale's
  PLACE  "here": LINE of FILE is in the finding; "function NAME"; "-": anywhere
  HELPS  an expression that the remedy matches; "-": any
Prints the largest finding of these: its part of the elapsed time, a tab, what it says. Ends with
status 1 where there is none. Lines are those of directives, or in them: a construct's own lines.
"""
import json
import os
import re
import sys


def names_line(text, file, line):
    """Whether "(FILE:A)", "(FILE:A-B)" or "NAME:A (FILE)" in a text has the line in it."""
    name = re.escape(file)
    spans = re.findall(r"\(%s:(\d+)(?:-(\d+))?\)" % name, text)
    spans += [(n, "") for n in re.findall(r":(\d+) \(%s\)" % name, text)]
    # A directive's code begins at the statement after it, at the latest.
    return any(int(a) - 2 <= line <= int(b or a) for a, b in spans)


def is_at(text, place, line, file):
    if place == "here":
        return names_line(text, file, line)
    return place == "-" or re.search(r"\b%s\b" % re.escape(place.split()[1]), text)


def of_scale(report):
    for row in report["grows"]:
        if row["kind"] == "line":
            text = "%s (%s:%s)" % (row["name"], row["file"], row["line"])
            yield row["share"], text, text, ""


def of_findings(report, rules):
    for f in report["findings"]:
        if f["rule"] in rules or f["thread"] is not None and f["rule"] + "@thread" in rules:
            gain = f["gain_ns"]
            part = gain / report["time"]["elapsed_ns"] if gain is not None else 1
            region = f["region"] or {"file": None, "line": 0}
            at = "(%s:%s)" % (os.path.basename(region["file"] or ""), region["line"])
            yield part, f["what"], "; ".join((f["what"], f["why"], at)), f["helps"]


def main():
    rules, place, line, file = sys.argv[1].split(), sys.argv[2], int(sys.argv[3]), sys.argv[4]
    remedy = "" if sys.argv[5] == "-" else sys.argv[5]
    report = json.load(sys.stdin)
    found = of_scale(report) if rules == ["scale"] else of_findings(report, rules)
    found = [(part, what) for part, what, text, helps in found
             if is_at(text, place, line, file) and re.search(remedy, helps)]
    if not found:
        all_found = [f["rule"] + ": " + f["what"] for f in report.get("findings", [])]
        sys.exit("; ".join(all_found) or "nothing")
    print("%.4f\t%s" % max(found))


main()
