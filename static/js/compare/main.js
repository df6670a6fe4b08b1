/** Starts a comparison on its page. */
import { ComparePage } from "./page.js";

const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");
const page = new ComparePage(boot);
page.start();
// For tests and the curious: the page's model, read only by convention.
Object.assign(window, { compare: page });
