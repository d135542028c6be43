/* tables.js - constructs, tasks, counts and addresses. */
import { shareBar } from "./bars.js";
import { byId, clipped, el } from "./dom.js";
import { data, events, totalOf, weightsOf } from "./data.js";
import { amount, count, duration, place, plural } from "./format.js";
import { state, watch } from "./state.js";
import { showSource } from "./source.js";
import { namesApart, tableOf } from "./table.js";

const numberCell = (text) => el("td", { class: "number" }, text ?? "–");
const countWords = (n) => n === undefined || n === null ? null : count(n);
const timeWords = (ns) => ns === undefined || ns === null ? null : duration(ns);

/* ---- names ----------------------------------------------------------- */

function inPlace(what, r) {
	return r.function || r.file ? `${what} in ${r.function || "(unknown)"} (${place(r) || "line not known"})` : what;
}

function byteWords(n) {
	return n >= 1 << 20 ? (n / (1 << 20)).toFixed(1) + " MiB" : n >= 1 << 10 ?
		(n / (1 << 10)).toFixed(1) + " KiB" : plural(n, "byte");
}

function memoryName(r) {
	const size = r.blocks ? `, ${plural(r.blocks, "block")}, ${byteWords(r.bytes)}` : "";
	const at = r.first_address ? ` from 0x${r.first_address.toString(16)}` : "";
	if (r.kind === "none")
		return "(no address known)";
	return (r.name || (r.blocks ? inPlace("heap, allocated", r) : r.kind)) + size + (r.name ? "" : at);
}

function rowNameCell(name, r) {
	return el("th", { scope: "row", class: "wide-name" }, r.file && r.line ?
		el("button", { type: "button", class: "link clipped", title: name,
			onclick: () => showSource(r.file, r.line) }, name) : clipped(name, {}));
}

/* ---- tables of costs ------------------------------------------------- */

function shareCell(r) {
	const self = r.self[state.event];
	return el("td", { class: "wide" }, shareBar(weightsOf(self), self.weight, totalOf(state.event)));
}

function unevenWords(r) {
	return r.imbalance ? r.imbalance.toFixed(2) + (r.imbalance_samples < 100 ? " ~" : "") : null;
}

function pieceWords(r) {
	return !r.count_least ? null : r.count_least === r.count_most ? count(r.count_least) :
		`${count(r.count_least)} to ${count(r.count_most)}`;
}

/* Columns: name, the text of a row's cell, title. One that no row has a text for is left out. */
const flatTables = [
	{ key: "constructs", name: "Constructs", what: "Construct", nameOf: (r) => r.construct,
		moreOf: (r) => r.object ? ` ${r.object}` : "", columns: [
			["Threads", (r) => countWords(r.threads), "that were sampled in it"],
			["Imbalance", unevenWords, "the most that one thread worked, over the mean; ~ from few samples"],
			["Entries", (r) => countWords(r.entries), "by each thread"],
			["Elapsed", (r) => timeWords(r.elapsed_ns), "from entry to exit, all entries together"],
			["Longest", (r) => timeWords(r.longest_ns), "entry"],
			["Pieces", pieceWords, "iterations or sections of an entry"]] },
	{ key: "tasks", name: "Tasks", what: "Task", nameOf: (r) => inPlace(r.kind, r),
		moreOf: (r) => r.path ? `, from ${r.path}` : "", columns: [
			["Created", (r) => countWords(r.created)], ["Run", (r) => countWords(r.run)],
			["Stolen", (r) => countWords(r.stolen), "run by another thread than the one that created it"],
			["Cancelled", (r) => r.cancelled ? count(r.cancelled) : null],
			["In bodies", (r) => timeWords(r.body_ns), "time in the tasks' own code"]] },
	{ key: "memory", name: "Addresses", what: "Memory", nameOf: memoryName,
		moreOf: (r) => r.path ? `, from ${r.path}` : r.module ? ` [${r.module}]` : "", columns: [
			["Kind", (r) => r.kind],
			["Cycles", (r) => r.accesses_with_cost ? (r.cycles / r.accesses_with_cost).toFixed(0) : null,
				"of an access, on average"]] },
];

/* Of memory only what has an address makes a table. */
function tableRows(t) {
	const rows = data[t.key];
	return t.key === "memory" && rows.every((r) => r.kind === "none") ? [] : rows;
}

function flatTable(t) {
	const all = tableRows(t), left = data[t.key + "_left"];
	const names = namesApart(all, t.nameOf, t.moreOf);
	const columns = t.columns.filter(([, words]) => all.some((r) => words(r) !== null));
	if (!all.length)
		return "";
	const rows = all.map((r, i) => [r, i]).sort((a, b) =>
		b[0].self[state.event].weight - a[0].self[state.event].weight || a[1] - b[1]);
	const shares = totalOf(state.event) > 0;
	return tableOf(t.name, [[t.what], ...(shares ? [["Share", "of all that the event counted"]] : []),
		...columns.map(([name, , title]) => [name, title, "number"])],
	rows.map(([r, i]) => el("tr", {}, rowNameCell(names[i], r), shares ? shareCell(r) : null,
		columns.map(([, words]) => numberCell(words(r))))),
	left.n ? el("tr", { class: "muted" }, el("td", {}, `${count(left.n)} smaller ones`), shares ? shareCell(left) : null,
		el("td", { colspan: columns.length || 1 })) : null);
}

/* ---- counts ---------------------------------------------------------- */

function countCell(one) {
	const scaled = one && one.state === "scaled", event = one && events[one.event];
	if (!one || one.value === undefined || one.value === null)
		return numberCell(null);
	return numberCell(scaled ? amount(one.scaled, event) + " ~" :
		event.unit === "ns" ? duration(one.value) : count(one.value));
}

function countRow(name, of, ids, names) {
	return el("tr", {}, el("th", { scope: "row", class: "wide-name" }, clipped(name, {})),
		ids.map((e) => countCell(of.events.find((one) => one.event === e))),
		names.map((n) => {
			const ratio = of.ratios.find((one) => one.name === n);
			return numberCell(ratio ? ratio.value.toPrecision(3) : null);
		}));
}

function countsTable() {
	const ids = data.counts_total.map((one) => one.event);
	const names = data.counts_ratios.map((one) => one.name);
	if (!ids.length)
		return "";
	const regions = namesApart(data.counts, (r) => r.kind === "region" ?
		`${r.function || "(unknown)"} (${place(r) || "line not known"})` : `(${r.kind})`, () => "");
	return tableOf("Counts, exact but for ~ (scaled up)", [["Parallel region"],
		...ids.map((e) => [events[e].label, "", "number"]), ...names.map((n) => [n, "", "number"])],
	data.counts.map((r, i) => countRow(regions[i], r, ids, names)),
	countRow("the run", { events: data.counts_total, ratios: data.counts_ratios }, ids, names));
}

/* ---- the section ----------------------------------------------------- */

export function hasTables() {
	return data.counts_total.length > 0 || flatTables.some((t) => tableRows(t).length);
}

export function tablesSection() {
	const out = el("div", { class: "tables" });
	byId("tables").append(el("h2", { id: "tables-title" },
		"Constructs, tasks, counts, addresses"), out);
	watch(["event"], () => out.replaceChildren(...flatTables.map(flatTable), countsTable()));
}
