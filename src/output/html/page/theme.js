/* theme.js - light or dark colours. */
import { el } from "./dom.js";

/* A button that changes them; they begin as the browser prefers. */
export function themeButton() {
	const button = el("button", { type: "button", id: "theme", title: "Light or dark colours",
		onclick: () => change(document.documentElement.dataset.theme !== "dark") });
	const change = (dark) => {
		document.documentElement.dataset.theme = dark ? "dark" : "light";
		button.textContent = dark ? "Light" : "Dark";
	};
	change(matchMedia("(prefers-color-scheme: dark)").matches);
	return button;
}
