/* main.js - the page: its controls, and its sections one after the other. */
import { byId, el } from "./dom.js";
import { themeButton } from "./theme.js";
import { data, events, sampledEvents } from "./data.js";
import { choose, state } from "./state.js";
import { summarySection } from "./summary.js";
import { flameSection } from "./flame.js";
import { regionsSection } from "./regions.js";
import { heatSection } from "./heatmap.js";
import { hasTables, tablesSection } from "./tables.js";
import { timelineSection } from "./timeline.js";
import { sourceSection } from "./source.js";
import { threadsSection } from "./threads.js";
import { runSection } from "./run.js";

/* Of events that were counted only there are no paths, threads' shares or lines. */
const samples = sampledEvents().length > 0;
const sections = [["summary", "Summary", summarySection], ["flame", "Flame graph", flameSection, !samples],
	["regions", "Regions", regionsSection, !samples], ["heat", "Heat map", heatSection, !samples],
	["tables", "Tables", tablesSection, !hasTables()],
	["timeline", "Timeline", timelineSection, !data.timeline],
	["source", "Source", sourceSection, !samples], ["threads", "Threads", threadsSection],
	["run", "Run", runSection]].filter(([, , , none]) => !none);

function controls() {
	const sampled = sampledEvents();
	byId("nav").append(...sections.map(([id, name]) => el("a", { href: "#" + id }, name)));
	byId("controls").append(
		sampled.length > 1 ? el("label", {}, "Event ", el("select", { id: "event",
			onchange: (e) => choose("event", Number(e.target.value)) },
		sampled.map((i) => el("option", { value: i, selected: i === state.event }, events[i].label)))) : "",
		themeButton());
}

controls();
for (const [id, , draw] of sections) {
	byId(id).hidden = false;
	draw();
}
document.documentElement.dataset.ready = "yes";
