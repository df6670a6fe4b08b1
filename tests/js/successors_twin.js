// The order of successors for each partition of a file, as the price of an unclean election takes them.
import { readFileSync } from "node:fs";
import { successors } from "../../static/js/run/price.js";

const cases = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const firsts = cases.map((/** @type {any} */ { able, ...partition }) => {
  return successors(partition, (/** @type {number} */ id) => able.includes(id))[0] ?? -1;
});
console.log(JSON.stringify(firsts));
