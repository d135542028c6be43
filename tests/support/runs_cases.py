# SPDX-License-Identifier: BSD-3-Clause
"""runs_cases.py - opens pages of `ompcount history`, `scale` and `diff` in a browser.

runs_cases.py HISTORY.html HISTORY.json THREADS.html HOSTILE.html: the page and the JSON of one history,
that of one in which the numbers of threads differ, and of one with hostile names.
runs_cases.py --scale PAGE.html TABLE.csv, --diff PAGE.html DIFF.json: those of the other commands.
Prints PASS and FAIL lines as tests/driver counts them.
"""
import csv
import json
import sys
import tempfile

import page_cases as page
from page_cases import RIGHT, by_itself, check, equal, themes, whole

CHANGES = """
return [...document.querySelectorAll(".changes tbody tr")].map((r) => [...r.cells].map((c) => c.textContent));
"""


def history(b, data):
    rows = b.run(CHANGES)
    equal("each change has a row", len(rows), sum(len(s["changes"]) for s in data["series"]))
    equal("the newest comes first", [r[0] for r in rows], sorted((r[0] for r in rows), reverse=True))
    equal("each number has a chart", b.run("return document.querySelectorAll('.chart').length"), len(data["series"]))
    equal("with its changes", b.run("return document.querySelectorAll('.chart-change').length"), len(rows))
    equal("and each point a row", b.run("return document.querySelectorAll('.points tbody tr').length"), len(data["points"]))
    dots = b.run("return [...document.querySelectorAll('.chart-dots')].map((p) => p.getAttribute('d').split('M').length - 1)")
    equal("a dot for each value", dots, [sum(v is not None for v in s["values"]) for s in data["series"]])
    b.run("document.querySelector('.chart').focus()")
    b.keys(RIGHT)
    check("arrow keys show a point", data["points"][-1]["label"] in b.run(
        "return document.querySelector('figure [aria-live]').textContent"))
    b.run("document.activeElement.blur()")
    equal("the tip goes with the focus", b.run("return document.getElementById('tip').hidden"), True)


def scale(name, table):
    with open(table, newline="") as f:
        rows = [r for r in csv.DictReader(f) if r["region"] == "(run)"]
    with tempfile.TemporaryDirectory() as folder, page.browser(folder) as b:
        b.open(name)
        by_itself(b, "the page of scale", name)
        shown = b.run("return [...document.querySelectorAll('#summary tbody tr')].map((r) => r.cells[0].textContent)")
        equal("each number of threads has a row", shown, [r["threads"] for r in rows])
        check("each region has a chart", b.run("return document.querySelectorAll('.chart').length") > 3)
        themes(b)
        whole(b, name)
    return page.failed != 0


def diff(name, data):
    with open(data) as f:
        data = json.load(f)
    with tempfile.TemporaryDirectory() as folder, page.browser(folder) as b:
        b.open(name)
        by_itself(b, "the page of diff", name)
        percent = abs(data["verdict"]["change_percent"])
        check("it begins with the verdict", f"{percent:.1f} %" in b.run(
            "return document.querySelector('#summary h1 + .verdict').textContent"))
        words = b.run("return [...document.querySelectorAll('#regions tbody .word')].map((w) => w.textContent)")
        equal("a region's row says whether it is noise", words[:20], [
            "within noise" if r["within_noise"] else "more" if r["change"] > 0 else "less"
            for r in data["regions"] if r["before"] and r["after"]][:20])
        check("with what threads did", b.run("return document.querySelectorAll('#regions .part.work').length") > 0)
        rows = b.run("return JSON.parse(document.getElementById('data').textContent)")
        equal("of long tables the first rows are there, and how many are not",
              [len(rows[t]) + rows["left"][t] for t in ("lines", "paths")], [len(data[t]) for t in ("lines", "paths")])
        check("at most a hundred", max(len(rows[t]) for t in ("lines", "paths")) <= 100)
        themes(b)
        whole(b, name)
    return page.failed != 0


def main():
    if sys.argv[1] == "--diff":
        return diff(*sys.argv[2:])
    if sys.argv[1] == "--scale":
        return scale(*sys.argv[2:])
    name, data, threads, bad = sys.argv[1:]
    with open(data) as f:
        data = json.load(f)
    with tempfile.TemporaryDirectory() as folder, page.browser(folder) as b:
        b.open(name)
        by_itself(b, "the history's page", name)
        history(b, data)
        themes(b)
        whole(b, name)
        b.open(threads)
        by_itself(b, "threads that differ", threads)
        check("are a warning", "Threads differ" in b.run("return document.querySelector('.warning').textContent"))
        check("and a mark in each chart", b.run("return document.querySelectorAll('.chart').length === "
                                                "document.querySelectorAll('.chart-mark').length"))
        b.open(bad)
        by_itself(b, "hostile names", bad)
        equal("no name became an element",
              b.run("return document.querySelectorAll('img, iframe, main script').length"), 0)
        equal("nor ran", b.run("return window.ran === undefined"), True)
    return page.failed != 0


if __name__ == "__main__":
    sys.exit(main())
