/* timeline.js - what each thread did when, and the longest entry of each region. */
import { byId, choice, el, svg } from "./dom.js";
import { classes, data, events, rowName, sum } from "./data.js";
import { amount, count, duration, percent } from "./format.js";
import { choose, state, watch } from "./state.js";
import { classLegend } from "./bars.js";
import { hideTip, showTip } from "./tooltip.js";
import { showRegion } from "./regions.js";

const LANE_UNITS = 100, REGION_COLOURS = 8;
const time = { weights: new Map(), region: new Map(), full: 1, at: null, colour: new Map() };

/* ---- an event's cells ------------------------------------------------ */

function cellKey(row, column) {
	return row * data.timeline.columns + column;
}

function readTimeline(event) {
	const { cells, regions } = data.timeline.events[event], share = new Map();
	time.weights = new Map();
	time.region = new Map();
	for (let i = 0; i < cells.length; i += 4) {
		const key = cellKey(cells[i], cells[i + 1]);
		if (!time.weights.has(key))
			time.weights.set(key, new Array(classes.length).fill(0));
		time.weights.get(key)[cells[i + 2]] += cells[i + 3];
	}
	for (let i = 0; i < regions.length; i += 3) {
		const key = cellKey(regions[i], regions[i + 1]), name = regions[i + 2];
		time.region.set(key, name);
		share.set(name, (share.get(name) || 0) + sum(time.weights.get(key) || [0]));
	}
	const largest = [...share].sort((a, b) => b[1] - a[1]).slice(0, REGION_COLOURS);
	time.colour = new Map(largest.map(([name], i) => [name, i]));
	time.full = 1;
	for (const weights of time.weights.values())
		time.full = Math.max(time.full, sum(weights));
}

/* ---- drawing --------------------------------------------------------- */

/* The parts of a column from below: [colour, height]. */
function columnParts(key) {
	const weights = time.weights.get(key);
	if (!weights)
		return [];
	const part = (w) => Math.min(1, w / time.full) * LANE_UNITS;
	if (state.lanes === "class")
		return classes.map((c, k) => ["fill " + c, part(weights[k])]);
	const colour = time.colour.get(time.region.get(key));
	return [["fill " + (colour === undefined ? "lanes-none" : "lanes-module" + colour), part(sum(weights))]];
}

/* A lane: one path for each colour. */
function lane(row) {
	const paths = new Map(), { columns } = data.timeline;
	for (let column = 0; column < columns; column++) {
		let y = LANE_UNITS;
		for (const [colour, high] of columnParts(cellKey(row, column))) {
			if (high <= 0)
				continue;
			y -= high;
			const at = `M${column} ${Math.max(y, 0).toFixed(1)}h1v${high.toFixed(1)}h-1z`;
			paths.set(colour, (paths.get(colour) || "") + at);
		}
	}
	return svg("svg", { class: "lane", viewBox: `0 0 ${columns} ${LANE_UNITS}`,
		preserveAspectRatio: "none", "aria-hidden": "true" },
	[...paths].map(([colour, d]) => svg("path", { class: colour, d })));
}

function axis() {
	const { columns, column_ns: step } = data.timeline, all = columns * step, ticks = 8;
	return el("div", { class: "axis" }, Array.from({ length: ticks }, (none, i) => el("span", {
		style: { left: 100 * i / ticks + "%" } }, duration(all * i / ticks))));
}

function drawLanes() {
	const rows = data.rows.length, out = byId("lanes");
	if (!data.timeline.events[state.event]) {
		out.replaceChildren(el("p", { class: "muted" }, "This event has no timeline."));
		return;
	}
	readTimeline(state.event);
	out.className = "lanes" + (rows > 64 ? " many" : rows > 16 ? " some" : "");
	out.replaceChildren(...data.rows.map((name, row) => el("div", { class: "lane-row" },
		el("span", { class: "lane-name", title: rowName(row) }, rows <= 64 || row % 16 === 0 ? name : ""),
		lane(row))), axis(), el("div", { class: "cursor", hidden: true }));
	byId("lanes-note").textContent = `A column is ${duration(data.timeline.column_ns)}; its height is ` +
		`what was sampled in it, at most ${amount(time.full, events[state.event])}. ` +
		"Where it is low, the thread was blocked, or others had its CPU.";
	drawLanesLegend();
}

function drawLanesLegend() {
	byId("lanes-legend").replaceChildren(state.lanes === "class" ? classLegend() :
		el("ul", { class: "legend" }, [...time.colour].map(([name, i]) => el("li", {},
			el("span", { class: "swatch lanes-module" + i }), data.timeline.names[name])),
		el("li", {}, el("span", { class: "swatch lanes-none" }), "others")));
}

/* ---- one cell from near ---------------------------------------------- */

function cellAbout(row, column) {
	const key = cellKey(row, column), weights = time.weights.get(key), step = data.timeline.column_ns;
	const lines = [["from", duration(column * step)], ["to", duration((column + 1) * step)]];
	for (const [k, c] of classes.entries())
		if (weights && weights[k])
			lines.push([c, amount(weights[k], events[state.event]) + ", " +
				percent(weights[k], sum(weights))]);
	if (!weights)
		lines.push(["nothing", "no sample: blocked, or not there"]);
	if (time.region.has(key))
		lines.push(["mostly in", data.timeline.names[time.region.get(key)]]);
	return [rowName(row), lines];
}

function showCell(row, column) {
	const lanes = byId("lanes"), e = lanes.querySelectorAll(".lane")[row], box = e.getBoundingClientRect();
	const outer = lanes.getBoundingClientRect(), cursor = lanes.querySelector(".cursor");
	const wide = box.width / data.timeline.columns, x = box.left + column * wide;
	const [title, lines] = cellAbout(row, column);
	time.at = [row, column];
	Object.assign(cursor.style, { left: x - outer.left + "px", top: box.top - outer.top + "px",
		width: Math.max(wide, 2) + "px", height: box.height + "px" });
	cursor.hidden = false;
	showTip(title, lines, { x: x + wide, y: box.bottom - 8 });
	return [title, ...lines.map(([term, value]) => `${term} ${value}`)].join(", ");
}

function lanePointer(event) {
	const e = event.target.closest(".lane-row"), svgs = e && e.querySelector(".lane");
	if (!svgs)
		return;
	const box = svgs.getBoundingClientRect(), { columns } = data.timeline;
	const column = Math.floor(columns * (event.clientX - box.left) / box.width);
	if (column >= 0 && column < columns)
		showCell([...byId("lanes").querySelectorAll(".lane")].indexOf(svgs), column);
}

function laneKey(event) {
	const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
	if (!step || !data.timeline.events[state.event])
		return;
	const [row, column] = time.at ? [time.at[0] + step[0], time.at[1] + step[1]] : [0, 0];
	event.preventDefault();
	byId("lanes-said").textContent = showCell(Math.max(0, Math.min(row, data.rows.length - 1)),
		Math.max(0, Math.min(column, data.timeline.columns - 1)));
}

function leaveLanes() {
	const cursor = byId("lanes").querySelector(".cursor");
	hideTip();
	if (cursor)
		cursor.hidden = true;
}

/* ---- the section ----------------------------------------------------- */

function longestTable() {
	const { longest } = data.timeline;
	if (!longest.length)
		return "";
	return el("div", { class: "scroll" }, el("table", { class: "longest" },
		el("caption", {}, "The longest entry of each region"),
		el("thead", {}, el("tr", {}, ["Region", "Longest", "Mean", "Begun at", "Entry"].map((h, i) =>
			el("th", { scope: "col", class: i ? "number" : null }, h)))),
		el("tbody", {}, longest.map((l) => el("tr", {},
			el("td", {}, el("button", { type: "button", class: "link", onclick: () => showRegion(l) }, l.name)),
			el("td", { class: "number" }, duration(l.longest_ns)),
			el("td", { class: "number" }, l.entries ? duration(l.whole_ns / l.entries) : "–"),
			el("td", { class: "number" }, duration(l.begin_ns)),
			el("td", { class: "number" }, l.number ? count(l.number) : "–"))))));
}

export function timelineSection() {
	const t = data.timeline;
	byId("timeline").append(el("h2", { id: "timeline-title" }, "Over time"));
	if (t.unknown) {
		byId("timeline").append(el("p", { class: "muted" }, t.unknown), longestTable());
		return;
	}
	byId("timeline").append(
		el("div", { class: "tools" },
			choice("Colour of the lanes", [["class", "by what it does"], ["region", "by region"]], state.lanes,
				(v) => choose("lanes", v)),
			el("p", { class: "note", id: "lanes-note" })),
		el("div", { id: "lanes-legend" }),
		el("div", { id: "lanes", tabindex: 0, role: "group", "aria-label":
			`Timeline of ${data.rows.length} rows and ${t.columns} columns: arrow keys show what is where`,
		onkeydown: laneKey, onpointermove: lanePointer, onpointerleave: leaveLanes, onblur: leaveLanes }),
		el("p", { id: "lanes-said", class: "hidden", "aria-live": "polite" }), longestTable());
	watch(["event", "lanes"], drawLanes);
}
