/** Starts the playground on its page. */
import { App } from "./app.js";

const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");
const app = new App(boot);
app.start();
// For tests and the curious: the page's model, read only by convention.
Object.assign(window, { highwater: app });
