/**
 * The menu of the runs that were branched off this one.
 *
 * @import {App} from "../app/app.js"
 */
import { openMenu } from "./menu.js";

/** The runs that were branched off this one, and the one that it left. @param {App} app @param {DOMRect} at */
export function openBranches(app, at) {
  const items = app.lanes.map((/** @type {import("../page/family.js").Lane} */ lane) => ({
    id: `branch-${lane.id}`,
    icon: "fork",
    text: lane.isParent ? `Parent run: ${lane.title}` : lane.change || lane.title,
    run: () => {
      location.href = lane.url;
    },
  }));
  openMenu(
    app,
    () => ({
      title: "Branches",
      items: [
        ...items,
        null,
        {
          id: "tree",
          icon: "list",
          text: "The whole tree",
          key: "⇧B",
          run: () => {
            location.href = app.aboutUrl;
          },
        },
      ],
    }),
    at,
    "branches",
  );
}
