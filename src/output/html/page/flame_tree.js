/* flame_tree.js - a tree of paths with its costs of one event. */
import { classes, data } from "./data.js";
import { foldRecursion } from "./flame_recursion.js";

const built = new Map();

function makeTree(view, which, event, { folds, elapsed }) {
	const flame = (elapsed ? data.elapsed : data.flames)[view], whole = flame[which], folded = folds ? foldRecursion(whole) : null;
	const from = folded || whole, into = folded ? (i) => folded.into[i] : (i) => i;
	const n = from.parent.length, k = classes.length;
	const self = new Float64Array(n * k), all = new Float64Array(n * k);
	const samples = new Float64Array(n), children = Array.from({ length: n }, () => []);
	const cells = whole.cells[event];

	for (let i = 0; i < cells.length; i += 4) {
		self[into(cells[i]) * k + cells[i + 1]] += cells[i + 2];
		samples[into(cells[i])] += cells[i + 3];
	}
	all.set(self);
	/* Children have greater numbers than their parents. */
	for (let i = n - 1; i > 0; i--) {
		for (let c = 0; c < k; c++)
			all[from.parent[i] * k + c] += all[i * k + c];
		samples[from.parent[i]] += samples[i];
	}
	const weight = new Float64Array(n);
	for (let i = 0; i < n; i++)
		for (let c = 0; c < k; c++)
			weight[i] += all[i * k + c];
	for (let i = 1; i < n; i++)
		if (weight[i] > 0)
			children[from.parent[i]].push(i);
	const small = (i) => from.function[i] === 0;
	for (const list of children)
		list.sort((a, b) => small(a) - small(b) || weight[b] - weight[a]);
	return {
		view, which, event, elapsed, weight, samples, children,
		parent: from.parent, least: whole.least, functions: flame.functions, folded: folded !== null,
		levelsOf: (i) => folded && folded.levels.get(i) || 0,
		functionOf: (i) => flame.functions[from.function[i]],
		isSmall: (i) => i > 0 && small(i),
		classesOf: (i) => all.subarray(i * k, i * k + k),
		selfOf: (i) => self.subarray(i * k, i * k + k),
		nameOf: (i) => i ? flame.functions[from.function[i]][0] : "all",
		shortOf: (i) => i ? flame.functions[from.function[i]][5] || flame.functions[from.function[i]][0] : "all",
	};
}

/* The tree; made when it is asked for first. */
export function flameTree(view, which, event, how) {
	const key = [view, which, event, how.folds, how.elapsed].join(" ");
	if (!built.has(key))
		built.set(key, makeTree(view, which, event, how));
	return built.get(key);
}

/* The path from the root to a node, both included. */
export function pathTo(tree, node) {
	const path = [node];
	for (let at = node; at; path.push(at))
		at = tree.parent[at];
	return path.reverse();
}

/* The node of another tree of the same functions' names, as far as there is one. */
export function sameNode(from, node, to) {
	let at = 0;
	for (const step of pathTo(from, node).slice(1)) {
		const next = to.children[at].find((c) => to.nameOf(c) === from.nameOf(step));
		if (next === undefined)
			break;
		at = next;
	}
	return at;
}

/* What was folded into nodes of "(small)". */
export function foldedWeight(tree) {
	let all = 0;
	for (let i = 1; i < tree.weight.length; i++)
		if (tree.isSmall(i))
			all += tree.weight[i];
	return all;
}
