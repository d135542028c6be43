/* source.js - source lines with their own cost in the margin. */
import { classBar, classWords } from "./bars.js";
import { byId, el } from "./dom.js";
import { cellsByKey, data, sum, totalOf } from "./data.js";
import { baseName, percent } from "./format.js";
import { state, watch } from "./state.js";

const shown = { file: 0, costs: [] };

function fileWeight(file) {
	let all = 0;
	for (const weights of cellsByKey(data.sources[file].cells[state.event]).values())
		all += sum(weights);
	return all;
}

/* ---- lines ----------------------------------------------------------- */

function lineRow(number, text, costs, all, most) {
	const weights = costs.get(number), own = weights ? sum(weights) : 0;
	return el("tr", { id: `line-${number}`, class: own > 0.3 * most ? "hot" : own ? "" : "cold" },
		el("td", { class: "cost number" }, own ? percent(own, all) : ""),
		el("td", { class: "cost wide" }, own ? classBar(weights, most, {
			"aria-label": classWords(weights, all) }) : ""),
		el("th", { scope: "row", class: "number" }, String(number)),
		el("td", { class: "code" }, text ?? ""));
}

function sourceRows(file) {
	const source = data.sources[file], costs = cellsByKey(source.cells[state.event]);
	const all = totalOf(state.event), most = Math.max(...[...costs.values()].map(sum), 1), rows = [];
	const lines = [...costs.keys()].sort((a, b) => a - b);
	let last = 0;
	for (const span of source.spans || []) {
		if (last && span.first > last + 1)
			rows.push(el("tr", { class: "gap" }, el("td", { colspan: 4 }, "⋯")));
		span.text.forEach((text, i) => {
			if (span.first + i > last)
				rows.push(lineRow(span.first + i, text, costs, all, most));
		});
		last = span.first + span.text.length - 1;
	}
	const told = new Set(rows.map((r) => r.id));
	const others = lines.filter((n) => !told.has(`line-${n}`));
	if (!source.spans || !source.spans.length)
		for (const n of others)
			rows.push(lineRow(n, null, costs, all, most));
	return [rows, source.spans && source.spans.length ? sum(others.map((n) => sum(costs.get(n)))) : 0];
}

function drawFile() {
	const source = data.sources[shown.file], out = byId("source-text");
	const [rows, elsewhere] = sourceRows(shown.file), all = totalOf(state.event), words = [];
	if (!source.found)
		words.push(`Not shown: ${source.why}${source.todo ? ": " + source.todo : ""}.`);
	if (source.newer)
		words.push("Newer than the profile: lines may have moved.");
	if (elsewhere)
		words.push(`${percent(elsewhere, all)} are at lines that are not shown.`);
	out.replaceChildren(el("h3", { class: "path" }, source.found || source.file),
		...words.map((w) => el("p", { class: "note" }, w)),
		el("div", { class: "scroll" }, el("table", { class: "source" },
			el("caption", { class: "hidden" }, "Lines with their own cost"),
			el("thead", { class: "hidden" }, el("tr", {}, ["own cost", "what", "line", "text"].map((h) =>
				el("th", { scope: "col" }, h)))),
			el("tbody", {}, rows))));
	for (const b of byId("source-files").querySelectorAll("button"))
		b.setAttribute("aria-pressed", String(Number(b.dataset.file) === shown.file));
}

function drawFiles() {
	const all = totalOf(state.event);
	const files = data.sources.map((s, i) => [s, i, fileWeight(i)]).sort((a, b) => b[2] - a[2]);
	byId("source-files").replaceChildren(...files.map(([s, i, weight]) => el("li", {},
		el("button", { type: "button", "data-file": i, title: s.file, "aria-pressed": "false",
			onclick: () => openFile(i) },
		el("span", { class: "clipped" }, baseName(s.file)),
		el("span", { class: "muted" }, percent(weight, all))))));
	drawFile();
}

function openFile(file) {
	shown.file = file;
	drawFile();
}

/* Opens a file of the program at a line, and shows it. */
export function showSource(path, line) {
	const file = data.sources.findIndex((s) => s.file === path);
	if (file < 0)
		return;
	openFile(file);
	const row = byId(`line-${line}`) || byId("source-text");
	for (const marked of byId("source-text").querySelectorAll(".asked"))
		marked.classList.remove("asked");
	row.classList.add("asked");
	row.setAttribute("tabindex", "-1");
	row.scrollIntoView({ block: "center" });
	row.focus({ preventScroll: true });
}

export function sourceSection() {
	byId("source").append(el("h2", { id: "source-title" }, "Source"));
	if (!data.sources.length) {
		byId("source").append(el("p", { class: "muted" },
			"No line is known: the program was built without -g."));
		return;
	}
	byId("source").append(
		el("p", { class: "note" }, "What each line costs itself, without what it calls; waits are where they began."),
		el("div", { class: "files" },
			el("ul", { id: "source-files", "aria-label": "Files, the largest first" }),
			el("div", { id: "source-text" })));
	watch(["event"], drawFiles);
}
