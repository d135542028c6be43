/*
 * flame.js - the flame graph: a frame's width is its share, its callees lie below it.
 *
 * For keyboards and screen readers it is a tree whose items are the frames that are drawn.
 */
import { classBackground, classLegend, classWords } from "./bars.js";
import { byId, choice, el } from "./dom.js";
import { data, events, kinds } from "./data.js";
import { amount, baseName, percent, plural } from "./format.js";
import { flameTree, foldedWeight, pathTo, sameNode } from "./flame_tree.js";
import { matcher, matchTree } from "./flame_search.js";
import { choose, state, watch } from "./state.js";
import { tips } from "./tooltip.js";
import { showSource } from "./source.js";

const NARROW_PX = 2, LABEL_PX = 28, LETTER_PX = 7, MODULE_COLOURS = 8;
const LEVELS = 200, ABOVE = 30; /* drawn below and above what is zoomed */
const graph = { tree: null, zoom: 0, search: "", found: null, focus: 0, frames: new Map() };

/* ---- what a frame is ------------------------------------------------- */

function moduleOf(tree, node) {
	const f = tree.functionOf(node);
	return f[1] === kinds.plain ? baseName(f[4]) || "unknown" : f[0];
}

/* Modules by their own cost: the first ones have colours. */
function moduleNumbers(tree) {
	const cost = new Map();
	for (let i = 1; i < tree.weight.length; i++)
		if (tree.functionOf(i)[1] === kinds.plain) {
			const own = tree.selfOf(i).reduce((a, b) => a + b, 0);
			cost.set(moduleOf(tree, i), (cost.get(moduleOf(tree, i)) || 0) + own);
		}
	const sorted = [...cost].sort((a, b) => b[1] - a[1]).slice(0, MODULE_COLOURS);
	return new Map(sorted.map(([name], i) => [name, i]));
}

function frameBackground(tree, node) {
	if (tree.isSmall(node) || node === 0)
		return "";
	if (state.colour === "class")
		return classBackground(tree.classesOf(node), tree.weight[node]);
	const number = graph.modules.get(moduleOf(tree, node));
	return number === undefined ? "var(--nothing)" : `var(--module${number})`;
}

/* What amounts are of. */
function unitOf(tree) {
	return tree.elapsed ? { unit: "ns" } : events[tree.event];
}

function frameWords(tree, node) {
	const all = tree.weight[0], at = tree.functionOf(node);
	const lines = [["share", percent(tree.weight[node], all) + " = " +
		amount(tree.weight[node], unitOf(tree)) + ", " +
		plural(tree.samples[node], "sample")]];
	const own = tree.selfOf(node).reduce((a, b) => a + b, 0);
	lines.push([tree.which === "callees" ? "own" : "begins here", percent(own, all)]);
	lines.push(["doing", classWords(tree.classesOf(node), all)]);
	if (node && at[2])
		lines.push(["file", at[3] ? at[2] + ":" + at[3] : at[2]]);
	if (node && at[4])
		lines.push(["module", at[4]]);
	if (tree.levelsOf(node))
		lines.push(["recursion", `${tree.levelsOf(node)} levels; those from here on are one frame`]);
	if (graph.zoom)
		lines.push(["of what is zoomed", percent(tree.weight[node], tree.weight[graph.zoom])]);
	return lines;
}

/* ---- drawing --------------------------------------------------------- */

function frameElement(tree, node, box, set) {
	const name = tree.nameOf(node), share = percent(tree.weight[node], tree.weight[0]);
	const deep = tree.levelsOf(node) ? `, ${tree.levelsOf(node)} levels` : "";
	const e = el("div", {
		class: "frame" + (tree.isSmall(node) ? " small" : "") +
			(node && tree.functionOf(node)[1] !== kinds.plain ? " artificial" : "") +
			(box.above ? " above" : ""),
		role: "treeitem", tabindex: -1, "data-node": node, "aria-level": box.depth + 1,
		"aria-posinset": set.at + 1, "aria-setsize": set.n,
		"aria-label": `${name}, ${share}${deep}, ${classWords(tree.classesOf(node), tree.weight[0])}`,
		style: { left: 100 * box.x + "%", width: `calc(${100 * box.w}% - 1px)`,
			top: box.depth * 21 + "px", background: frameBackground(tree, node) },
	});
	if (box.w * graph.px > LABEL_PX)
		e.append(box.w * graph.px < name.length * LETTER_PX ? tree.shortOf(node) : name,
			el("span", { class: "share" }, share + deep));
	graph.frames.set(node, e);
	return e;
}

/* The children of a frame; neighbours that are too narrow are drawn as one mark. */
function drawChildren(tree, node, box, out) {
	const list = tree.children[node], narrow = NARROW_PX / graph.px;
	let x = box.x, left = 0;
	if (box.depth - graph.top >= LEVELS) {
		graph.deeper = graph.deeper || list.length > 0;
		return;
	}
	list.forEach((child, at) => {
		const w = box.w * tree.weight[child] / tree.weight[node];
		if (w < narrow) {
			left += w;
			return;
		}
		drawFrame(tree, child, { x, w, depth: box.depth + 1 }, { at, n: list.length }, out);
		x += w;
	});
	if (left > narrow / 4)
		out.append(el("div", { class: "narrow", "aria-hidden": "true", style: {
			left: 100 * x + "%", width: 100 * left + "%", top: (box.depth + 1) * 21 + "px" } }));
}

function drawFrame(tree, node, box, set, out) {
	out.append(frameElement(tree, node, box, set));
	graph.deepest = Math.max(graph.deepest, box.depth);
	drawChildren(tree, node, box, out);
}

function drawGraph() {
	const { tree } = graph, out = byId("flame-graph"), part = document.createDocumentFragment();
	const path = pathTo(tree, graph.zoom).slice(-1 - ABOVE);

	graph.top = path.length - 1;
	graph.deeper = false;
	graph.px = out.clientWidth || 1000;
	graph.deepest = 0;
	graph.frames.clear();
	graph.modules = moduleNumbers(tree);
	path.slice(0, -1).forEach((node, depth) =>
		part.append(frameElement(tree, node, { x: 0, w: 1, depth, above: true },
			{ at: 0, n: 1 })));
	if (tree.weight[0] > 0)
		drawFrame(tree, graph.zoom, { x: 0, w: 1, depth: path.length - 1 }, { at: 0, n: 1 }, part);
	out.replaceChildren(part);
	out.style.height = (graph.deepest + 1) * 21 + "px";
	setFocus(graph.frames.has(graph.focus) ? graph.focus : graph.zoom, false);
	byId("flame-reset").disabled = graph.zoom === 0;
	drawFound();
	drawLegend();
	drawNote();
}

function drawLegend() {
	const names = [...graph.modules].map(([name, i]) => el("li", {},
		el("span", { class: "swatch", style: { background: `var(--module${i})` } }), name));
	byId("flame-legend").replaceChildren(state.colour === "class" ? classLegend() :
		el("ul", { class: "legend" }, names,
			el("li", {}, el("span", { class: "swatch none" }), "others, and the runtime's states")));
}

/* ---- searching ------------------------------------------------------- */

function drawFound() {
	const { tree, found } = graph, out = byId("flame-graph");
	out.classList.toggle("searching", !!found);
	for (const [node, e] of graph.frames)
		e.classList.toggle("hit", !!found && found.hit[node] === 1);
	byId("flame-found").textContent = !found ? "" : !found.frames ? "no frame matches" :
		`${percent(found.weight, tree.weight[0])} in ${plural(found.frames, "matching frame")}`;
}

function searchGraph(typed) {
	const matches = matcher(typed);
	graph.search = typed;
	graph.found = matches ? matchTree(graph.tree, matches) : null;
	drawFound();
}

/* ---- moving ---------------------------------------------------------- */

function setFocus(node, take) {
	const before = graph.frames.get(graph.focus), now = graph.frames.get(node);
	if (before)
		before.tabIndex = -1;
	if (!now)
		return;
	graph.focus = node;
	now.tabIndex = 0;
	if (take)
		now.focus();
}

function zoomTo(node, take) {
	if (graph.tree.isSmall(node))
		return;
	graph.zoom = node;
	graph.focus = node;
	drawGraph();
	if (take)
		setFocus(node, true);
}

/* The drawn frame beside, above or below the one with the focus; undefined: there is none. */
function neighbour(step) {
	const { tree, focus } = graph, drawn = (list) => list.filter((n) => graph.frames.has(n));
	if (step === "ArrowDown")
		return drawn(tree.children[focus])[0];
	if (step === "ArrowUp")
		return focus ? tree.parent[focus] : undefined;
	const siblings = focus ? drawn(tree.children[tree.parent[focus]]) : [0];
	return siblings[siblings.indexOf(focus) + (step === "ArrowRight" ? 1 : -1)];
}

function onKey(event) {
	const act = {
		Enter: () => zoomTo(graph.focus, true), " ": () => zoomTo(graph.focus, true),
		Escape: () => zoomTo(0, true), Home: () => setFocus(0, true),
		Backspace: () => zoomTo(graph.tree.parent[graph.zoom], true),
	}[event.key];
	if (event.altKey || event.ctrlKey || event.metaKey)
		return;
	if (act)
		act();
	else if (event.key.startsWith("Arrow"))
		setFocus(neighbour(event.key) ?? graph.focus, true);
	else
		return;
	event.preventDefault();
}

function onClick(event) {
	const e = event.target.closest(".frame");
	if (!e)
		return;
	const node = Number(e.dataset.node), at = graph.tree.functionOf(node);
	if (event.altKey && node && at[2])
		showSource(at[2], at[3]);
	else
		zoomTo(node, true);
}

/* ---- the section ----------------------------------------------------- */

function drawNote() {
	const { tree } = graph, folded = foldedWeight(tree), note = byId("flame-note");
	const parts = tree.elapsed ? ["Widths are elapsed time: each thread's work divided by the " +
		"number of threads that worked."] : [];
	parts.push("A click or Enter zooms, Escape shows all, / searches, arrow keys move; " +
		"Alt and a click opens the source.");
	if (tree.least > 0)
		parts.push(`Frames with less than ${percent(tree.least, 1)} of every event are drawn ` +
			`together as (small): ${percent(folded, tree.weight[0])} of ` +
			`${events[tree.event].label}.`);
	if (tree.which === "callers")
		parts.push("At the top: where the time is spent; below each frame: who called it.");
	if (graph.deeper)
		parts.push(`${LEVELS} levels are drawn; zoom in for those below.`);
	if (state.view === "machine")
		parts.push("Each thread's own stack, with the runtime's frames.");
	note.textContent = parts.join(" ");
}

function rebuild() {
	const elapsed = state.width === "elapsed", before = graph.tree;
	const tree = flameTree(state.view, state.tree, elapsed ? data.elapsed_event : state.event,
		{ folds: state.recursion === "folded", elapsed });
	byId("flame-recursion").hidden = !tree.folded && state.recursion === "folded";
	graph.zoom = before && before.which === tree.which ? sameNode(before, graph.zoom, tree) : 0;
	graph.tree = tree;
	graph.focus = graph.zoom;
	const matches = matcher(graph.search);
	graph.found = matches ? matchTree(tree, matches) : null;
	drawGraph();
}

export function flameSection() {
	const views = [
		["user", "user", "The program as it was written: workers' time lies where the region or task was created"],
		["expert", "expert", "The same, with outlined functions by themselves"],
		["machine", "machine", "Each thread's own stack, the runtime's frames too"],
	].filter(([v]) => data.flames[v]);
	byId("flame").append(
		el("h2", { id: "flame-title" }, "Where in the program"),
		el("div", { class: "tools" },
			choice("View", views, state.view, (v) => choose("view", v)),
			choice("Direction", [
				["callees", "callees below", "From the outermost function inwards"],
				["callers", "inverted", "From the function that runs outwards: who called it"],
			], state.tree, (v) => choose("tree", v)),
			data.elapsed_event === null ? "" : choice("Width", [
				["threads", "threads' time", "What all threads together spent"],
				["elapsed", "elapsed time", "Their part of the time that the run took: work divided by the threads that worked"]],
			state.width, (v) => choose("width", v)),
			el("span", { id: "flame-recursion" }, choice("Recursion", [
				["folded", "recursion folded", "From the fifth level on a recursive function is one frame"],
				["all", "all levels"]], state.recursion, (v) => choose("recursion", v))),
			choice("Colour", [["class", "by what it does"], ["module", "by module"]], state.colour,
				(v) => choose("colour", v)),
			el("input", { type: "search", id: "flame-search", placeholder: "search functions  /",
				"aria-label": "Search functions, by a regular expression", spellcheck: "false",
				oninput: (event) => searchGraph(event.target.value) }),
			el("output", { id: "flame-found", for: "flame-search", "aria-live": "polite" }),
			el("button", { type: "button", id: "flame-reset", onclick: () => zoomTo(0, false) },
				"Show all")),
		el("div", { id: "flame-legend" }),
		el("div", { class: "flame-box" }, el("div", { id: "flame-graph", role: "tree", "aria-label": "Flame graph: arrow keys move, " +
			"Enter zooms, Escape shows all", onkeydown: onKey, onclick: onClick })),
		el("p", { id: "flame-note", class: "note" }));
	tips(byId("flame-graph"), ".frame", (e) => [graph.tree.nameOf(Number(e.dataset.node)),
		frameWords(graph.tree, Number(e.dataset.node))]);
	watch(["event", "view", "tree", "recursion", "width"], rebuild);
	watch(["colour"], drawGraph);
	let width = byId("flame-graph").clientWidth;
	new ResizeObserver(() => {
		if (byId("flame-graph").clientWidth !== width) {
			width = byId("flame-graph").clientWidth;
			drawGraph();
		}
	}).observe(byId("flame-graph"));
	document.addEventListener("keydown", (event) => {
		if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
			event.preventDefault();
			byId("flame-search").focus();
		}
	});
}
