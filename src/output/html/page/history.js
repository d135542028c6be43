/* history.js - the page of a history: the newest point, what changed when, a chart of each number. */
import { byId, clipped, el } from "./dom.js";
import { amount, count, percent, place, plural, signed } from "./format.js";
import { runs } from "./runs_data.js";
import { chart } from "./chart.js";

/* ---- words ------------------------------------------------------------- */

function value(s, v) {
	if (v === null)
		return "–";
	return s.unit === "share" ? percent(v, 1) : amount(v, { unit: s.unit });
}

function changeWords(s, change) {
	return signed(change, s.unit === "share" ? "points" : "%");
}

function seriesName(s) {
	const at = place(s);
	return s.measure === "lost" ? "lost: " + s.name : at ? `${s.name} (${at})` : s.name;
}

function date(p) {
	return p.start_ns === null ? "–" : new Date(p.start_ns / 1e6).toISOString().slice(0, 16).replace("T", " ");
}

const differWords = {
	arguments: (p) => `arguments ${p.runs[0].arguments || "(none)"}`,
	host: (p) => `machine ${p.runs[0].host || "unknown"}`,
	threads: (p) => p.threads === null ? "different numbers of threads" : plural(p.threads, "thread"),
};

function differs(p) {
	return p.differs.map((d) => "from here " + differWords[d](p)).join("; ");
}

/* ---- the newest point -------------------------------------------------- */

function verdict() {
	const l = runs.latest, s = runs.series[0];
	const judged = l.unknown === null && l.within_noise !== null;
	const cls = !judged ? "" : l.within_noise ? "good" : l.change_percent > 0 ? "bad" : "good";
	const words = l.unknown !== null ? "not compared: " + l.unknown :
		l.within_noise === null ? "how much runs differ is not known: it takes three points, or several runs a point" :
			(l.within_noise ? "within noise" : l.change_percent > 0 ? "slower, beyond noise" : "faster, beyond noise") +
			` (${value(s, l.noise)}; ${plural(l.points_before, "point")} before)`;
	return el("p", { class: "verdict" }, el("strong", {}, l.label), `: ${s.name} `,
		l.before === null ? "" : value(s, l.before) + " → ", el("strong", {}, value(s, l.after)),
		l.change_percent === null ? "" : ` (${changeWords(s, l.change_percent)})`, ": ",
		el("span", { class: cls }, words));
}

function warnings() {
	const words = [], differing = runs.points.filter((p) => p.differs.length);
	for (const d of ["threads", "host", "arguments"]) {
		const at = differing.filter((p) => p.differs.includes(d));
		if (at.length)
			words.push(`${{ threads: "Threads", host: "Machines", arguments: "Arguments" }[d]} differ from the ` +
				`point before at ${at.slice(0, 3).map((p) => p.label).join(", ")}` +
				(at.length > 3 ? ` and ${at.length - 3} more.` : "."));
	}
	if (runs.left_out.length)
		words.push(`Left out: ${runs.left_out.slice(0, 3).map((l) => `${l.path}: ${l.why}`).join("; ")}` +
			(runs.left_out.length > 3 ? `; and ${runs.left_out.length - 3} more.` : "."));
	if (runs.earlier)
		words.push(`${plural(runs.earlier, "earlier point")} not read.`);
	return words.map((w) => el("p", { class: "warning" }, w));
}

/* ---- changes ----------------------------------------------------------- */

/* With other threads a cost is neither better nor worse. */
function changeIs(c) {
	return runs.points[c.point].differs.includes("threads") ? "threads" : c.worse ? "worse" : "better";
}

function changesTable() {
	const all = runs.series.flatMap((s, i) => s.changes.map((c) => ({ s, i, c })))
		.sort((a, b) => b.c.point - a.c.point || a.i - b.i);
	if (!all.length)
		return el("p", { class: "muted" }, runs.needed !== null && runs.points.length < runs.needed ?
			`Not known: they take ${runs.needed} points or more, here are ${runs.points.length}.` :
			"None is beyond noise.");
	return el("div", { class: "scroll" }, el("table", { class: "changes" }, el("thead", {}, el("tr", {},
		["From", "Begun", "What", "Before", "After", "Change", ""].map((h, i) =>
			el("th", { scope: "col", class: i > 2 && i < 6 ? "number" : null }, h)))),
	el("tbody", {}, all.map(({ s, i, c }) => el("tr", {},
		el("th", { scope: "row" }, c.label), el("td", {}, date(runs.points[c.point])),
		el("td", { class: "what" }, el("a", { href: "#series" + i }, seriesName(s))),
		el("td", { class: "number" }, value(s, c.before)), el("td", { class: "number" }, value(s, c.after)),
		el("td", { class: "number" }, changeWords(s, c.change_percent)),
		el("td", { class: { worse: "bad", better: "good", threads: "muted" }[changeIs(c)] },
			changeIs(c) === "threads" ? "" : changeIs(c), el("span", { class: "muted" },
				changeIs(c) !== "threads" && differs(runs.points[c.point]) ? "; " : "",
				differs(runs.points[c.point]))))))));
}

/* ---- charts ------------------------------------------------------------ */

function median(values) {
	const v = values.filter((x) => x !== null).sort((a, b) => a - b), n = v.length;
	return n ? (v[(n - 1) >> 1] + v[n >> 1]) / 2 : null;
}

function levelsOf(s) {
	const at = [0, ...s.changes.map((c) => c.point), runs.points.length];
	return at.slice(1).map((to, i) => [at[i], to, median(s.values.slice(at[i], to))])
		.filter(([, , v]) => v !== null);
}

function seriesChart(s, i) {
	const names = runs.points.map((p) => p.label), last = s.values[s.values.length - 1];
	const words = (at) => {
		const p = runs.points[at], change = s.changes.find((c) => c.point === at);
		return [["begun", date(p)], [s.name, value(s, s.values[at])],
			...s.deviations[at] !== null ? [["deviation", value(s, s.deviations[at])]] : [],
			...change ? [[changeIs(change), changeWords(s, change.change_percent)]] : [],
			...p.differs.length ? [["here", differs(p)]] : []];
	};
	const marks = runs.points.flatMap((p, at) => p.differs.includes("threads") ? [at] : []);
	const [drawing, said, [least, most]] = chart({ names, values: s.values, deviations: s.deviations,
		levels: levelsOf(s), changes: s.changes.map((c) => [c.point, changeIs(c)]), marks, words,
		label: `${seriesName(s)}: ${plural(s.values.length, "point")}, the newest ${value(s, last)}` +
			(s.changes.length ? `, changed at ${s.changes.map((c) => c.label).join(", ")}` : ", no lasting change") });
	return el("figure", { class: "series", id: "series" + i },
		el("figcaption", {}, clipped(seriesName(s)), el("span", { class: "number" }, value(s, last))),
		el("div", { class: "plot" }, el("div", { class: "scale" }, el("span", {}, value(s, most)),
			el("span", {}, value(s, least))), drawing),
		el("div", { class: "ends" }, clipped(names[0]), clipped(names[names.length - 1])), said);
}

function charts(id, title, measures, note) {
	const shown = runs.series.map((s, i) => [s, i]).filter(([s]) => measures.includes(s.measure));
	return shown.length ? el("section", { id, "aria-labelledby": id + "-title" }, el("h2", { id: id + "-title" }, title),
		note ? el("p", { class: "note" }, note) : null,
		el("div", { class: "charts" }, shown.map(([s, i]) => seriesChart(s, i)))) : null;
}

/* ---- points ------------------------------------------------------------ */

function pointsTable() {
	const s = runs.series[0], efficiency = runs.series.find((e) => e.measure === "efficiency");
	const head = ["Point", "Begun", "Runs", "Threads", s.name, "Deviation", ...efficiency ? ["Efficiency"] : [], ""];
	return el("section", { id: "points", "aria-labelledby": "points-title" }, el("h2", { id: "points-title" }, "Points"),
		el("div", { class: "scroll" }, el("table", { class: "points" }, el("thead", {}, el("tr", {}, head.map((h, i) =>
			el("th", { scope: "col", class: i > 1 && i < head.length - 1 ? "number" : null }, h)))),
		el("tbody", {}, runs.points.map((p, i) => el("tr", {},
			el("th", { scope: "row" }, p.label), el("td", {}, date(p)),
			[count(p.runs.length), p.threads === null ? "–" : count(p.threads), value(s, s.values[i]),
				value(s, s.deviations[i]), ...efficiency ? [value(efficiency, efficiency.values[i])] : []]
				.map((v) => el("td", { class: "number" }, v)), el("td", {}, differs(p)))).reverse()))));
}

/* ---- the page ---------------------------------------------------------- */

export function historyPage() {
	const name = runs.application || "a program", title = `History of ${name}`, n = runs.points.length;
	const all = runs.points.reduce((a, p) => a + p.runs.length, 0);
	const sections = [["summary", "Summary"], ["run", "Run"], ["losses", "Losses"], ["regions", "Regions"],
		["points", "Points"]];
	document.title = `${title} – omphwc`;
	byId("summary").append(el("h1", { id: "title" }, title),
		el("p", { class: "facts" }, [plural(n, "point"), plural(all, "run"), runs.event,
			date(runs.points[0]) + " to " + date(runs.points[n - 1]) + " UTC"].join(" · ")),
		verdict(), ...warnings(), el("h2", {}, "Lasting changes"), changesTable(),
		el("p", { class: "note" }, "A lasting change is one that the order of the points would show by chance in at most one of " +
			`${Math.round(1 / runs.chance)} histories without a change; a point's value is the mean of its runs, ` +
			"a level the median of its points. Slow drifts of the machine are changes, too."));
	byId("main").append(...[charts("run", "The run", ["elapsed", "total", "efficiency"]),
		charts("losses", "Losses", ["lost"], "Parts of all threads' time; less is better."),
		charts("regions", "Regions", ["region"], "From fork to join where that is known, otherwise the cost of all threads. " +
			(runs.regions_left ? `${plural(runs.regions_left, "small region")} more.` : "")),
		pointsTable()].filter((s) => s));
	byId("nav").append(...sections.filter(([id]) => byId(id)).map(([id, word]) => el("a", { href: "#" + id }, word)));
	byId("main").append(el("p", { class: "note" }, `Written by ${runs.program}.`));
}
