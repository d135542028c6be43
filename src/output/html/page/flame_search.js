/* flame_search.js - frames whose names match what is typed. */

/* A test of names: a regular expression, or where it is none, the text itself; null for
   nothing typed. */
export function matcher(typed) {
	if (!typed)
		return null;
	try {
		const expression = new RegExp(typed, "i");
		return (name) => expression.test(name);
	} catch {
		const text = typed.toLowerCase();
		return (name) => name.toLowerCase().includes(text);
	}
}

/* Which nodes match, and their weight: of a path with several, the outermost one's. */
export function matchTree(tree, matches) {
	const hit = new Uint8Array(tree.weight.length);
	const known = tree.functions.map((f) => matches(f[0]));
	const numbers = new Map(tree.functions.map((f, i) => [f, i]));
	let weight = 0, frames = 0;
	const stack = [[0, false]];

	while (stack.length) {
		const [node, inside] = stack.pop();
		const now = node > 0 && known[numbers.get(tree.functionOf(node))];
		hit[node] = now ? 1 : 0;
		frames += hit[node];
		if (now && !inside)
			weight += tree.weight[node];
		for (const child of tree.children[node])
			stack.push([child, inside || now]);
	}
	return { hit, weight, frames };
}
