/*
 * data.js - what the page shows, as the profile's reader wrote it.
 *
 * The members are those of the JSON report (doc/report.schema.json): event, events, samples,
 * time, job, findings, processes, threads, cpus, blame, filter, without_names.  Besides:
 *
 *   classes, losses, lost_names   what costs and losses are called
 *   rows, row_threads   names of rows of threads; each is of so many threads
 *   regions, regions_left   the largest regions, also by a short name, and the sum of the others
 *   constructs, tasks, memory
 *                       rows of these tables, cells as columns of csv (with path: the end of the one
 *                       to node), and self; with _left, the number and sum of the others
 *   counts              of the largest regions, without threads
 *   timeline            null, or columns of time: of each event cells (row, column, class, weight)
 *                       and regions (row, column, index into names); the longest entries
 *   sources             files with their lines' costs, the largest first
 *   elapsed_event       the event whose flames are of elapsed time, in elapsed; null: not known
 *   elapsed_first       whether these are shown first
 *   flames, elapsed     of each view: functions, and trees "callees" and "callers"
 *
 * Cells are numbers in fours: key, class, weight, samples; an array for each event.  The key is
 * a tree's node, a row of threads, or a line.  A function is [name, kind, file, line, module
 * and, where it differs, the short name]; number 0 is "(small)".
 */

export const data = JSON.parse(document.getElementById("data").textContent);
export const events = data.events;
export const classes = data.classes;
export const kinds = { plain: 0, artificial: 1, unknown: 2 };

/* Cells of an event as a map from key to an array of weights by class. */
export function cellsByKey(cells) {
	const by = new Map();
	for (let i = 0; i < cells.length; i += 4) {
		let weights = by.get(cells[i]);
		if (!weights)
			by.set(cells[i], weights = new Array(classes.length).fill(0));
		weights[cells[i + 1]] += cells[i + 2];
	}
	return by;
}

/* The weights by class of a cost: { weight, work, wait, … }. */
export function weightsOf(cost) {
	return classes.map((c) => cost[c]);
}

export function sum(numbers) {
	let all = 0;
	for (const n of numbers)
		all += n;
	return all;
}

/* An event's weight in all. */
export function totalOf(event) {
	return events[event].total.weight;
}

export function sampledEvents() {
	return events.map((e, i) => i).filter((i) => events[i].sampled);
}

/* A region's costs by row of threads: [row, weights], in the rows' order.  Where fewer threads
   have samples than its team has, all threads are there. */
export function rowsOfRegion(region, event) {
	const by = cellsByKey(region.rows[event]), none = new Array(classes.length).fill(0);
	const rows = region.kind === "region" && by.size < region.team_most ?
		data.rows.map((name, i) => i) : [...by.keys()].sort((a, b) => a - b);
	return rows.map((row) => [row, by.get(row) || none]);
}

/* A name of a row of threads for people. */
export function rowName(row) {
	const each = data.row_threads;
	if (each === 1)
		return data.rows[row];
	const last = Math.min((row + 1) * each, data.all_threads) - 1;
	return data.rows[row] + " and the " + (last - row * each) + " after it";
}
