/**
 * The parts that every page has: theme switch, dialogs, copy buttons, toasts and requests with Django's CSRF token.
 * Markup: `data-opens="id"` opens a dialog, `data-closes` closes the one it stands in, `data-copy="text"` copies,
 * `data-confirm="words"` on a form asks first.
 */

const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
const THEME_KEY = "highwater-theme";
const TOAST_MS = 5000;
const systemDark = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"auto" | "light" | "dark"} the choice, not what it resolves to */
export function themeChoice() {
  const stored = read("localStorage", THEME_KEY);
  return stored === "light" || stored === "dark" ? stored : "auto";
}

/** @param {"auto" | "light" | "dark"} choice */
export function setTheme(choice) {
  if (choice === "auto") localStorage.removeItem(THEME_KEY);
  else localStorage.setItem(THEME_KEY, choice);
  applyTheme();
}

function applyTheme() {
  if ("themed" in document.documentElement.dataset) return; // the address of an embedded run names its theme
  const choice = themeChoice();
  const dark = choice === "auto" ? systemDark.matches : choice === "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const next = THEMES[(THEMES.indexOf(choice) + 1) % THEMES.length];
  const label = `Theme: ${choice}. Switch to ${next}`;
  for (const button of document.querySelectorAll(".theme-toggle")) {
    button.setAttribute("aria-label", label);
    button.setAttribute("title", label);
  }
  dispatchEvent(new Event("highwater-theme"));
}

/**
 * Values kept in the browser; null where storage is forbidden, as in some frames, or the key is absent.
 * @param {"localStorage" | "sessionStorage"} storage
 * @param {string} key
 */
export function read(storage, key) {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/**
 * Keeps a value in the browser; does nothing where storage is forbidden or full.
 * @param {"localStorage" | "sessionStorage"} storage
 * @param {string} key
 * @param {string} value
 */
export function keep(storage, key, value) {
  try {
    window[storage].setItem(key, value);
  } catch {
    /* only comfort is lost */
  }
}

/**
 * @typedef {{label: string, run: () => void}} ToastAction
 * @param {string} text
 * @param {ToastAction[]} actions
 */
export function toast(text, ...actions) {
  const host = document.getElementById("toasts");
  if (!host) return;
  const box = document.createElement("div");
  box.className = "toast";
  box.dataset.testid = "toast";
  const words = document.createElement("span");
  words.textContent = text;
  box.append(words);
  for (const action of actions) box.append(toastButton(action, box));
  host.replaceChildren(box);
  let timer = setTimeout(() => box.remove(), TOAST_MS);
  box.addEventListener("pointerenter", () => clearTimeout(timer));
  box.addEventListener("pointerleave", () => {
    timer = setTimeout(() => box.remove(), TOAST_MS);
  });
}

/** @param {ToastAction} action @param {HTMLElement} box */
function toastButton(action, box) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "link";
  button.textContent = action.label;
  button.addEventListener("click", () => {
    box.remove();
    action.run();
  });
  return button;
}

/**
 * Copies text and says so.
 * @param {string} text
 * @param {string} [said]
 */
export async function copy(text, said = "Copied.") {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
  } catch {
    toast("The browser did not allow copying. Select the text and press Ctrl C.");
  }
}

/**
 * fetch() to this site with the CSRF token; a problem becomes an Error whose message may be shown.
 * @param {string} url
 * @param {RequestInit & {json?: unknown}} [options]
 * @returns {Promise<Response>}
 */
export async function request(url, options = {}) {
  const headers = new Headers(options.headers);
  headers.set("X-CSRFToken", csrfToken());
  let body = options.body;
  if (options.json !== undefined) {
    headers.set("Content-Type", "application/json");
    body = JSON.stringify(options.json);
  }
  const answer = await fetch(url, { ...options, headers, body, credentials: "same-origin" });
  if (!answer.ok) throw await refusalOf(answer);
  return answer;
}

/** A refusal of the server, with all that it said. */
export class Refusal extends Error {
  /** @param {string} message @param {any} body the answer's JSON; null where it had none */
  constructor(message, body) {
    super(message);
    this.body = body;
  }
}

/** @param {Response} answer */
async function refusalOf(answer) {
  const text = await answer.text();
  try {
    const body = JSON.parse(text);
    return new Refusal(String(body.message ?? body.error ?? body.reason ?? text), body);
  } catch {
    return new Refusal(`The server answered ${answer.status} ${answer.statusText}.`, null);
  }
}

function csrfToken() {
  const match = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie);
  if (match) return decodeURIComponent(match[1] ?? "");
  return document.querySelector("meta[name=csrf-token]")?.getAttribute("content") ?? "";
}

/** @param {string} id */
export function openDialog(id) {
  const dialog = document.getElementById(id);
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
}

/** @param {MouseEvent} event */
function onClick(event) {
  if (!(event.target instanceof Element)) return;
  if (event.target instanceof HTMLDialogElement) return event.target.close(); // the backdrop
  const button = event.target.closest("[data-opens], [data-closes], [data-copy], .theme-toggle");
  if (!(button instanceof HTMLElement)) return;
  if (button.dataset.opens) openDialog(button.dataset.opens);
  else if (button.dataset.copy !== undefined) copy(button.dataset.copy);
  else if (button.classList.contains("theme-toggle"))
    setTheme(THEMES[(THEMES.indexOf(themeChoice()) + 1) % 3] ?? "auto");
  else button.closest("dialog")?.close();
}

/** A form that destroys what no undo brings back asks first: `data-confirm="words"`. @param {SubmitEvent} event */
function onSubmit(event) {
  const words = /** @type {HTMLFormElement} */ (event.target).dataset.confirm;
  if (words && !confirm(words)) event.preventDefault();
}

document.addEventListener("click", onClick);
document.addEventListener("submit", onSubmit);
systemDark.addEventListener("change", applyTheme);
applyTheme();
