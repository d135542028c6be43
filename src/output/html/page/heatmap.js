/* heatmap.js - how much each thread does in each region: uneven columns are imbalances. */
import { byId, choice, el } from "./dom.js";
import { cellsByKey, classes, data, events, rowName, sum, totalOf } from "./data.js";
import { amount, percent } from "./format.js";
import { choose, state, watch } from "./state.js";
import { tips } from "./tooltip.js";

const COLUMNS = 16, STEPS = 10;
const map = { regions: [], cells: [], most: [], focus: [0, 0] };

/* What the colour means: all, or one class. */
function measured(weights) {
	if (!weights)
		return 0;
	return state.heat === "all" ? sum(weights) : weights[classes.indexOf(state.heat)];
}

function columnsOf() {
	return data.regions.filter((r) => r.self[state.event].weight > 0)
		.sort((a, b) => b.self[state.event].weight - a.self[state.event].weight).slice(0, COLUMNS);
}

function cellWords(row, column) {
	const region = map.regions[column], value = map.cells[column][row];
	const mean = sum(map.cells[column]) / map.cells[column].length;
	return [`${rowName(row)} in ${region.name}`, [
		[state.heat === "all" ? "in all" : state.heat, amount(value, events[state.event])],
		["of the event", percent(value, totalOf(state.event))],
		["of the mean", mean ? (value / mean).toFixed(2) + " ×" : "–"]]];
}

function cellElement(row, column) {
	const value = map.cells[column][row], most = map.most[column];
	const step = value > 0 ? Math.max(1, Math.round(STEPS * value / most)) : 0;
	return el("td", { class: `cell ${state.heat} step${step}`, "data-row": row, "data-column": column,
		tabindex: row === map.focus[0] && column === map.focus[1] ? 0 : -1 },
	el("span", { class: "hidden" }, amount(value, events[state.event])));
}

function headOf(region, column) {
	const share = percent(region.self[state.event].weight, totalOf(state.event));
	return el("th", { scope: "col", title: region.name, style: { width: map.widths[column] + "%" } },
		el("span", { class: "clipped" }, region.short), el("span", { class: "muted" }, share));
}

function drawHeat() {
	const rows = data.rows.length, out = byId("heat-map");
	map.regions = columnsOf();
	map.cells = map.regions.map((r) => {
		const by = cellsByKey(r.rows[state.event]);
		return Array.from({ length: rows }, (none, i) => measured(by.get(i)));
	});
	map.most = map.cells.map((c) => Math.max(...c, 0));
	const shares = map.regions.map((r) => Math.max(r.self[state.event].weight / totalOf(state.event), 0.06));
	map.widths = shares.map((s) => 100 * s / sum(shares));
	map.focus = [0, 0];
	const labelled = rows <= 64;
	out.className = "heat" + (rows > 64 ? " many" : rows > 24 ? " some" : "");
	out.replaceChildren(
		el("caption", { class: "hidden" }, "Threads down, regions across"),
		el("thead", {}, el("tr", {}, el("td", { class: "corner" }), map.regions.map(headOf))),
		el("tbody", {}, data.rows.map((name, row) => el("tr", {},
			el("th", { scope: "row", title: rowName(row) },
				labelled || row % 16 === 0 ? el("span", {}, name) : el("span", { class: "hidden" }, name)),
			map.regions.map((r, column) => cellElement(row, column))))));
}

function moveHeat(event) {
	const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
	if (!step || !event.target.dataset.row)
		return;
	const to = [Number(event.target.dataset.row) + step[0], Number(event.target.dataset.column) + step[1]];
	const cell = byId("heat-map").querySelector(`[data-row="${to[0]}"][data-column="${to[1]}"]`);
	event.preventDefault();
	if (!cell)
		return;
	event.target.tabIndex = -1;
	cell.tabIndex = 0;
	cell.focus();
}

export function heatSection() {
	const each = data.row_threads;
	byId("heat").append(el("h2", { id: "heat-title" }, "Threads × regions"),
		el("div", { class: "tools" },
			choice("What the colour means", [...classes, "all"].map((c) => [c, c]), state.heat,
				(v) => choose("heat", v)),
			el("p", { class: "note" }, "Each column is a region, as wide as its share; its strongest cell is ",
				"the thread with the most. An even column is balanced.",
				each > 1 ? ` Each row is ${each} threads.` : "")),
		el("div", { class: "scroll" }, el("table", { id: "heat-map", class: "heat", onkeydown: moveHeat })));
	tips(byId("heat-map"), ".cell", (e) => cellWords(Number(e.dataset.row), Number(e.dataset.column)));
	watch(["event", "heat"], drawHeat);
}
