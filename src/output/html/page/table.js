/* table.js - a table with a caption, whose rows are shown in part if there are many. */
import { el } from "./dom.js";
import { count } from "./format.js";

const FIRST_ROWS = 25;

/* heads: [name, title, class]; rows: tr elements; rest: one more, which is always shown. */
export function tableOf(caption, heads, rows, rest) {
	const body = el("tbody", {}, rows.slice(0, rows.length > FIRST_ROWS + 5 ? FIRST_ROWS : rows.length));
	const more = rows.length - body.rows.length;
	if (more)
		body.append(el("tr", {}, el("td", { colspan: heads.length }, el("button", {
			type: "button", class: "link more", onclick: () =>
				body.replaceChildren(...rows, ...(rest ? [rest] : [])),
		}, `show ${count(more)} more`))));
	if (rest)
		body.append(rest);
	return el("div", { class: "scroll" }, el("table", {}, el("caption", {}, caption),
		el("thead", {}, el("tr", {}, heads.map(([h, title, cls]) =>
			el("th", { scope: "col", title, class: cls }, h)))), body));
}

/* The names of rows: equal ones get what distinguishes them, or else their number. */
export function namesApart(rows, nameOf, moreOf) {
	const names = rows.map(nameOf), times = (list, name) => list.filter((n) => n === name).length;
	const longer = rows.map((r, i) => times(names, names[i]) > 1 && moreOf(r) ?
		names[i] + moreOf(r) : names[i]);
	return longer.map((name, i) => times(longer, name) > 1 ?
		`${name} (${times(longer.slice(0, i + 1), name)})` : name);
}
