/*
 * flame_recursion.js - deep recursion in a tree of paths, folded.
 *
 * A function that is met again on a path, at most NEAR frames inwards, recurs. From the KEPT-th
 * time on it is no frame of its own: what it costs and calls belongs to the last one that is kept.
 * All sums stay as they are.
 */

const NEAR = 8, KEPT = 4;

/* The nearest of the frames above that has the function; -1: none. */
function nearest(at, parent, functions, f) {
	for (let i = 0; i < NEAR && at > 0; i++, at = parent[at])
		if (functions[at] === f)
			return at;
	return -1;
}

/* from: { parent, function }, parents before children; function 0 is what is small. The same, with
   into: each node's number in it, and levels: how often a node recurred, by number; null where
   nothing is folded. */
export function foldRecursion(from) {
	const times = [0], parent = [0], functions = [from.function[0]], into = [0];
	const known = new Map(), levels = new Map();

	for (let i = 1; i < from.parent.length; i++) {
		const f = from.function[i], above = into[from.parent[i]];
		const before = f ? nearest(from.parent[i], from.parent, from.function, f) : -1;

		times[i] = before < 0 ? 1 : times[before] + 1;
		if (times[i] > KEPT) {
			const kept = nearest(above, parent, functions, f);
			if (kept >= 0) {
				into[i] = kept;
				levels.set(kept, Math.max(levels.get(kept) || 0, times[i]));
				continue;
			}
		}
		const key = above + " " + f;
		if (!known.has(key)) {
			known.set(key, parent.length);
			parent.push(above);
			functions.push(f);
		}
		into[i] = known.get(key);
	}
	return levels.size ? { parent, function: functions, into, levels } : null;
}
