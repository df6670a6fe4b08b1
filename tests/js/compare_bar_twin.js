/** Prints the figures under a run of a comparison, for each list of topics in the file. */
import { readFileSync } from "node:fs";
import { barFigures } from "../../static/js/compare/bar.js";

const lists = JSON.parse(readFileSync(String(process.argv[2]), "utf8"));
console.log(JSON.stringify(lists.map(barFigures)));
