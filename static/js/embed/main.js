/**
 * An embedded run or comparison: a still picture and a Play button, and the tabs of the runs for a narrow frame. The
 * modules that play it are loaded when somebody presses Play, so that a page may hold many. With `autoplay` it starts
 * when it comes into view.
 */
import { must } from "../kit/dom.js";

const boot = JSON.parse(must("boot").textContent ?? "{}");
const button = /** @type {HTMLButtonElement} */ (must("start"));

async function start() {
  if (button.disabled) return;
  button.disabled = true;
  button.textContent = "Loading";
  try {
    const { EmbedPage } = await import("./page.js");
    const page = new EmbedPage(boot);
    page.start();
    // For tests and the curious: the page's model, read only by convention.
    Object.assign(window, { embedded: page });
  } catch (problem) {
    console.error(problem);
    button.disabled = false;
    button.textContent = "Not loaded. Load again";
    button.removeEventListener("click", start); // a browser keeps a module that it could not load
    button.addEventListener("click", () => location.reload());
  }
}

button.addEventListener("click", start);

const tabs = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll("button[data-tab]")]);
for (const tab of tabs)
  tab.addEventListener("click", () => {
    document.body.dataset.tab = tab.dataset.tab;
    for (const one of tabs) one.setAttribute("aria-pressed", String(one === tab));
  });

if (boot.autoplay && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
  const watcher = new IntersectionObserver(
    (seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      start();
    },
    { threshold: 0.5 },
  );
  watcher.observe(document.body);
}
