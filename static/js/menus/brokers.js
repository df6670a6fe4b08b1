/**
 * The menu of a broker, and those that it opens.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Item, Menu} from "./menu.js"
 */
import { capital } from "../kit/wording.js";
import { priceOfDisk, priceOfStop } from "../run/price.js";
import { cutMenu } from "./links.js";
import { choose, doing, openMenu } from "./menu.js";
import { cutPower, killRack, startRack } from "./outages.js";
import { offItem } from "./reassigning.js";

const SLOW_RATES = [5, 20, 100, 1000];

/** @param {Actor} app @param {number} id @param {string} key as the menu shows it */
export function chooseOfBroker(app, id, key) {
  const { items } = brokerMenu(app, id, { left: 0, bottom: 0 });
  choose(
    items.find((item) => item?.key === key),
    `${capital(app.model.nodeName(id))} is down`,
  );
}

/** @param {Actor} app @param {number} id @param {{left: number, bottom: number}} at @returns {Menu} */
export function brokerMenu(app, id, at) {
  const { model } = app;
  const process = model.view?.brokers[id]?.process ?? "down";
  const rack = model.rackOf(id);
  const title = `${capital(model.nodeName(id))}${rack ? ` · ${rack}` : ""}`;
  /** @type {Item} */ const links = {
    id: "cut",
    icon: "cut",
    text: "Cut links…",
    key: "C",
    run: () => openMenu(app, () => cutMenu(app, id), at, "cut"),
  };
  if (process === "down") {
    return {
      title,
      items: [
        doing(app, `start ${app.model.ref(id)}`, { id: "start", icon: "play", key: "K" }),
        doing(app, `start ${app.model.ref(id)} empty`, {
          id: "start-empty",
          icon: "play",
          price: priceOfDisk(model, id),
        }),
        doing(app, `start ${app.model.ref(id)} wiped`, {
          id: "start-wiped",
          icon: "play",
          price: priceOfDisk(model, id),
        }),
        null,
        offItem(app, id),
        links,
        ...(rack ? [startRack(app, rack)] : []),
      ],
    };
  }
  const paused = process === "paused";
  const busy = ["starting", "registering", "recovering", "stopping"].includes(process)
    ? `${capital(model.nodeName(id))} is ${process}`
    : "";
  return {
    title,
    items: [
      doing(app, `kill ${app.model.ref(id)}`, { id: "kill", icon: "power", key: "K" }),
      doing(app, `stop ${app.model.ref(id)}`, {
        id: "stop",
        icon: "stop",
        key: "S",
        why: paused ? "A paused process cannot shut down" : busy,
        price: priceOfStop(model, id),
      }),
      cutPower(app, app.model.ref(id), { key: "⇧P" }),
      paused
        ? doing(app, `resume ${app.model.ref(id)}`, {
            id: "resume",
            icon: "play",
            key: "P",
          })
        : doing(app, `pause ${app.model.ref(id)}`, {
            id: "pause",
            icon: "pause",
            key: "P",
            why: busy,
          }),
      {
        id: "slow",
        icon: "clock",
        text: "Slow its fetches…",
        run: () => openMenu(app, () => slowMenu(app, id), at, "slow"),
      },
      {
        id: "slow-serving",
        icon: "clock",
        text: "Slow how it serves fetches…",
        run: () => openMenu(app, () => servingMenu(app, id), at, "slow-serving"),
      },
      null,
      offItem(app, id),
      links,
      ...(rack ? [killRack(app, rack)] : []),
    ],
  };
}

/** @param {Actor} app @param {number} id @returns {Menu} */
function slowMenu(app, id) {
  const now = app.model.slow.get(id);
  return {
    title: `Fetches of ${app.model.nodeName(id)}`,
    items: [
      ...SLOW_RATES.map((rate) =>
        doing(app, `slow ${app.model.ref(id)} ${rate}`, {
          id: `slow-${rate}`,
          icon: "clock",
          why: now === rate ? "It is at this rate now" : "",
        }),
      ),
      null,
      doing(app, `slow ${app.model.ref(id)} off`, {
        id: "slow-off",
        icon: "check",
        why: now === undefined ? "It is not slowed" : "",
      }),
    ],
  };
}

/**
 * A leader that is slow to serve: its followers fall behind together.
 * @param {Actor} app
 * @param {number} id
 * @returns {Menu}
 */
function servingMenu(app, id) {
  const now = app.model.serving.get(id);
  return {
    title: `Fetches that ${app.model.nodeName(id)} serves`,
    items: [
      ...SLOW_RATES.map((rate) =>
        doing(app, `slow ${app.model.ref(id)} serving ${rate}`, {
          id: `slow-serving-${rate}`,
          icon: "clock",
          why: now === rate ? "It is at this rate now" : "",
        }),
      ),
      null,
      doing(app, `slow ${app.model.ref(id)} serving off`, {
        id: "slow-serving-off",
        icon: "check",
        why: now === undefined ? "It is not slowed" : "",
      }),
    ],
  };
}
