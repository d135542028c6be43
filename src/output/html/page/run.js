/* run.js - how the numbers came about: the run, its events, what was lost, what has no name. */
import { byId, el } from "./dom.js";
import { data, events } from "./data.js";
import { amount, count, duration, plural } from "./format.js";

function facts(pairs) {
	return el("dl", { class: "facts" }, pairs.filter(([, v]) => v !== null && v !== "" && v !== undefined)
		.map(([k, v]) => [el("dt", {}, k), el("dd", {}, v)]));
}

function list(texts) {
	return texts.length ? el("ul", { class: "plain" }, texts.map((t) => el("li", {}, t))) : null;
}

function processFacts(p) {
	const openmp = p.environment.filter((v) => /^(OMP|KMP|GOMP|LIBOMP)_/.test(v));
	return facts([
		["command", el("code", {}, p.command.join(" "))], ["executable", p.executable],
		["host", p.host], ["folder", p.folder], ["process", String(p.pid)], ["rank", p.rank],
		["job", p.job], ["OpenMP runtime", p.runtime],
		["begun", p.start_realtime_ns ? new Date(p.start_realtime_ns / 1e6).toISOString() : null],
		["elapsed", p.elapsed_ns ? duration(p.elapsed_ns) : null], ["ended", endOf(p)],
		["sampled", windowOf(p)],
		["threads", count(p.threads)], ["environment", list(openmp)], ["notes", list(p.notes)],
		["profile", p.profile]]);
}

function windowOf(p) {
	if (!p.sampled_from_ns && !p.sampled_until_ns)
		return null;
	return `from ${duration(p.sampled_from_ns || 0)} ` +
		(p.sampled_until_ns ? `to ${duration(p.sampled_until_ns)}` : "on");
}

function endOf(p) {
	if (p.run !== "running")
		return p.run.replaceAll("_", " ");
	return p.alive ? "it still runs" : p.alive === false ? "it was killed" : "it was killed or still runs";
}

function eventRow(e) {
	return el("tr", {}, el("th", { scope: "row" }, e.label),
		el("td", {}, e.substituted ? `in place of ${e.requested}` : ""),
		el("td", { class: "number" }, e.sampled ? count(e.total.samples) : "–"),
		el("td", { class: "number" }, e.sampled ? amount(e.total.weight, e) : "–"),
		el("td", { class: "number" }, e.counted ? amount(e.counted.value, e) : "–"),
		el("td", { class: "number" }, e.period ? count(e.period) :
			e.frequency_hz ? count(e.frequency_hz) + " Hz" : "–"),
		el("td", {}, e.user_only ? "user code" : "user code and kernel"));
}

function lostRows() {
	const lost = data.samples.lost, keys = Object.keys(lost);
	return keys.filter((k) => lost[k]).map((k) => {
		const at = keys.indexOf(k), name = data.lost_names[at] || "another cause";
		return el("li", {}, el("span", { class: "number" }, count(lost[k])), " ", name);
	});
}

function losses() {
	const s = data.samples, rows = lostRows();
	return el("div", {}, el("h3", {}, "Samples"),
		el("p", {}, `${count(s.taken)} taken, ${count(s.kept)} in the profile`,
			s.under_way ? `, ${count(s.under_way)} under way when it ended` : "", "."),
		rows.length ? [el("p", {}, "Lost:"), el("ul", { class: "plain" }, rows)] :
			el("p", { class: "muted" }, "None was lost."),
		s.unaccounted ? el("p", { class: "warning" }, "The sums differ: the file is damaged.") : null);
}

function troubles() {
	if (!data.without_names.length)
		return null;
	return el("div", {}, el("h3", {}, "Files without names"), list(data.without_names.map((t) =>
		`${t.path}: ${t.why}`)));
}

/* What the page has of the user's files, for those who pass it on. */
function contents() {
	const shown = data.sources.filter((s) => s.spans && s.spans.length);
	return el("div", {}, el("h3", {}, "Source text in this page"),
		shown.length ? [el("p", {}, "Lines around those with costs, of:"), list(shown.map((s) => s.found))] :
			el("p", { class: "muted" }, "None."));
}

export function runSection() {
	const left = data.all_processes - data.processes.length;
	byId("run").append(el("h2", { id: "run-title" }, "Run"),
		data.processes.length === 1 ? processFacts(data.processes[0]) :
			el("div", {}, data.processes.map((p) => el("details", {},
				el("summary", {}, `${p.rank !== null ? "rank " + p.rank : "process " + p.pid}`),
				processFacts(p))), left ? el("p", {}, plural(left, "process") + " more") : null),
		el("h3", {}, "Events"),
		el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {},
			["Event", "", "Samples", "Sampled", "Counted", "Every", "Sees"].map((h) =>
				el("th", { scope: "col" }, h)))), el("tbody", {}, events.map(eventRow)))),
		losses(), troubles(), contents(),
		el("p", { class: "note" }, `Written by ${data.program}. `, "Views, leaves and numbers are ",
			"explained in user-model.md, efficiency.md and ompcount(1)."));
}
