/* threads.js - threads, the CPUs they ran on, and what of their time they got. */
import { shareBar } from "./bars.js";
import { byId, el } from "./dom.js";
import { data, events, totalOf, weightsOf } from "./data.js";
import { amount, count, duration, percent, plural } from "./format.js";
import { state, watch } from "./state.js";
import { tableOf } from "./table.js";

const CPUS_SHOWN = 4;

function threadName(t) {
	return data.row_threads === 1 ? data.rows[t.id] : `thread ${t.index}`;
}

function cpusOf(t) {
	const all = t.cpus.reduce((a, c) => a + c.events[state.event].weight, 0);
	const words = t.cpus.slice(0, CPUS_SHOWN).map((c) => t.cpus.length > 1 ?
		`${c.cpu} (${percent(c.events[state.event].weight, all)})` : String(c.cpu));
	if (t.cpus.length > CPUS_SHOWN)
		words.push(`${t.cpus.length - CPUS_SHOWN} more`);
	return words.join(", ") || "–";
}

function lostOf(t) {
	return Object.values(t.lost).reduce((a, n) => a + n, 0);
}

function threadRow(t) {
	const all = totalOf(state.event), self = t.self && t.self[state.event], lost = lostOf(t);
	const used = t.ran_ns !== null ? t.ran_ns + t.waited_ns : 0;
	return el("tr", {},
		el("th", { scope: "row" }, threadName(t)),
		el("td", {}, t.kind),
		el("td", { class: "wide" }, self ? shareBar(weightsOf(self), self.weight, all) : "–"),
		el("td", { class: "number" }, self ? count(self.samples) : "0"),
		el("td", { class: "number" }, t.elapsed_ns ? duration(t.elapsed_ns) : "–"),
		el("td", {}, cpusOf(t)),
		el("td", { class: "number" }, t.moves === null ? "–" : count(t.moves)),
		el("td", { class: "number" + (used && t.waited_ns > 0.05 * used ? " uneven" : "") },
			used ? percent(t.ran_ns, used) : "–"),
		el("td", { class: "number" + (lost ? " uneven" : "") }, count(lost)));
}

function cpuRow(c) {
	const e = c.events[state.event];
	return el("tr", {}, el("th", { scope: "row" }, `CPU ${c.cpu}`),
		el("td", {}, data.all_processes > 1 ? c.host || "" : ""),
		el("td", { class: "number" }, c.node ?? "–"), el("td", { class: "number" }, c.socket ?? "–"),
		el("td", { class: "number" }, percent(e.weight, totalOf(state.event))),
		el("td", { class: "number" }, amount(e.weight, events[state.event])),
		el("td", { class: "number" }, count(c.threads)));
}

function drawThreads() {
	const left = data.all_threads - data.threads.length, out = byId("threads-tables");
	out.replaceChildren(
		tableOf(plural(data.all_threads, "thread") + (left ? `; the first ${data.threads.length}` : ""),
			[["Thread"], ["Kind"], ["Share"], ["Samples"], ["Lived"],
				["CPUs", "where its samples were"], ["Moves", "samples on another CPU than the one before"],
				["Got", "of the time in which it could have run"], ["Lost", "samples, by any cause"]],
			data.threads.map(threadRow)),
		data.cpus.length ? tableOf("CPUs with samples" +
			(data.all_cpus > data.cpus.length ? `; the first ${data.cpus.length} of ${data.all_cpus}` : ""), [["CPU"], ["Host"], ["Node"], ["Socket"],
			["Share"], ["Count"], ["Threads"]], data.cpus.map(cpuRow)) : "");
}

function placementNotes() {
	const notes = [];
	for (const p of data.processes) {
		const at = p.placement, who = data.processes.length > 1 ? `pid ${p.pid}: ` : "";
		if (!at)
			continue;
		if (at.crowded)
			notes.push(`${who}${at.openmp_threads} OpenMP threads share ${at.cpus} CPUs`);
		if (at.shared)
			notes.push(`${who}${at.shared.threads} threads share CPU ${at.shared.cpu}, while ` +
				`CPU ${at.shared.free_cpu} is free`);
		if (at.unused_socket !== null)
			notes.push(`${who}all samples are on socket ${at.socket}; socket ${at.unused_socket} ` +
				"may be used too");
	}
	return notes.map((n) => el("p", { class: "warning" }, n));
}

export function threadsSection() {
	byId("threads").append(el("h2", { id: "threads-title" }, "Threads and CPUs"),
		el("div", {}, placementNotes()), el("div", { id: "threads-tables" }));
	watch(["event"], drawThreads);
}
