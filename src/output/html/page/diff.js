/* diff.js - the page of diff: what is slower or faster, where, and what of it chance explains. */
import { byId, el } from "./dom.js";
import { amount, count, duration, percent, plural, signed } from "./format.js";
import { runs } from "./runs_data.js";
import { tableOf } from "./table.js";

const SIDES = ["before", "after"], CLASSES = ["work", "wait", "overhead", "mpi", "blocked"];
const LEAST_LOSS = 0.01, PATH_END = 4;

/* ---- words ------------------------------------------------------------- */

function cost(v) {
	return v === null ? "–" : amount(v, runs);
}

function signedCost(v, words) {
	return v === null ? "–" : (v > 0 ? "+" : v < 0 ? "−" : "") + words(Math.abs(v));
}

/* What is judged: elapsed time, or the event's total. */
function judged() {
	const { verdict: v } = runs, elapsed = v.measure === "elapsed";
	const of = (side) => elapsed ? runs.elapsed_ns[side].mean : runs.run[0][side] && runs.run[0][side].mean;
	return { before: of("before"), after: of("after"), words: elapsed ? duration : cost,
		noise: elapsed ? runs.elapsed_ns.noise : runs.run[0].noise, v };
}

function verdictLine() {
	const { before, after, words, noise, v } = judged(), slower = v.change_percent > 0;
	return el("p", { class: "verdict" }, v.measure, " ", words(before), " → ", el("strong", {}, words(after)),
		v.change_percent === null ? "" : ` (${signed(v.change_percent, "%")})`, ": ",
		v.within_noise === null ? "how much runs differ is not known: compare folders of three runs or more" :
			el("span", { class: v.within_noise || !slower ? "good" : "bad" },
				(v.within_noise ? "within noise" : slower ? "slower, beyond noise" : "faster, beyond noise") +
				(noise === null ? "" : ` (${words(noise)})`)));
}

/* What all runs of a side have; null: they differ. */
function ofAll(side, member) {
	const all = new Set(runs[side].runs.map((r) => r[member]));
	return all.size === 1 ? [...all][0] : null;
}

function differing(member, what) {
	const [b, a] = SIDES.map((side) => ofAll(side, member));
	const words = (v) => v === null ? "several" : v === "" ? "none" : String(v);
	return b === a && b !== null ? [] : [`${what} differ: ${words(b)} before, ${words(a)} after.`];
}

function warningLines() {
	const words = [...differing("arguments", "Arguments"), ...ofAll("before", "host") === null &&
		ofAll("after", "host") === null && runs.before.runs.every((r) => r.host === null) ? [] :
		differing("host", "Machines"), ...runs.before.threads === runs.after.threads ? [] :
		[`Threads differ: ${runs.before.threads ?? "several"} before, ${runs.after.threads ?? "several"} after.`]];
	for (const side of SIDES)
		for (const t of runs[side].without_names)
			words.push(`Without names, ${side}: ${t.path}: ${t.why}.`);
	return words.map((w) => el("p", { class: "warning" }, w));
}

/* ---- efficiency -------------------------------------------------------- */

function efficiencyTable() {
	const [b, a] = SIDES.map((side) => runs[side].efficiency);
	if (b === null || a === null)
		return null;
	const row = (name, before, after) => el("tr", {}, el("th", { scope: "row" }, name),
		[percent(before, 1), percent(after, 1), signed(100 * (after - before), "points")]
			.map((v) => el("td", { class: "number" }, v)));
	return tableOf("Of the threads' time", ["", "Before", "After", "Change"].map((h, i) => [h, null, i ? "number" : null]),
		[row("parallel efficiency", b.parallel, a.parallel),
			...Object.keys(b.lost).filter((k) => Math.max(b.lost[k], a.lost[k]) >= LEAST_LOSS).map((k) =>
				row("lost: " + k.replaceAll("_", " "), b.lost[k], a.lost[k]))]);
}

/* ---- rows -------------------------------------------------------------- */

function rowVerdict(row) {
	if (row.noise === null)
		return ["not judged", "muted"];
	if (row.within_noise)
		return ["within noise", "muted"];
	if (!row.before || !row.after)
		return ["only " + (row.before ? "before" : "after"), row.before ? "good" : "bad"];
	const loss = runs.scaling === null ? row.change : row.loss;
	return runs.scaling === null ? loss > 0 ? ["more", "bad"] : ["less", "good"] :
		loss > 0 ? ["loss", "bad"] : ["gain", "good"];
}

function pathEnd(name) {
	const all = name.split(" > ");
	return all.length > PATH_END ? "… > " + all.slice(-PATH_END).join(" > ") : name;
}

function rowTitle(row, by) {
	const { before: b, after: a } = row, x = a || b;
	const name = by === "constructs" && row.function ? `${x.title} in ${row.name}` : by === "paths" ? pathEnd(row.name) : row.name;
	const at = row.function && x.file ? ` (${x.file}${x.line ? ":" + x.line : ""})` : "";
	const was = a && b ? [b.title !== a.title && b.title ? `was ${b.title}` : "", b.file !== a.file && b.file ? `was in ${b.file}` : "",
		b.line !== a.line && b.line ? `was :${b.line}` : ""].filter((w) => w) : [];
	return [name + at, was.length ? el("span", { class: "muted" }, ", " + was.join(", ")) : null];
}

function sideBar(v, most) {
	return el("div", { class: "bar" }, CLASSES.filter((c) => v && v[c] > 0).map((c) =>
		el("span", { class: "part " + c, title: `${c} ${cost(v[c])}`, style: { width: 100 * v[c] / most + "%" } })));
}

function rowsTable(title, by) {
	const rows = runs[by], most = Math.max(1, ...rows.flatMap((r) => SIDES.map((s) => r[s] ? r[s].mean : 0)));
	const change = runs.scaling === null ? ["Change", "%"] : ["Loss", "%"];
	const left = runs.left[by];
	return [tableOf(title, [["", null, null], ["", null, null], ["Before", null, "number"], ["After", null, "number"],
		[change[0], runs.scaling === null ? null : "beyond ideal scaling", "number"], [change[1], null, "number"],
		["Noise", "what chance explains", "number"], ["Before, after", "by what the threads did", "wide"]],
	rows.map((row) => {
		const [words, cls] = rowVerdict(row), scaled = runs.scaling !== null;
		return el("tr", {}, el("th", { scope: "row", title: row.name }, rowTitle(row, by)),
			el("td", { class: "word " + cls }, words),
			SIDES.map((s) => el("td", { class: "number" }, row[s] ? cost(row[s].mean) : "–")),
			el("td", { class: "number" }, signedCost(scaled ? row.loss : row.change, cost)),
			el("td", { class: "number" }, signed(scaled ? row.loss_percent : row.change_percent, "%")),
			el("td", { class: "number" }, cost(row.noise)),
			el("td", { class: "wide" }, SIDES.map((s) => sideBar(row[s], most))));
	})), left ? el("p", { class: "note" }, `${count(left)} more, of which each changed less or is within noise.`) : null];
}

/* ---- the page ---------------------------------------------------------- */

function sideWords(side) {
	const s = runs[side];
	return el("p", { class: "facts" }, `${side}: ${s.path}: ${plural(s.runs.length, "run")}, `,
		s.threads === null ? "different numbers of threads" : plural(s.threads, "thread"));
}

export function diffPage() {
	const tables = [["regions", "Regions"], ["constructs", "Constructs"], ["functions", "Functions"], ["lines", "Lines"],
		["paths", "Paths"]].filter(([by]) => runs[by].length);
	const title = `${runs.before.path} → ${runs.after.path}`;
	document.title = `${title.slice(0, 80)} – omphwc`;
	byId("nav").append(...[["summary", "Summary"], ...tables].map(([id, word]) => el("a", { href: "#" + id }, word)));
	byId("summary").append(el("h1", { id: "title", title }, title), verdictLine(), ...SIDES.map(sideWords),
		...warningLines());
	const efficiency = efficiencyTable();
	if (efficiency)
		byId("summary").append(efficiency);
	byId("summary").append(...rowsTable(`${runs.event} of the run`, "run").slice(0, 1),
		el("ul", { class: "legend" }, runs.classes.map((c) => el("li", {}, el("span", { class: "swatch " + c.name }), c.name))),
		el("p", { class: "note" }, "Numbers are means over a side's runs. Noise is what chance explains: three standard errors or more, " +
			"from the spread of the runs and the number of samples." + (runs.scaling === null ? "" :
			` A loss is the cost beyond ideal ${runs.scaling} scaling; its % is of the total after.`)));
	byId("main").append(...tables.map(([by, word]) => el("section", { id: by, class: "compared", "aria-labelledby": by + "-title" },
		el("h2", { id: by + "-title" }, word), ...rowsTable(`${word}, the largest change first, what is within noise last`, by)
			.filter((e) => e))), el("p", { class: "note" }, `Written by ${runs.program}.`));
}
