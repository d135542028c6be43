/* runs.js - the page of what compares runs: a history. */
import { byId } from "./dom.js";
import { themeButton } from "./theme.js";
import { runs } from "./runs_data.js";
import { historyPage } from "./history.js";

const pages = { "omphwc-history": historyPage };

byId("controls").append(themeButton());
pages[runs.format]();
document.documentElement.dataset.ready = "yes";
