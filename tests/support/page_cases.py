# SPDX-License-Identifier: BSD-3-Clause
"""page_cases.py - opens pages of `ompcount report --format html` in a browser, and uses them.

page_cases.py REPORT.html REPORT.json FOLDED HOSTILE.html MODULES MANY.html COUNTS.html GOLDEN: the page, the JSON report
and the folded paths of one profile with two events, a page of a program with hostile names, the folder
of the page's modules, a page of 64 threads, 200 regions and stacks of 300 levels, one of counts alone, and
the golden data of a page.  Prints PASS and FAIL lines as tests/driver counts them.
"""
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from browser import Browser

failed = 0

ENTER, ESCAPE, TAB, DOWN, RIGHT = "\ue007", "\ue00c", "\ue004", "\ue015", "\ue014"


def check(what, good, detail=""):
    global failed
    print(f"PASS: {what}" if good else f"FAIL: {what}: {str(detail)[:300]}", flush=True)
    failed += not good


def equal(what, is_, expected):
    check(what, is_ == expected, f"{is_!r} is not {expected!r}")


def near(what, is_, expected, within):
    check(what, abs(is_ - expected) <= within, f"{is_} is not {expected}")


def percents(text):
    """The first number before a % sign."""
    return float(text.split("%")[0].split()[-1])


def by_itself(b, what, path):
    """Nothing was loaded but the page, and the console is empty."""
    urls = [m["params"]["request"]["url"] for m in
            (json.loads(e["message"])["message"] for e in b.log("performance"))
            if m["method"] == "Network.requestWillBeSent"]
    others = [u for u in urls if not u.startswith("data:") and not u.endswith(path)]
    equal(f"{what}: no request", others, [])
    equal(f"{what}: no message in the console", [e["message"] for e in b.log("browser")], [])
    equal(f"{what}: it is ready", b.run("return document.documentElement.dataset.ready"), "yes")


def modules(folder):
    """Each module imports what it uses of others, though the page has them in one script."""
    text = {f: open(os.path.join(folder, f), encoding="utf-8").read()
            for f in os.listdir(folder) if f.endswith(".js")}
    exports = {f: set(re.findall(r"^export (?:const|function) (\w+)", s, re.M)) for f, s in text.items()}
    wrong = []
    for f, s in text.items():
        imports = {n: g for names, g in re.findall(r'^import \{ (.*) \} from "\./(.*)";$', s, re.M)
                   for n in names.split(", ")}
        code = re.sub(r"^import .*$|/\*.*?\*/", "", s, flags=re.M)
        wrong += [f"{f}: {n} is not in {g}" for n, g in imports.items() if n not in exports.get(g, ())]
        wrong += [f"{f}: {n} is not used" for n in imports if not re.search(rf"(?<![.\w]){n}\b", code)]
        wrong += [f"{f}: {n} of {g} is not imported" for g in exports if g != f for n in exports[g]
                  if n not in imports and re.search(rf"(?<![.\w]){n}\(", code)
                  and not re.search(rf"(function|const) {n}\b", code)]
    equal("modules import what they use", wrong, [])


# ---- the flame graph ---------------------------------------------------------------------------

CELLS = """
const data = JSON.parse(document.getElementById("data").textContent), sums = [];
for (const view of Object.values(data.flames))
    for (const tree of [view.callees, view.callers])
        sums.push(tree.cells.map((c) => c.reduce((a, n, i) => i % 4 === 2 ? a + n : a, 0)));
return sums;
"""

FRAMES = """
return [...document.querySelectorAll("#flame-graph .frame")].map((f) => {
    const r = f.getBoundingClientRect();
    return { name: f.firstChild ? f.firstChild.textContent : "", label: f.getAttribute("aria-label"),
        level: Number(f.getAttribute("aria-level")), left: r.left, width: r.width, top: r.top,
        tab: f.tabIndex, node: f.dataset.node };
});
"""


# What stands for frames that are too narrow to be drawn.
MARKS = """
return [...document.querySelectorAll("#flame-graph .narrow")].map((f) => {
    const r = f.getBoundingClientRect();
    return { width: r.width, top: r.top };
});
"""


def frame(b, name):
    return next(f for f in b.run(FRAMES) if f["name"] == name)


def choose(b, group, value):
    b.click(f'[aria-label="{group}"] [data-value="{value}"]')


def flame_totals(b, report):
    totals = [e["total"]["weight"] for e in report["events"]]
    for sums in b.run(CELLS):
        equal("a root is the total of each event", sums, totals)
    for view in "expert", "machine", "user":
        choose(b, "View", view)
        frames = b.run(FRAMES)
        equal(f"{view}: the outermost frame has all", frames[0]["label"].split(",")[:2], ["all", " 100.0 %"])
        below = [f for f in frames if f["level"] == 2]
        below += [m for m in b.run(MARKS) if abs(m["top"] - below[0]["top"]) < 1]
        near(f"{view}: the frames below it are as wide", sum(f["width"] for f in below),
             frames[0]["width"], 4 + len(below))


def flame_zoom(b):
    whole = frame(b, "all")["width"]
    step = frame(b, "step")
    b.click(f'.frame[data-node="{step["node"]}"]')
    near("a frame that is clicked on gets all the width", frame(b, "step")["width"], whole, 2)
    b.run("document.querySelector('.frame[tabindex=\"0\"]').focus()")
    b.keys(ESCAPE)
    near("Escape shows all", frame(b, "step")["width"], step["width"], 2)


def folded_share(path, name):
    """The share of the folded paths that have a function of that name."""
    part = total = 0
    with open(path) as f:
        for line in f:
            names, count = line.rstrip("\n").rsplit(" ", 1)
            total += int(count)
            part += int(count) if name in names else 0
    return 100 * part / total


def flame_search(b, folded):
    b.type("#flame-search", "smooth")
    found = b.run("return document.getElementById('flame-found').textContent")
    near("a search shows the share of what matches", percents(found), folded_share(folded, "smooth"), 0.06)
    hits = b.run("return [...document.querySelectorAll('.frame.hit')].map((f) => f.firstChild ? "
                 "f.getAttribute('aria-label') : 'smooth')")
    check("and marks it", hits and all("smooth" in h for h in hits), hits)
    b.run("const s = document.getElementById('flame-search'); s.value = '('; "
          "s.dispatchEvent(new Event('input'))")
    check("what is no expression is text", "frame" in b.run(
        "return document.getElementById('flame-found').textContent"))
    b.run("const s = document.getElementById('flame-search'); s.value = ''; "
          "s.dispatchEvent(new Event('input'))")


def flame_inverted(b, report):
    choose(b, "Direction", "callers")
    top = max(report["functions"], key=lambda f: f["self"][0]["weight"])
    share = 100 * top["self"][0]["weight"] / report["events"][0]["total"]["weight"]
    first = next(f for f in b.run(FRAMES) if f["level"] == 2)
    equal("inverted: the first frame is the function with the most own cost", first["name"], top["name"])
    near("and has it", percents(first["label"][len(top["name"]):]), share, 0.06)
    choose(b, "Direction", "callees")


def flame_elapsed(b, report):
    """Widths of elapsed time: all of it, of which main has another part than of threads' time."""
    label = frame(b, "main")["label"]
    choose(b, "Width", "elapsed")
    near("elapsed time: the root is what the run took", b.run(
        "const d = JSON.parse(document.getElementById('data').textContent);"
        "return d.elapsed.user.callees.cells[d.elapsed_event].reduce((a, n, i) => i % 4 === 2 ? a + n : a, 0)"),
        report["processes"][0]["elapsed_ns"], 0.001 * report["processes"][0]["elapsed_ns"])
    check("main has another share of it", frame(b, "main")["label"] != label, label)
    check("and the page says what widths are", "Widths are elapsed time" in b.run(
        "return document.getElementById('flame-note').textContent"))
    choose(b, "Width", "threads")
    equal("and threads' time again", frame(b, "main")["label"], label)


def flame_keys(b):
    b.run("document.querySelector('.frame[tabindex=\"0\"]').focus()")
    b.keys(DOWN, DOWN)
    active = b.run("return document.activeElement.getAttribute('aria-label')")
    level = b.run("return document.activeElement.getAttribute('aria-level')")
    equal("arrow keys move to callees", level, "3")
    equal("a tip shows what the frame is", b.run("return document.getElementById('tip').hidden"), False)
    b.keys(ENTER)
    check("Enter zooms", b.run("return document.activeElement.getAttribute('aria-label')") == active and
          b.run("return document.activeElement.offsetWidth > 0.99 * "
                "document.getElementById('flame-graph').clientWidth - 2"), active)
    b.keys(ESCAPE)
    frames = b.run(FRAMES)
    equal("one frame can be reached by Tab", sum(f["tab"] == 0 for f in frames), 1)
    check("each frame has a name for a screen reader", all(f["label"] for f in frames))
    b.keys("/")
    equal("/ goes to the search", b.run("return document.activeElement.id"), "flame-search")


# ---- tables ------------------------------------------------------------------------------------

ROWS = """
return [...document.querySelectorAll("#regions tr[data-region]")].map((r) =>
    [...r.cells].map((c) => c.textContent));
"""


def sort_by(b, name):
    b.run("[...document.querySelectorAll('#regions thead button')].find((x) => "
          "x.textContent === arguments[0]).click()", name)


def regions(b, report, event):
    """The shares are those of the JSON report; columns sort."""
    total = report["events"][event]["total"]["weight"]
    shares = sorted((100 * r["self"][event]["weight"] / total for r in report["regions"]), reverse=True)
    shown = [percents(row[1]) for row in b.run(ROWS)]
    check(f"event {event}: regions have their shares",
          len(shown) == len(shares) and all(abs(a - c) < 0.06 for a, c in zip(shown, shares)),
          (shown, shares))


def regions_sort(b):
    sort_by(b, "Imbalance")
    values = [0 if r[5] == "–" else float(r[5].split()[0]) for r in b.run(ROWS)]
    equal("a click sorts by that column", values, sorted(values, reverse=True))
    equal("and says so", b.run("return [...document.querySelectorAll('#regions th')].filter((t) => "
                               "t.getAttribute('aria-sort') === 'descending').map((t) => t.textContent)"),
          ["Imbalance"])
    sort_by(b, "Region")
    names = [r[0][1:] for r in b.run(ROWS)]
    equal("names ascend", names, b.run("return arguments[0].sort((a, b) => a.localeCompare(b))", names))
    sort_by(b, "Share")


def region_detail(b):
    opened = b.run("return document.querySelectorAll('#regions .detail').length")
    b.run("document.querySelector('#regions .expand[aria-expanded=\"false\"]').focus()")
    b.keys(ENTER)
    equal("a region opens by the keyboard", b.run("return document.querySelectorAll('#regions .detail').length"),
          opened + 1)
    check("and shows its threads", b.run("return document.querySelectorAll('#regions .detail svg').length") > 0)


def heat_map(b, report):
    cells = b.run("return document.querySelectorAll('#heat-map .cell').length")
    rows = b.run("return document.querySelectorAll('#heat-map tbody tr').length")
    equal("the heat map has a row for each thread", rows, len(report["threads"]))
    check("and a column for each region", cells % rows == 0 and cells >= rows, cells)
    b.run("document.querySelector('#heat-map .cell').focus()")
    b.keys(RIGHT)
    equal("whose cells arrow keys reach", b.run("return document.activeElement.dataset.column"), "1")


def timeline(b, report):
    """The cells have what the lanes of the JSON report have, and arrow keys show what is where."""
    want = [0] * len(report["events"])
    for one in report["timeline"]["lanes"]:
        want[one["event"]] += sum(one["weights"])
    equal("the timeline has what was placed in time", b.run(
        "return JSON.parse(document.getElementById('data').textContent).timeline.events.map((e) => "
        "e ? e.cells.reduce((a, n, i) => i % 4 === 3 ? a + n : a, 0) : 0)"), want)
    equal("a lane for each thread", b.run("return document.querySelectorAll('#lanes .lane').length"),
          len(report["threads"]))
    check("with something in it", b.run("return document.querySelectorAll('#lanes path').length") > 0)
    b.run("document.getElementById('lanes').focus()")
    b.keys(RIGHT, RIGHT, DOWN)
    check("arrow keys show what a thread did when",
          "from" in b.run("return document.getElementById('lanes-said').textContent"))
    choose(b, "Colour of the lanes", "region")
    check("or in which region", b.run("return document.querySelectorAll('#lanes [class*=lanes-]').length") > 0)


def source(b):
    lines = b.run("return document.querySelectorAll('#source-text .code').length")
    check("the source is there", lines > 20, lines)
    b.run("document.querySelector('#regions .parts .link').click()")
    check("a line opens", b.run("const a = document.querySelector('#source-text .asked'); "
                                "return a && a.id.startsWith('line-')"))


# ---- the whole page ----------------------------------------------------------------------------

CONTRAST = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const light = (colour) => {
    canvas.fillStyle = "#fff"; canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => {
        c /= 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const style = getComputedStyle(document.documentElement);
const of = (name) => light(style.getPropertyValue(name).trim());
const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
return [["--text", "--page"], ["--muted", "--page"], ["--muted", "--raised"], ["--link", "--page"],
    ["--bad", "--page"], ["--fair", "--page"], ["--good", "--page"], ["--mark", "--page"],
    ["--text", "--work-soft"], ["--text", "--wait-soft"], ["--text", "--overhead-soft"],
    ["--text", "--mpi-soft"], ["--text", "--blocked-soft"], ["--on-mpi", "--mpi"], ["--on-blocked", "--blocked"],
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => ["--text", "--module" + i])]
    .map(([a, b]) => [a + " on " + b, ratio(of(a), of(b))]).filter(([, r]) => r < 4.5);
"""


# Classes' colours as people see them who lack one kind of cones, and as all others do: the least
# difference of two, in CIE L*a*b*.
ALIKE = """
const seen = [
    [1, 0, 0, 0, 1, 0, 0, 0, 1],
    [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
    [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
    [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039]];
const xyz = [0.4339, 0.3762, 0.1899, 0.2126, 0.7152, 0.0722, 0.0177, 0.1095, 0.8729];
const times = (m, v) => [0, 3, 6].map((i) => m[i] * v[0] + m[i + 1] * v[1] + m[i + 2] * v[2]);
const lab = (rgb, m) => {
    const f = times(xyz, times(m, rgb).map((c) => Math.min(1, Math.max(0, c))))
        .map((t) => t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])];
};
const style = getComputedStyle(document.documentElement);
const colours = (end) => ["work", "wait", "overhead", "mpi", "blocked"].map((c) => {
    const hex = style.getPropertyValue("--" + c + end).trim();
    return [c, [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
        .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)];
});
const alike = [];
for (const [end, least] of [["", 20], ["-soft", 12]])
    for (const [a, x] of colours(end))
        for (const [b, y] of colours(end))
            for (const m of seen) {
                const u = lab(x, m), v = lab(y, m);
                if (a < b && Math.hypot(u[0] - v[0], u[1] - v[1], u[2] - v[2]) < least)
                    alike.push(a + end + " " + b + end);
            }
return alike;
"""


def themes(b):
    was = b.run("return [document.documentElement.dataset.theme, "
                "getComputedStyle(document.body).backgroundColor]")
    equal("text can be read", b.run(CONTRAST), [])
    equal("classes differ for colour-blind people", b.run(ALIKE), [])
    b.click("#theme")
    now = b.run("return [document.documentElement.dataset.theme, "
                "getComputedStyle(document.body).backgroundColor]")
    check("a click changes light and dark", was[0] != now[0] and was[1] != now[1], (was, now))
    equal("and text can be read", b.run(CONTRAST), [])
    equal("and classes differ", b.run(ALIKE), [])
    b.click("#theme")


UNNAMED = """
const name = (e) => e.getAttribute("aria-label") || e.textContent.trim() || e.title ||
    (e.labels && e.labels.length && e.labels[0].textContent.trim());
return [...document.querySelectorAll("button, a, select, input, [role=img], [role=tree]")]
    .filter((e) => !name(e)).map((e) => e.outerHTML.slice(0, 100));
"""


def whole(b, path):
    equal("each control has a name", b.run(UNNAMED), [])
    equal("each section has a heading", b.run(
        "return [...document.querySelectorAll('section:not([hidden])')].filter((s) => "
        "!document.getElementById(s.getAttribute('aria-labelledby'))).map((s) => s.id)"), [])
    with open(path) as f:
        text = f.read()
    data = text[text.index(' id="data">'):]
    size = len(text) - data.index("</script>")
    check("without its data it has no more than 500 KiB", size <= 500 << 10, size)
    pdf = b.devtools("Page.printToPDF", printBackground=True)["data"]
    check("it prints", len(pdf) > 20000, len(pdf))
    b.devtools("Emulation.setDeviceMetricsOverride", width=420, height=800, deviceScaleFactor=1, mobile=False)
    check("it fits a narrow window", b.run("return document.documentElement.scrollWidth") <= 420,
          b.run("return document.documentElement.scrollWidth"))
    b.devtools("Emulation.clearDeviceMetricsOverride")


def events(b, report):
    b.run("const e = document.getElementById('event'); e.value = '1'; e.dispatchEvent(new Event('change'))")
    check("another event is shown", report["events"][1]["label"] in b.run(
        "return document.querySelector('#summary .facts').textContent"))
    regions(b, report, 1)
    b.run("const e = document.getElementById('event'); e.value = '0'; e.dispatchEvent(new Event('change'))")


def hostile(b, path):
    b.open(path)
    by_itself(b, "hostile names", path)
    equal("no name became an element", b.run("return document.querySelectorAll('img, iframe, main script').length"), 0)
    equal("nor ran", b.run("return window.ran === undefined"), True)
    names = b.run("return [...new Set([...document.querySelectorAll('.frame')].map((f) => "
                  "f.getAttribute('aria-label')))]")
    for what, part in (("an element", "<img src=x onerror="), ("the end of a script", "</script>"),
                       ("a line separator", "\\u2028"), ("invalid UTF-8", "\ufffd"), ("a long name", "x" * 9000)):
        check(f"{what} stays text", any(part in n for n in names), [n[:60] for n in names])
    check("a long name does not widen the page", b.run("return document.documentElement.scrollWidth") <= 1400,
          b.run("return document.documentElement.scrollWidth"))


# ---- many threads, regions and levels ----------------------------------------------------------

# Names of rows that a table has twice.
TWINS = """
const twins = [];
for (const table of document.querySelectorAll("main table:not(.source)")) {
    const names = [...table.tBodies[0].rows].filter((r) => !r.classList.contains("detail") &&
        r.cells.length > 1).map((r) => r.cells[0].textContent.trim()).filter((n) => n);
    twins.push(...names.filter((n, i) => names.indexOf(n) !== i));
}
return twins;
"""

# Pairs of the axis' labels that overlap, and those that the window cuts.
AXIS = """
const seen = [...document.querySelectorAll(".axis span")].map((s) => s.getBoundingClientRect())
    .filter((r) => r.width > 0);
return [seen.length, seen.filter((r, i) => i && r.left < seen[i - 1].right).length,
    seen.filter((r) => r.right > window.innerWidth).length];
"""

OUTSIDE = """
const e = document.querySelector(arguments[0]);
e.scrollIntoView();
const r = e.getBoundingClientRect();
return [r.left >= 0, r.right <= window.innerWidth];
"""


def recursion(b):
    recurs = [f for f in b.run(FRAMES) if f["label"].startswith("recurse,")]
    equal("deep recursion is folded", len(recurs), 4)
    check("and says how deep it was", any("301 levels" in f["label"] for f in recurs), recurs)
    total = frame(b, "all")["label"]
    choose(b, "Recursion", "all")
    check("or shown", len([f for f in b.run(FRAMES) if f["label"].startswith("recurse,")]) > 150)
    equal("with the same sum", frame(b, "all")["label"], total)
    choose(b, "Recursion", "folded")
    check("the flame graph's height is bounded", b.run(
        "return document.querySelector('.flame-box').getBoundingClientRect().height") <= 700)


def at_width(b, width, what):
    b.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    check(f"{what}: it is no wider than the window", b.run("return document.documentElement.scrollWidth") <= width)
    equal(f"{what}: an open region is within it", b.run(OUTSIDE, ".detail .region"), [True, True])
    labels, overlap, cut = b.run(AXIS)
    check(f"{what}: the axis has labels", labels >= 2, labels)
    equal(f"{what}: which do not overlap, and are whole", [overlap, cut], [0, 0])
    equal(f"{what}: text can be read", b.run(CONTRAST), [])


def orphans(b):
    """No printed page ends with a heading, where pdftotext can show it."""
    if not shutil.which("pdftotext"):
        print("SKIP: headings at the end of pages: no pdftotext")
        return
    pdf = base64.b64decode(b.devtools("Page.printToPDF", printBackground=True)["data"])
    text = subprocess.run(["pdftotext", "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
    heads = b.run("return [...document.querySelectorAll('h2, h3, h4, caption, figcaption')].map((h) => "
                  "h.textContent.trim())")
    pages = [p.strip().split("\n") for p in text.split("\f") if p.strip()]
    check("it prints on several pages", len(pages) > 2, len(pages))
    equal("none ends with a heading", [p[-1] for p in pages if p[-1].strip() in heads], [])


def many(b, path):
    b.open(path)
    by_itself(b, "many threads, regions, levels", path)
    recursion(b)
    for theme in "light", "dark":
        for width in 1400, 400:
            at_width(b, width, f"{theme}, {width} px")
        b.click("#theme")
    b.devtools("Emulation.clearDeviceMetricsOverride")
    equal("no table has a row twice", b.run(TWINS), [])
    b.run("document.querySelectorAll('#regions-more, .more').forEach((e) => e.click())")
    equal("nor when all rows are shown", b.run(TWINS), [])
    check("constructs have a table", b.run("return document.querySelectorAll('#tables caption').length") > 0)
    orphans(b)
    by_itself(b, "the same, used", path)


def counted(b, path):
    """Events that were counted only: their table, exact, and no empty paths."""
    b.open(path)
    by_itself(b, "counts alone", path)
    equal("counts have a table", b.run("return [...document.querySelectorAll('#tables caption')].filter((c) => "
                                       "c.textContent.startsWith('Counts')).length"), 1)
    equal("nothing is drawn of paths", b.run(
        "return ['flame', 'regions', 'heat', 'source'].filter((id) => !document.getElementById(id).hidden)"), [])
    rows = b.run("return [...[...document.querySelectorAll('#tables table')].pop().tBodies[0].rows].map((r) => "
                 "[...r.cells].map((c) => c.textContent))")
    numbers = [int(r[1].replace(",", "").replace("–", "0")) for r in rows]
    equal("regions' counts are the run's", sum(numbers[:-1]), numbers[-1])
    equal("no table has a row twice", b.run(TWINS), [])


def stored(b, page, golden):
    """The data of a made profile with all that a page can have, also heap blocks of one place."""
    with open(page, encoding="utf-8") as f:
        text = f.read()
    begin = text.index(' id="data">') + len(' id="data">')
    path = os.path.abspath("stored.html")
    with open(golden, encoding="utf-8") as f:
        data = json.load(f)
    for place in "main > read", "main > grow", "main > grow":
        data["memory"].append({"kind": "heap block", "blocks": 2, "bytes": 3 << 20, "path": place,
                               "function": "grid", "file": "src/app.c", "line": 7, "accesses_with_cost": 10,
                               "cycles": 400, "self": data["memory"][0]["self"]})
    with open(path, "w", encoding="utf-8") as out:
        out.write(text[:begin] + "\n" + json.dumps(data).replace("<", "\\u003c") + "\n" +
                  text[text.index("</script>", begin):])
    b.open(path)
    by_itself(b, "a made profile", path)
    equal("all its tables", b.run("return [...document.querySelectorAll('#tables caption')].map((c) => "
                                  "c.textContent.split(',')[0])"), ["Constructs", "Tasks", "Addresses"])
    equal("no table has a row twice", b.run(TWINS), [])


def flat_tables(b, report):
    """Constructs and tasks are those of the JSON report."""
    rows = b.run("return [...document.querySelectorAll('#tables table')].map((t) => [t.caption.textContent, "
                 "[...t.tBodies[0].rows].filter((r) => !r.classList.contains('muted')).length])")
    rows = dict(rows)
    for name, member in ("Constructs", "constructs"), ("Tasks", "tasks"):
        equal(f"{member} have a row each", rows.get(name, 0), len(report[member]))
    equal("no row is twice in a table", b.run(TWINS), [])


def browser(folder):
    try:
        return Browser(folder)
    except (OSError, RuntimeError) as e:
        print(f"SKIP: the browser does not start: {e}")
        sys.exit(0)


def main():
    page, report, folded, bad, sources, large, counts, golden = sys.argv[1:]
    modules(sources)
    with open(report) as f:
        report = json.load(f)
    with tempfile.TemporaryDirectory() as folder, browser(folder) as b:
        b.open(page)
        by_itself(b, "the page", page)
        flame_totals(b, report)
        flame_zoom(b)
        flame_search(b, folded)
        flame_inverted(b, report)
        flame_elapsed(b, report)
        flame_keys(b)
        regions(b, report, 0)
        regions_sort(b)
        region_detail(b)
        heat_map(b, report)
        flat_tables(b, report)
        timeline(b, report)
        source(b)
        events(b, report)
        themes(b)
        whole(b, page)
        by_itself(b, "the page, used", page)
        hostile(b, bad)
        many(b, large)
        counted(b, counts)
        stored(b, page, golden)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
