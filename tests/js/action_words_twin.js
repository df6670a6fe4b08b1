// Prints what the page says of each action of a file, for the twin test.
import { readFileSync } from "node:fs";
import { asked, clauses, counted } from "../../static/js/words/actionwords.js";

const names = {
  host: (ref) =>
    /^([a-z]+\/)?\d+$/.test(ref) ? `${Number(ref.split("/").at(-1)) < 100 ? "broker" : "controller"} ${ref}` : ref,
  message: () => "a message",
};
const actions = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log(
  JSON.stringify(
    Object.fromEntries(
      actions.map((action) => [action, [clauses(action, names), asked(action, names), counted(action.split(", "))]]),
    ),
  ),
);
