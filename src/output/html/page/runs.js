/* runs.js - the page of what compares runs: a history, how a program scales, or two sides. */
import { byId } from "./dom.js";
import { themeButton } from "./theme.js";
import { runs } from "./runs_data.js";
import { diffPage } from "./diff.js";
import { historyPage } from "./history.js";
import { scalePage } from "./scale.js";

const pages = { "omphwc-history": historyPage, "omphwc-scale": scalePage, "omphwc-diff": diffPage };

byId("controls").append(themeButton());
pages[runs.format]();
document.documentElement.dataset.ready = "yes";
