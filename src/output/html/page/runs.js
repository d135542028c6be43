/* runs.js - the page of what compares runs: a history, or how a program scales. */
import { byId } from "./dom.js";
import { themeButton } from "./theme.js";
import { runs } from "./runs_data.js";
import { historyPage } from "./history.js";
import { scalePage } from "./scale.js";

const pages = { "omphwc-history": historyPage, "omphwc-scale": scalePage };

byId("controls").append(themeButton());
pages[runs.format]();
document.documentElement.dataset.ready = "yes";
