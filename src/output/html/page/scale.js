/* scale.js - the page of scale: speed-up, efficiency, and where they end, of the run and each region. */
import { byId, clipped, el } from "./dom.js";
import { count, duration, percent, place } from "./format.js";
import { runs } from "./runs_data.js";
import { chart } from "./chart.js";

const SHOWN = 0.005, CHARTS = 24; /* as in text: a part of the run's time */

function time(t) {
	return t.mean_ns === null ? "–" : duration(t.mean_ns);
}

function beyond(i) {
	return runs.sides[i].beyond_cpus;
}

function rowName(row) {
	const at = place(row);
	return row.name === undefined ? "the run" : at ? `${row.name} (${at})` : row.name;
}

/* ---- the run ----------------------------------------------------------- */

function notes(row, i) {
	return [row.stops_at === row.times[i].threads ? "stops scaling here" : "",
		beyond(i) ? `more threads than CPUs (${runs.cpus})` : ""].filter((w) => w).join("; ");
}

function serialWords() {
	const { serial_part: part, speedup_limit: limit } = runs.run;
	if (runs.scaling === "weak")
		return "Weak scaling: the problem grows with the threads, and speed-up is of what is computed in a time.";
	if (part === null)
		return "The serial part is not known: it takes two numbers of threads, not more than CPUs, of which the larger gains.";
	return `Serial part (Amdahl): ${percent(part, 1)} of the time of one thread` + (limit === null ? "." :
		`: with any number of threads at most ${limit.toPrecision(3)} times as fast as with ${runs.run.times[0].threads}.`);
}

function runTable() {
	return el("div", { class: "scroll" }, el("table", { class: "points" }, el("thead", {}, el("tr", {},
		["Threads", "Elapsed", "Deviation", "Speed-up", "Efficiency", ""].map((h, i) =>
			el("th", { scope: "col", class: i < 5 ? "number" : null }, h)))),
	el("tbody", {}, runs.run.times.map((t, i) => el("tr", {},
		[count(t.threads), time(t), t.deviation_ns === null ? "–" : duration(t.deviation_ns),
			t.speedup === null ? "–" : t.speedup.toFixed(2),
			t.efficiency === null ? "–" : percent(t.efficiency, 1)]
			.map((v) => el("td", { class: "number" }, v)), el("td", {}, notes(runs.run, i)))))));
}

/* ---- regions ----------------------------------------------------------- */

function efficiencyChart(row) {
	const names = row.times.map((t) => t.threads + (t.threads === 1 ? " thread" : " threads"));
	const last = row.times[row.times.length - 1];
	const [drawing, said, [least, most]] = chart({ names, values: row.times.map((t) => t.efficiency),
		deviations: row.times.map(() => null), levels: [], changes: [],
		marks: row.times.flatMap((t, i) => beyond(i) && (!i || !beyond(i - 1)) ? [i] : []),
		words: (i) => [["time", time(row.times[i])],
			["speed-up", row.times[i].speedup === null ? "–" : row.times[i].speedup.toFixed(2)],
			["efficiency", row.times[i].efficiency === null ? "–" : percent(row.times[i].efficiency, 1)],
			...notes(row, i) ? [["here", notes(row, i)]] : []],
		label: `${rowName(row)}: efficiency with ${names.join(", ")}` });
	return el("figure", { class: "series" },
		el("figcaption", {}, clipped(rowName(row)), el("span", { class: "number" },
			last.efficiency === null ? "–" : percent(last.efficiency, 1))),
		el("div", { class: "plot" }, el("div", { class: "scale" }, el("span", {}, percent(most, 1)),
			el("span", {}, percent(least, 1))), drawing),
		el("div", { class: "ends" }, clipped(names[0]), clipped(names[names.length - 1])), said);
}

function regionTable(rows) {
	return el("div", { class: "scroll" }, el("table", { class: "points" }, el("thead", {}, el("tr", {},
		["Region", ...runs.sides.map((s) => count(s.threads)), "Serial part", ""].map((h, i, all) =>
			el("th", { scope: "col", class: i && i < all.length - 1 ? "number" : null }, h)))),
	el("tbody", {}, rows.map((row) => el("tr", {}, el("th", { scope: "row" }, rowName(row)),
		row.times.map((t) => el("td", { class: "number" }, time(t))),
		el("td", { class: "number" }, row.serial_part === null ? "–" : percent(row.serial_part, 1)),
		el("td", {}, row.stops_at === null ? "" : `stops scaling at ${row.stops_at}`))))));
}

function growthTable() {
	const words = (w) => runs.unit === "ns" ? duration(w) : count(Math.round(w));
	return el("div", { class: "scroll" }, el("table", { class: "points" },
		el("caption", {}, "Work of all threads that grows by more than chance explains"),
		el("thead", {}, el("tr", {}, ["", "Least threads", "Most threads", "Times"].map((h, i) =>
			el("th", { scope: "col", class: i ? "number" : null }, h)))),
		el("tbody", {}, runs.grows.slice(0, CHARTS).map((g) => el("tr", {},
			el("th", { scope: "row" }, `${g.kind} ${rowName(g)}`),
			[words(g.work_least), words(g.work_most), g.factor === null ? "–" : g.factor.toFixed(2)]
				.map((v) => el("td", { class: "number" }, v)))))));
}

/* ---- the page ---------------------------------------------------------- */

export function scalePage() {
	const title = `Scaling of ${runs.application || "a program"}`;
	const shown = runs.regions.filter((r) => r.times.some((t, i) =>
		t.mean_ns > SHOWN * (runs.run.times[i].mean_ns || 0)));
	document.title = `${title} – omphwc`;
	byId("nav").append(...[["summary", "Run"], ["regions", "Regions"]].map(([id, word]) =>
		el("a", { href: "#" + id }, word)));
	byId("summary").append(el("h1", { id: "title" }, title),
		el("p", { class: "facts" }, [`${runs.sides.map((s) => s.threads).join(", ")} threads`,
			`${runs.sides[0].runs.length} run${runs.sides[0].runs.length === 1 ? "" : "s"} of each`,
			...runs.cpus === null ? [] : [`${runs.cpus} CPUs`], runs.event].join(" · ")),
		el("p", { class: "verdict" }, serialWords()),
		...runs.run.times.some((t, i) => i && t.speedup === null) ? [el("p", { class: "warning" },
			"Not compared: OMP_NUM_THREADS does not set the program's threads.")] : [],
		runTable(), el("h2", {}, "Efficiency"), el("div", { class: "charts" }, efficiencyChart(runs.run)));
	byId("main").append(el("section", { id: "regions", "aria-labelledby": "regions-title" },
		el("h2", { id: "regions-title" }, "Regions"),
		el("p", { class: "note" }, "The time from fork to join with so many threads, and the efficiency."),
		regionTable(shown), runs.grows !== null && runs.grows.length ? growthTable() : null,
		el("div", { class: "charts" }, shown.slice(0, CHARTS).map(efficiencyChart))),
	el("p", { class: "note" }, `Written by ${runs.program}.`));
}
