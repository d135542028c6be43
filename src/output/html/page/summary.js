/* summary.js - the run in a few lines: how long, where the time went, what to look at first. */
import { classBar, classLegend, classWords } from "./bars.js";
import { byId, el } from "./dom.js";
import { data, events, sampledEvents, totalOf, weightsOf } from "./data.js";
import { amount, baseName, count, duration, percent, place, plural } from "./format.js";
import { state, watch } from "./state.js";
import { showSource } from "./source.js";
import { ranksLine } from "./region.js";
import { showRegion } from "./regions.js";

/* ---- the run --------------------------------------------------------- */

function commandOf(process) {
	return process.command.length ? process.command.join(" ") : process.executable || "a program";
}

/* The same without the program's folder. */
function titleOf(process) {
	const [program, ...rest] = process.command;
	return program ? [baseName(program), ...rest].join(" ") : commandOf(process);
}

/* Ranks whose profile is missing, or not complete. */
function jobWords(job) {
	const words = [];
	if (!job || data.all_processes === 1)
		return words;
	if (job.missing)
		words.push(`No profile here of ranks ${job.missing}.`);
	if (job.killed)
		words.push(`Killed, or ended by _exit unseen: ranks ${job.killed}.`);
	if (job.killed_or_running)
		words.push(`Killed, or still running: ranks ${job.killed_or_running}.`);
	if (job.without_openmp)
		words.push(`Ranks ${job.without_openmp} never began OpenMP.`);
	return words;
}

function factsLine() {
	const p = data.processes[0], t = data.time, words = [];
	if (data.job && data.job.ranks > 1)
		words.push(data.job.size ? `${data.job.ranks} ranks of ${data.job.size}` :
			plural(data.job.ranks, "rank"));
	else if (data.all_processes > 1)
		words.push(plural(data.all_processes, "process").replace("processs", "processes"));
	words.push(t ? plural(t.threads, "OpenMP thread") : plural(data.all_threads, "thread"));
	if (t || p.elapsed_ns)
		words.push(duration(t ? t.elapsed_ns : p.elapsed_ns));
	if (sampledEvents().length)
		words.push(plural(events[state.event].total.samples, "sample"));
	if (data.job && data.job.hosts > 1)
		words.push(`on ${data.job.hosts} hosts`);
	else if (p.host)
		words.push("on " + p.host);
	return words.join(" · ");
}

function eventLine() {
	const e = events[state.event];
	return [el("strong", {}, e.label), " ", amount(totalOf(state.event), e),
		e.substituted ? ` (in place of ${e.requested}, which this machine has not)` : "",
		e.user_only ? ", user code only" : ""];
}

/* ---- the threads' time ----------------------------------------------- */

const FEW = 200; /* samples: a share of 50 % has a standard error of 3.5 points */

const lossClass = { not_running: "idle", serial: "serial", small_team: "serial",
	fork_join: "overhead", dispatch: "overhead", task_creation: "overhead", runtime: "overhead",
	mpi: "mpi", blocked: "blocked" };

function timeParts(t) {
	const parts = [{ key: "work", name: "work", meaning: "the threads ran the program's own code",
		ns: t.work_ns, cls: "work" }];
	for (const l of data.losses)
		if (t.lost_ns[l.key] > 0.0005 * t.thread_ns)
			parts.push({ ...l, ns: t.lost_ns[l.key], cls: lossClass[l.key] || "wait" });
	return [parts[0], ...parts.slice(1).sort((a, b) => b.ns - a.ns)];
}

function timeBar(t) {
	const parts = timeParts(t), all = Math.max(t.thread_ns, parts.reduce((a, p) => a + p.ns, 0));
	return el("figure", { class: "time" },
		el("figcaption", {}, data.all_processes > 1 ? "All processes' " :
			`${plural(t.threads, "thread")} × ${duration(t.elapsed_ns)} = `,
		el("strong", {}, duration(t.thread_ns)), " of thread time went into"),
		el("div", { class: "bar big", role: "img", "aria-label":
			parts.map((p) => `${p.name} ${percent(p.ns, all)}`).join(", ") },
		parts.map((p) => el("span", { class: "part " + p.cls, title: `${p.name}: ${p.meaning}`,
			style: { width: 100 * p.ns / all + "%" } },
		p.ns > 0.12 * all ? `${p.name} ${percent(p.ns, all)}` : p.ns > 0.05 * all ? p.name : ""))),
		el("ul", { class: "losses" }, parts.map((p) => el("li", {},
			el("span", { class: "number" }, el("span", { class: "swatch " + p.cls }),
				percent(p.ns, all)),
			el("span", {}, el("strong", {}, p.name), " ", el("span", { class: "muted" }, p.meaning))))));
}

function eventBar() {
	const total = events[state.event].total, all = totalOf(state.event);
	return el("figure", { class: "time" },
		el("figcaption", {}, "All threads' ", events[state.event].label, " went into"),
		classBar(weightsOf(total), all, { class: "bar big" }), classLegend(),
		el("p", { class: "muted" }, classWords(weightsOf(total), all)));
}

function gauge(name, value, meaning) {
	return el("div", { class: "gauge" },
		el("span", { class: "value " + (value < 0.7 ? "bad" : value < 0.9 ? "fair" : "good") },
			value > 1 ? "~" + percent(1, 1) : percent(value, 1)),
		el("span", { class: "name" }, name), el("span", { class: "muted" }, meaning));
}

function efficiencies(t) {
	const e = t.efficiency;
	return el("div", { class: "gauges" },
		gauge("parallel efficiency", e.parallel,
			`only working, the run would take ${duration(Math.min(e.parallel, 1) * t.elapsed_ns)}`),
		gauge("outside of regions", e.serial, "less what serial code leaves idle"),
		gauge("inside of regions", e.region, "less what waits and the runtime cost"),
		e.mpi === undefined ? null : gauge("MPI", e.mpi, "less the time in its calls" +
			(data.all_processes > 1 ? `: balance of ranks ${percent(e.mpi_balance, 1)}, ` +
				`communication ${percent(e.mpi_communication, 1)}` : "")));
}

/* ---- findings -------------------------------------------------------- */

function findingPlace(f) {
	const at = f.construct && f.construct.line ? f.construct : f.region;
	if (!at)
		return null;
	return el("span", { class: "links" },
		f.region && f.region.function ? el("button", { type: "button", class: "link",
			onclick: () => showRegion(f.region) }, "show the region") : null,
		at.file && at.line ? el("button", { type: "button", class: "link",
			onclick: () => showSource(at.file, at.line) }, `open ${place(at)}`) : null);
}

function finding(f) {
	const elapsed = data.time && data.time.elapsed_ns;
	return el("li", { class: "finding" },
		el("div", { class: "gain" }, f.gain_ns && elapsed ?
			[el("strong", {}, "−" + percent(f.gain_ns, elapsed)), duration(f.gain_ns) + " of the run"] :
			[el("strong", {}, "?"), "not known"]),
		el("div", {}, el("h3", {}, f.what), el("p", {}, f.why),
			f.helps ? el("p", { class: "helps" }, el("b", {}, "What helps: "), f.helps) : null,
			findingPlace(f)));
}

function findings() {
	if (!data.findings.length)
		return data.time ? el("p", { class: "muted" }, "No loss is large enough to begin with.") : "";
	return [el("h2", {}, "Where to begin"), el("ol", { class: "findings" }, data.findings.map(finding))];
}

/* ---- the section ----------------------------------------------------- */

function filterWords(f) {
	const words = [], options = f.options.map((o) => `${o.option} ${o.value}`).join(" ");
	if (f.samples_left !== f.samples_all || !f.hidden_modules.length)
		words.push(`Filtered by ${options}: ${count(f.samples_left)} of ` +
			`${plural(f.samples_all, "sample")} (${percent(f.samples_left, f.samples_all)}) are left, ` +
			"and shares are of these. What events counted and losses are of all.");
	if (f.hidden_modules.length)
		words.push(`Hidden modules: ${f.hidden_modules.join(", ")}; their cost is their callers'.`);
	return words;
}

function warnings() {
	const lost = data.samples.taken - data.samples.kept, words = [];
	if (!sampledEvents().length)
		words.push("Events were counted, and not sampled: what follows is exact, and has no paths.");
	else if (!data.samples.kept)
		words.push("Nothing was sampled: the run was too short, or used no CPU time.");
	else if (data.samples.kept < FEW)
		words.push(`Only ${plural(data.samples.kept, "sample")}: shares are uncertain by ` +
			percent(1 / Math.sqrt(Math.max(data.samples.kept, 1)), 1) + " and more.");
	if (lost > 0.01 * data.samples.taken)
		words.push(`${percent(lost, data.samples.taken)} of the samples were lost; see Run.`);
	words.push(...jobWords(data.job));
	if (data.filter)
		words.push(...filterWords(data.filter));
	if (data.time_unknown && !data.filter && sampledEvents().length)
		words.push(`The efficiency is not known: ${data.time_unknown}.`);
	return words.map((w) => el("p", { class: "warning" }, w));
}

export function summarySection() {
	const command = commandOf(data.processes[0]), title = titleOf(data.processes[0]), facts = el("p", { class: "facts" });
	const bar = el("div", {});
	document.title = title.slice(0, 80) + " – omphwc";
	byId("summary").append(el("h1", { id: "title", title: command }, title), facts,
		el("div", {}, warnings()),
		data.time ? el("div", { class: "overview" }, timeBar(data.time), efficiencies(data.time)) : bar,
		data.ranks ? ranksLine(data.ranks, " in the run") ?? "" : "", el("div", {}, findings()));
	watch(["event"], () => {
		facts.replaceChildren(factsLine(), el("br"), ...(sampledEvents().length ? eventLine() : []));
		bar.replaceChildren(...(sampledEvents().length ? [eventBar()] : []));
	});
}
