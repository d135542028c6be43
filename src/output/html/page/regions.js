/* regions.js - the table of regions: what each costs, loses, and how its threads share it. */
import { classLegend, shareBar } from "./bars.js";
import { byId, el, svg } from "./dom.js";
import { classes, data, rowsOfRegion, sum, totalOf, weightsOf } from "./data.js";
import { count, duration, percent } from "./format.js";
import { regionDetail } from "./region.js";
import { state, watch } from "./state.js";

const UNEVEN = 1.2, SPARK_BARS = 48, SHOWN = 25;
const table = { all: false, sort: "share", down: true, open: new Set(), body: null, heads: new Map() };

/* ---- a region's numbers ---------------------------------------------- */

/* Of several ranks that within them, which is known of the event that sorts. */
function imbalanceOf(region) {
	const i = region.imbalance && region.imbalance[state.event];
	if (!i || !data.ranks)
		return i;
	return state.event === data.event && region.ranks && region.ranks.within ?
		{ ...i, max_over_mean: region.ranks.within } : null;
}

function betweenRanks(region) {
	return region.kind === "region" && region.ranks && state.event === data.event ?
		region.ranks.imbalance : null;
}

function gainOf(region) {
	return region.time && region.kind === "region" ? Math.max(region.time.gain_ns, 0) : null;
}

const columns = [
	{ key: "name", name: "Region", text: true, value: (r) => r.name },
	{ key: "share", name: "Share", title: "of all that the event counted",
		value: (r) => r.self[state.event].weight },
	...classes.map((c) => ({ key: c, name: c[0].toUpperCase() + c.slice(1),
		title: `the part of the share that is ${c}`, value: (r) => r.self[state.event][c] })),
	{ key: "imbalance", name: "Imbalance", title: "the most that one thread worked, over the mean",
		value: (r) => imbalanceOf(r) ? imbalanceOf(r).max_over_mean : 0 },
	...(data.ranks ? [{ key: "ranks", name: "Ranks",
		title: "the most that one rank was busy, over the mean", value: (r) => betweenRanks(r) ?? 0 }] : []),
	{ key: "threads", name: "Threads", title: "each thread's work, wait and overhead, side by side" },
	{ key: "gain", name: "Gain", title: "what the run would be shorter by if all threads only worked here",
		value: (r) => gainOf(r) ?? -1 },
	{ key: "entries", name: "Entries", value: (r) => r.entries ?? -1 },
	{ key: "elapsed", name: "Elapsed", title: "from begin to end, all entries together",
		value: (r) => r.elapsed_ns ?? -1 },
];

/* ---- threads as a row of small bars ---------------------------------- */

function sparkRows(region) {
	const rows = rowsOfRegion(region, state.event).map(([, weights]) => weights);
	const each = Math.ceil(rows.length / SPARK_BARS) || 1, out = [];
	for (let i = 0; i < rows.length; i += each) {
		const part = rows.slice(i, i + each);
		out.push(classes.map((c, k) => Math.max(...part.map((w) => w[k]))));
	}
	return out;
}

function spark(region) {
	const bars = sparkRows(region), most = Math.max(...bars.map(sum), 1), high = 22;
	const wide = Math.max(2, Math.min(14, Math.floor(120 / Math.max(bars.length, 1)) - 1));
	const parts = bars.map((weights, i) => {
		let y = high;
		return classes.map((c, k) => {
			const h = high * weights[k] / most;
			y -= h;
			return h > 0.2 ? svg("rect", { class: "fill " + c, x: i * (wide + 1), y: y.toFixed(2),
				width: wide, height: h.toFixed(2) }) : null;
		});
	});
	return svg("svg", { class: "spark", width: Math.max(bars.length * (wide + 1), 1), height: high,
		"aria-hidden": "true" }, parts);
}

/* ---- rows ------------------------------------------------------------ */

function nameCell(region, id) {
	const open = table.open.has(id);
	return el("td", { class: "name" },
		el("button", { type: "button", class: "expand", "aria-expanded": String(open),
			"aria-controls": "region-" + id, onclick: () => toggle(id) },
		el("span", { class: "arrow", "aria-hidden": "true" }, open ? "▾" : "▸"),
		el("span", { class: "clipped", title: region.name }, region.short)));
}

function imbalanceCell(region) {
	const i = imbalanceOf(region);
	if (!i)
		return el("td", { class: "number muted" }, "–");
	const uneven = i.max_over_mean >= UNEVEN && !i.few_samples;
	return el("td", { class: "number" + (uneven ? " uneven" : i.few_samples ? " muted" : ""),
		title: i.few_samples ? `rests on ${i.samples} samples of a thread only` : null },
	i.max_over_mean.toFixed(2) + (i.few_samples ? " ~" : ""));
}

function ranksCell(region) {
	const i = betweenRanks(region);
	return el("td", { class: "number" + (i === null ? " muted" : i >= UNEVEN ? " uneven" : "") },
		i === null ? "–" : i.toFixed(2));
}

function entriesCell(region) {
	const unseen = region.by_samples && region.entries ?
		{ title: "the call may begin others, which no sample showed and which are counted here" } : {};
	return el("td", { class: "number", ...unseen },
		region.entries ? (region.by_samples ? "~" : "") + count(region.entries) : "–");
}

function rowCells(region, id) {
	const cost = region.self[state.event], all = totalOf(state.event), gain = gainOf(region);
	const elapsed = data.time && data.time.elapsed_ns;
	return [nameCell(region, id),
		el("td", { class: "wide" }, shareBar(weightsOf(cost), cost.weight, all)),
		...classes.map((c) => el("td", { class: "number" + (cost[c] ? "" : " muted") },
			cost[c] ? percent(cost[c], all) : "–")),
		imbalanceCell(region),
		data.ranks ? ranksCell(region) : null,
		el("td", {}, spark(region)),
		el("td", { class: "number" + (gain > 0.05 * elapsed ? " uneven" : "") },
			gain === null || !elapsed ? "–" : percent(gain, elapsed)),
		entriesCell(region),
		el("td", { class: "number" }, region.elapsed_ns ? duration(region.elapsed_ns) : "–")];
}

function rowsOf(region, id) {
	const rows = [el("tr", { "data-region": id }, rowCells(region, id))];
	if (table.open.has(id))
		rows.push(el("tr", { class: "detail", id: "region-" + id },
			el("td", { colspan: columns.length }, regionDetail(region))));
	return rows;
}

function sorted() {
	const { value, text } = columns.find((c) => c.key === table.sort);
	const by = data.regions.map((r, i) => [r, i]);
	const order = (a, b) => text ? a.localeCompare(b) : a - b;
	by.sort((a, b) => (table.down ? -1 : 1) * order(value(a[0]), value(b[0])) || a[1] - b[1]);
	return by;
}

function draw() {
	const all = totalOf(state.event), left = data.regions_left, rest = left.self[state.event];
	const shown = sorted().filter(([, i], at) => table.all || at < SHOWN || table.open.has(i));
	const more = data.regions.length - shown.length;
	table.body.replaceChildren(...shown.flatMap(([r, i]) => rowsOf(r, i)),
		...(more ? [el("tr", {}, el("td", { colspan: columns.length }, el("button", {
			type: "button", class: "link", id: "regions-more",
			onclick: () => {
				table.all = true;
				draw();
			} }, `show ${count(more)} more`)))] : []),
		...(left.n ? [el("tr", { class: "muted" },
			el("td", {}, `${count(left.n)} smaller ones`),
			el("td", { class: "wide" }, shareBar(weightsOf(rest), rest.weight, all)),
			...classes.map((c) => el("td", { class: "number" }, percent(rest[c], all))),
			el("td", { colspan: columns.length - 2 - classes.length }))] : []));
	for (const [key, th] of table.heads) {
		th.setAttribute("aria-sort", key !== table.sort ? "none" :
			table.down ? "descending" : "ascending");
	}
}

function toggle(id) {
	if (!table.open.delete(id))
		table.open.add(id);
	draw();
	table.body.querySelector(`[data-region="${id}"] .expand`).focus();
}

function sortBy(key) {
	const { text } = columns.find((c) => c.key === key);
	table.down = table.sort === key ? !table.down : !text;
	table.sort = key;
	draw();
}

/* Opens the region of that place, and shows it. */
export function showRegion(at) {
	const id = data.regions.findIndex((r) => r.function === at.function && r.line === at.line &&
		r.file === at.file);
	if (id < 0)
		return;
	table.open.add(id);
	draw();
	const row = table.body.querySelector(`[data-region="${id}"]`);
	row.scrollIntoView({ block: "start" });
	row.querySelector(".expand").focus({ preventScroll: true });
}

export function regionsSection() {
	const heads = columns.map((c) => {
		const th = el("th", { scope: "col", class: c.text ? "name" : "number", title: c.title },
			c.value ? el("button", { type: "button", onclick: () => sortBy(c.key) }, c.name) : c.name);
		if (c.value)
			table.heads.set(c.key, th);
		return th;
	});
	table.body = el("tbody", {});
	byId("regions").append(el("h2", { id: "regions-title" }, "Parallel regions"),
		classLegend(),
		el("div", { class: "scroll" }, el("table", { class: "regions" },
			el("thead", {}, el("tr", {}, heads)), table.body)));
	const gains = data.regions.map((r) => gainOf(r) ?? 0), most = Math.max(...gains, 0);
	if (most > 0)
		table.open.add(gains.indexOf(most));
	watch(["event"], draw);
}
