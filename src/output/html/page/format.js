/* format.js - numbers and places in words. */

/* "34.2 %", with more digits where they are all that there is. */
export function percent(part, whole) {
	if (!whole)
		return "–";
	const p = 100 * part / whole;
	if (p !== 0 && Math.abs(p) < 0.05)
		return p.toPrecision(1) + " %";
	return p.toFixed(1) + " %";
}

const prefixes = [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3], ["", 1]];

function scaled(value, units) {
	for (const [name, size] of units)
		if (Math.abs(value) >= size)
			return (value / size).toPrecision(3) + " " + name;
	return value.toPrecision(3) + " " + units[units.length - 1][0];
}

/* A duration in nanoseconds: "9.81 s". */
export function duration(ns) {
	if (ns === 0)
		return "0 s";
	if (Math.abs(ns) >= 1e12)
		return count(Math.round(ns / 1e9)) + " s";
	return scaled(ns, [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]]);
}

/* An event's count, in its unit. */
export function amount(value, event) {
	if (event.unit === "ns")
		return duration(value);
	return value < 1000 ? String(Math.round(value)) : scaled(value, prefixes).trim();
}

/* "1,234,567". */
export function count(n) {
	return n.toLocaleString("en");
}

export function plural(n, word) {
	return count(n) + " " + word + (n === 1 ? "" : "s");
}

/* "+9.1 %"; null: unknown. */
export function signed(n, unit) {
	return n === null ? "–" : (n > 0 ? "+" : n < 0 ? "−" : "") + Math.abs(n).toFixed(1) + " " + unit;
}

export function baseName(path) {
	return path ? path.slice(path.lastIndexOf("/") + 1) : "";
}

/* Where a line is: "jacobi.c:26"; what is known of it. */
export function place(o) {
	if (o.file && o.line)
		return baseName(o.file) + ":" + o.line;
	return o.place || (o.file ? baseName(o.file) : "");
}

/* "solve, jacobi.c:26"; "cos(), called by solve, jacobi.c:26". */
export function functionPlace(o) {
	const at = place(o), name = o.function || "", called = o.called ? `${o.called}(), called by ` : "";
	return called + (name && at ? name + ", " + at : name || at || "(unknown)");
}
