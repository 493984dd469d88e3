/** What runs when the page is open: it reads what Python wrote, and shows it. */

import { showComparison } from "./comparison_page.js";
import { byId } from "./dom.js";
import { showModel } from "./model_page.js";

const contents = JSON.parse(byId("contents").textContent);
globalThis.miter = contents.kind === "comparison"
  ? showComparison(contents)
  : showModel(contents, globalThis.miterRouting);
document.documentElement.dataset.ready = "yes";
performance.mark("ready");
