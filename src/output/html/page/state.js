/* state.js - what is chosen, and who is notified when it changes. */
import { data } from "./data.js";

export const state = {
	event: data.event,	/* number of the event that all parts show */
	view: data.view,	/* of the flame graph: user, expert, machine */
	tree: "callees",	/* or callers */
	width: data.elapsed_first && data.elapsed_event !== null ? "elapsed" : "threads", /* of frames */
	recursion: "folded",	/* or all */
	colour: "class",	/* or module */
	lanes: "class",	/* of the timeline: or region */
	heat: "work",		/* what the heat map's colour means */
};

const watchers = new Map();

/* Calls f now, and whenever one of the members changes. */
export function watch(members, f) {
	for (const m of members)
		watchers.set(m, [...(watchers.get(m) || []), f]);
	f();
}

export function choose(member, value) {
	if (state[member] === value)
		return;
	state[member] = value;
	for (const f of watchers.get(member) || [])
		f();
}
