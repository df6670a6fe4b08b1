// Prints the offsets that the page draws of each partition of a file, for the twin test; a fold is a pair.
import { readFileSync } from "node:fs";
import { windowOf } from "../../static/js/run/layout.js";

const { slots, partitions } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const plain = (token) => (typeof token === "number" ? token : [token.from, token.to]);
console.log(JSON.stringify(partitions.map((partition) => windowOf(partition, slots).map(plain))));
