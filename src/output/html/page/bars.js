/* bars.js - bars of work, wait and overhead. */
import { el } from "./dom.js";
import { classes } from "./data.js";
import { percent } from "./format.js";

/* "work 20.1 %, wait 14.0 %" of the whole. */
export function classWords(weights, whole) {
	const words = classes.map((c, i) => weights[i] ? c + " " + percent(weights[i], whole) : "");
	return words.filter((w) => w).join(", ") || "nothing";
}

/* A bar whose full width is the whole. */
export function classBar(weights, whole, props) {
	const parts = classes.map((c, i) => weights[i] > 0 ? el("span", {
		class: "part " + c, style: { width: 100 * weights[i] / whole + "%" },
	}) : null);
	return el("div", { role: "img", "aria-label": classWords(weights, whole), class: "bar",
		...props }, parts);
}

/* The same with its share of the whole beside it. */
export function shareBar(weights, part, whole) {
	return el("div", { class: "share-bar" }, classBar(weights, whole, { "aria-hidden": "true" }),
		el("span", { class: "number" }, percent(part, whole)));
}

export function classLegend(names) {
	const meanings = {
		work: "runs the program's own code",
		wait: "waits: at barriers, for locks, for tasks, or idle",
		overhead: "runs the OpenMP runtime's own work",
		mpi: "is in MPI",
		blocked: "sleeps in a system call that is not OpenMP's",
	};
	return el("ul", { class: "legend" }, (names || classes).map((c) => el("li", {
		title: meanings[c] ? "a thread " + meanings[c] : null,
	}, el("span", { class: "swatch " + c }), c)));
}

/* A CSS background of the classes' shares. */
export function classBackground(weights, all) {
	const stops = [];
	let at = 0;
	classes.forEach((c, i) => {
		if (!weights[i])
			return;
		const end = at + 100 * weights[i] / all;
		stops.push(`var(--${c}-soft) ${at.toFixed(2)}% ${end.toFixed(2)}%`);
		at = end;
	});
	return stops.length > 1 ? `linear-gradient(90deg, ${stops.join(", ")})` :
		stops.length ? stops[0].split(" ")[0] : "var(--nothing)";
}
