/* tooltip.js - one box beside what the pointer or the keyboard is at. */
import { byId, el } from "./dom.js";

/* lines: [term, value]; the first one is the title. */
export function showTip(title, lines, at) {
	const tip = byId("tip");
	tip.replaceChildren(el("strong", {}, title),
		el("dl", {}, lines.map(([term, value]) => [el("dt", {}, term), el("dd", {}, value)])));
	tip.hidden = false;
	const box = tip.getBoundingClientRect();
	const right = document.documentElement.clientWidth - box.width - 8;
	const below = at.y + 18 + box.height < window.innerHeight;
	tip.style.left = Math.max(8, Math.min(at.x + 12, right)) + "px";
	tip.style.top = (below ? at.y + 18 : Math.max(8, at.y - box.height - 12)) + "px";
}

export function hideTip() {
	byId("tip").hidden = true;
}

/* Shows what(target) for elements below root that match, at the pointer or the focus. */
export function tips(root, selector, what) {
	const find = (event) => event.target.closest ? event.target.closest(selector) : null;
	root.addEventListener("pointermove", (event) => {
		const e = find(event), tip = e && what(e);
		if (tip)
			showTip(tip[0], tip[1], { x: event.clientX, y: event.clientY });
		else
			hideTip();
	});
	root.addEventListener("pointerleave", hideTip);
	root.addEventListener("focusin", (event) => {
		const e = find(event), tip = e && e.matches(":focus-visible") && what(e);
		if (!tip)
			return;
		const box = e.getBoundingClientRect();
		showTip(tip[0], tip[1], { x: Math.max(box.left, 0), y: box.top });
	});
	root.addEventListener("focusout", hideTip);
}
