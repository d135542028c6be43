/* region.js - one region from near: its threads, what they wait for, its lines. */
import { shareBar } from "./bars.js";
import { el, svg } from "./dom.js";
import { classes, data, events, rowName, rowsOfRegion, sum, weightsOf } from "./data.js";
import { amount, duration, functionPlace, percent } from "./format.js";
import { state } from "./state.js";
import { showSource } from "./source.js";

const LABEL_STEP = 18, HIGH = 110, WIDE = 640;

/* ---- threads side by side -------------------------------------------- */

function threadBar(row, weights, box, most) {
	let y = HIGH;
	const parts = classes.map((c, k) => {
		const h = HIGH * weights[k] / most;
		y -= h;
		return h > 0 ? svg("rect", { class: "fill " + c, x: box.x, y: y.toFixed(2),
			width: box.w, height: h.toFixed(2) }) : null;
	});
	const words = classes.map((c, k) => `${c} ${amount(weights[k], events[state.event])}`);
	return svg("g", {}, svg("title", {}, `${rowName(row)}: ${words.join(", ")}`), parts);
}

function meanLine(rows, step, most) {
	const mean = sum(rows.map(([, w]) => w[0])) / rows.length;
	const y = (HIGH - HIGH * mean / most).toFixed(2);
	return svg("line", { class: "mean", x1: 0, x2: rows.length * step, y1: y, y2: y },
		svg("title", {}, `mean work: ${amount(mean, events[state.event])}`));
}

function threadsFigure(region) {
	const rows = rowsOfRegion(region, state.event);
	if (!rows.length)
		return null;
	/* A unit is a pixel, also in a narrow window: labels can be read. */
	const wide = Math.min(WIDE, document.documentElement.clientWidth - 60);
	const most = Math.max(...rows.map(([, w]) => sum(w))) || 1, step = Math.min(64, wide / rows.length);
	const work = rows.map(([, w]) => w[0]), first = rows[work.indexOf(Math.max(...work))][0];
	const labels = step < LABEL_STEP ? [] : rows.map(([row], i) => svg("text", {
		x: i * step + step / 2, y: HIGH + 14, "text-anchor": "middle" },
	String(row * data.row_threads)));
	return el("figure", { class: "threads" },
		el("figcaption", {}, data.row_threads === 1 ? "Its threads side by side" :
			`Its threads side by side, ${data.row_threads} a bar`),
		svg("svg", { role: "img", viewBox: `0 0 ${wide} ${HIGH + 18}`, "aria-label":
			`${rows.length} threads; the most work: ${rowName(first)}, ` +
			amount(Math.max(...work), events[state.event]) },
		rows.map(([row, weights], i) => threadBar(row, weights, { x: (i * step).toFixed(2),
			w: Math.max(step - (step > 3 ? 1.5 : 0), 0.5).toFixed(2) }, most)),
		region.kind === "region" && rows.length > 1 ? meanLine(rows, step, most) : null, labels));
}

/* ---- what waits for what --------------------------------------------- */

function slowestLine(region) {
	const s = region.slowest, i = region.imbalance && region.imbalance[state.event];
	if (!s || !i || state.event !== data.event || s.imbalance < 1.05 || i.few_samples)
		return null;
	const at = s.lines[0], event = events[state.event];
	return el("p", { class: "sentence" },
		el("strong", {}, rowName(Math.floor(s.thread / data.row_threads))),
		` works ${s.imbalance.toFixed(2)} times the mean${data.ranks ? " of its rank" : ""}`,
		s.others_wait ? ["; the other threads wait ", el("strong", {}, amount(s.others_wait, event)),
			" in this region"] : "",
		at ? [". Most of its work is in ", lineLink(at)] : "", ".");
}

/* Which rank is late, and where the others wait for it: of the run or a region. */
export function ranksLine(ranks, where) {
	const event = events[data.event];
	if (!ranks || ranks.imbalance < 1.1)
		return null;
	return el("p", { class: "sentence" }, "Between ranks: ", el("strong", {}, `rank ${ranks.slowest}`),
		` is busy longest${where}, ${amount(ranks.most, event)}, ` +
		`${ranks.imbalance.toFixed(2)} times the mean; median ${amount(ranks.median, event)}, ` +
		`least ${amount(ranks.least, event)} (rank ${ranks.fastest})`,
		ranks.wait ? ["; the others wait ", el("strong", {}, amount(ranks.wait.waited, event)), " for it in ",
			el("code", {}, ranks.wait.call || "MPI"), " at ", lineLink(ranks.wait)] : "", ".");
}

function lineLink(o) {
	return o.file && o.line ? el("button", { type: "button", class: "link", title: `${o.file}:${o.line}`,
		onclick: () => showSource(o.file, o.line) }, functionPlace(o)) :
		el("span", { class: "clipped" }, functionPlace(o));
}

function causes(region) {
	const t = region.time;
	if (!t || !data.time)
		return null;
	const lost = data.losses.map((l) => ({ ...l, ns: t.gain_by_ns[l.key] }))
		.filter((l) => l.ns > 0.0005 * data.time.elapsed_ns).sort((a, b) => b.ns - a.ns);
	if (!lost.length)
		return null;
	return el("div", {}, el("h4", {}, "What it costs the run"),
		el("ul", { class: "costs" }, lost.map((l) => el("li", {},
			el("span", { class: "number" }, percent(l.ns, data.time.elapsed_ns)),
			el("span", { class: "number" }, duration(l.ns)),
			el("span", {}, el("strong", {}, l.name), " ", el("span", { class: "muted" }, l.meaning))))));
}

function costTable(caption, heads, rows, all) {
	if (!rows.length)
		return null;
	return el("table", { class: "parts" }, el("caption", {}, caption),
		el("thead", {}, el("tr", {}, heads.map((h) => el("th", { scope: "col" }, h)))),
		el("tbody", {}, rows.map(([what, self]) => el("tr", {}, el("td", {}, what),
			el("td", { class: "wide" }, shareBar(weightsOf(self), self.weight, all))))));
}

function waitWords(w) {
	return [el("strong", {}, w.state), w.object ? [" ", el("code", {}, w.object)] : "",
		w.file || w.line ? [" at ", lineLink(w)] : w.function ? [" in ", functionPlace(w)] : ""];
}

function blameRows(region) {
	if (!data.blame || state.event !== data.event)
		return null;
	const rows = data.blame.rows.filter((b) => b.region && b.region.line === region.line &&
		b.region.file === region.file && b.region.function === region.function).slice(0, 12);
	if (!rows.length)
		return null;
	return el("div", {}, el("h4", {}, "Code that others wait for"),
		el("ul", { class: "plain" }, rows.map((b) => el("li", {},
			el("span", { class: "number" }, amount(b.causes, events[state.event])), " ", lineLink(b),
			el("span", { class: "muted" }, " ", b.parts.map((p) => p.object ?
				`${p.kind} ${p.object}` : p.kind).join(", "))))));
}

export function regionDetail(region) {
	const all = region.self[state.event].weight;
	const biggest = (list) => list.filter((o) => o.self[state.event].weight > 0)
		.sort((a, b) => b.self[state.event].weight - a.self[state.event].weight);
	return el("div", { class: "region" },
		el("div", {}, ranksLine(region.ranks, ""), slowestLine(region), threadsFigure(region), causes(region), blameRows(region)),
		el("div", {},
			costTable("Its lines", ["line", "of the region"],
				biggest(region.lines).map((l) => [lineLink(l), l.self[state.event]]), all),
			costTable("Its waits and overhead", ["what, and where it began", "of the region"],
				biggest(region.waits).map((w) => [waitWords(w), w.self[state.event]]), all)));
}
