/* chart.js - numbers in a row: dots, the levels that they have, and places where these change. */
import { el, svg } from "./dom.js";
import { hideTip, showTip } from "./tooltip.js";

const WIDE = 1000, HIGH = 100, MARGIN = 8, FEW = 20;

/* The least and the largest of the values, of deviations around them, not closer than 4 %. */
function limits(values, deviations) {
	let least = Infinity, most = -Infinity;
	values.forEach((v, i) => {
		if (v === null)
			return;
		least = Math.min(least, v - (deviations[i] || 0));
		most = Math.max(most, v + (deviations[i] || 0));
	});
	const middle = (least + most) / 2, half = Math.max((most - least) / 2, 0.02 * Math.abs(middle), 1e-9);
	return [middle - half, middle + half];
}

/* chart({ label, names, values, deviations, levels, changes, marks, words }): names and values have
   an element for each place; levels are [from, to, value]; changes [place, better or worse]; marks
   are places; words(place) the lines of a tip. */
export function chart(c) {
	const n = c.values.length, [least, most] = limits(c.values, c.deviations);
	const x = (i) => (WIDE * (i + 0.5) / n).toFixed(1);
	const y = (v) => (HIGH - MARGIN - (HIGH - 2 * MARGIN) * (v - least) / (most - least)).toFixed(1);
	const begin = (i) => (WIDE * i / n).toFixed(1);
	const dots = c.values.map((v, i) => v === null ? "" : `M${x(i)} ${y(v)}h0`).join("");
	const spread = c.values.map((v, i) => v === null || !c.deviations[i] ? "" :
		`M${x(i)} ${y(v - c.deviations[i])}V${y(v + c.deviations[i])}`).join("");
	const levels = c.levels.map(([from, to, v]) => `M${begin(from)} ${y(v)}H${begin(to)}`).join("");
	const cursor = svg("path", { class: "chart-cursor" });
	let at = -1;
	const show = (i, box) => {
		at = Math.max(0, Math.min(n - 1, i));
		cursor.setAttribute("d", `M${x(at)} 0V${HIGH}`);
		const lines = c.words(at);
		showTip(c.names[at], lines, { x: box.left + box.width * (at + 0.5) / n, y: box.bottom - 8 });
		return [c.names[at], ...lines.map(([term, value]) => `${term} ${value}`)].join(", ");
	};
	const leave = () => {
		cursor.removeAttribute("d");
		hideTip();
	};
	const said = el("p", { class: "hidden", "aria-live": "polite" });
	const drawing = svg("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`,
		preserveAspectRatio: "none", role: "img", "aria-label": c.label, tabindex: 0,
		onpointermove: (event) => {
			const box = event.currentTarget.getBoundingClientRect();
			show(Math.floor(n * (event.clientX - box.left) / box.width), box);
		},
		onpointerleave: leave, onblur: leave,
		onkeydown: (event) => {
			const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
			if (!step)
				return;
			event.preventDefault();
			said.textContent = show(at < 0 ? n - 1 : at + step, event.currentTarget.getBoundingClientRect());
		} },
	c.marks.map((i) => svg("path", { class: "chart-mark", d: `M${begin(i)} 0V${HIGH}` })),
	c.changes.map(([i, how]) => svg("path", { class: "chart-change " + how, d: `M${begin(i)} 0V${HIGH}` })),
	svg("path", { class: "chart-spread", d: spread }), svg("path", { class: "chart-dots" + (n < FEW ? " few" : ""), d: dots }),
	svg("path", { class: "chart-levels", d: levels }), cursor);
	return [drawing, said, [least, most]];
}
