/* dom.js - elements.  Names of the program are text nodes or attributes, never markup. */

const svgNames = "http://www.w3.org/2000/svg";

function fill(e, props, children) {
	for (const [key, value] of Object.entries(props || {})) {
		if (value === undefined || value === null || value === false)
			continue;
		if (key === "style")
			for (const [name, v] of Object.entries(value))
				e.style.setProperty(name, v);
		else if (key.startsWith("on"))
			e.addEventListener(key.slice(2), value);
		else
			e.setAttribute(key, value === true ? "" : value);
	}
	e.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined));
	return e;
}

/* el("p", { class: "x", onclick: f, style: { width: "3px" } }, "text", child, [more]) */
export function el(tag, props, ...children) {
	return fill(document.createElement(tag), props, children);
}

export function svg(tag, props, ...children) {
	return fill(document.createElementNS(svgNames, tag), props, children);
}

export function byId(id) {
	return document.getElementById(id);
}

/* Buttons of which one is pressed: choices are [value, name, title]. */
export function choice(label, choices, value, chosen) {
	const buttons = choices.map(([v, name, title]) => el("button", {
		type: "button", "aria-pressed": String(v === value), title, "data-value": v,
		onclick: () => {
			for (const b of buttons)
				b.setAttribute("aria-pressed", String(b.dataset.value === v));
			chosen(v);
		},
	}, name));
	return el("div", { class: "choice", role: "group", "aria-label": label }, buttons);
}

/* The width that reading the text takes is up to CSS; the whole text is in the title. */
export function clipped(text, props) {
	return el("span", { ...props, class: "clipped", title: text }, text);
}
